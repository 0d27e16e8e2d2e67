-- This week compared with last week, per service and finding: milliseconds lost per second of recording
-- A week is the seven days up to the last day of the fleet.
WITH days AS (
    SELECT DISTINCT date, TRY_CAST(date AS date) AS day FROM processes
),
latest AS (SELECT max(day) AS last_day FROM days),
weeks AS (
    SELECT
        date,
        CASE WHEN day > CAST(last_day - INTERVAL 7 DAY AS date) THEN 'this' ELSE 'last' END AS week
    FROM days
    CROSS JOIN latest
    WHERE day > CAST(last_day - INTERVAL 14 DAY AS date)
),
recorded AS (
    SELECT
        service,
        sum(CASE week WHEN 'this' THEN duration_ns END) / 1e9 AS this_seconds,
        sum(CASE week WHEN 'last' THEN duration_ns END) / 1e9 AS last_seconds
    FROM processes
    JOIN weeks ON weeks.date = processes.date
    GROUP BY service
),
costs AS (
    SELECT
        service, detector, coalesce(queue_pattern, '') AS queue,
        coalesce(sum(CASE week WHEN 'this' THEN cost_ns END), 0) / 1e6 AS this_cost,
        coalesce(sum(CASE week WHEN 'last' THEN cost_ns END), 0) / 1e6 AS last_cost
    FROM findings
    JOIN weeks ON weeks.date = findings.date
    GROUP BY service, detector, coalesce(queue_pattern, '')
)
SELECT
    costs.service, detector, queue,
    last_cost / last_seconds AS last_week,
    this_cost / this_seconds AS this_week,
    CASE WHEN last_cost > 0 THEN 100 * (this_cost / this_seconds) / (last_cost / last_seconds) - 100 END
        AS change_percent
FROM costs
JOIN recorded ON recorded.service = costs.service
WHERE this_seconds > 0 AND last_seconds > 0 AND (this_cost > 0 OR last_cost > 0)
ORDER BY abs(this_cost / this_seconds - last_cost / last_seconds) DESC, service, detector, queue
