-- Findings by cost over the fleet, grouped by detector and queue name
SELECT
    detector,
    coalesce(queue_pattern, '') AS queue,
    CASE max(CASE severity WHEN 'error' THEN 2 WHEN 'warning' THEN 1 ELSE 0 END)
        WHEN 2 THEN 'error' WHEN 1 THEN 'warning' ELSE 'info' END AS severity,
    CAST(sum(cost_ns) AS bigint) AS cost_ns,
    count(DISTINCT concat(trace, '#', CAST(process AS string))) AS processes,
    count(*) AS findings
FROM findings
GROUP BY detector, coalesce(queue_pattern, '')
ORDER BY cost_ns DESC, detector, queue
