-- Queues by time lost over the fleet, grouped by name, with the causes of their waits
SELECT
    service,
    coalesce(pattern, '') AS queue,
    count(DISTINCT concat(trace, '#', CAST(process AS string))) AS processes,
    count(*) AS queues,
    CAST(sum(items) AS bigint) AS items,
    CAST(sum(wait_total_ns) AS bigint) AS wait_total_ns,
    sum(wait_total_ns) / greatest(sum(items), 1) AS wait_ns_per_item,
    1e2 * sum(own_backlog_ns) / greatest(sum(wait_total_ns), 1) AS own_backlog_percent,
    1e2 * sum(pool_ns + thread_start_ns) / greatest(sum(wait_total_ns), 1) AS pool_percent,
    1e2 * sum(scheduler_ns) / greatest(sum(wait_total_ns), 1) AS scheduler_percent
FROM queues
WHERE active
GROUP BY service, coalesce(pattern, '')
ORDER BY wait_total_ns DESC, service, queue
