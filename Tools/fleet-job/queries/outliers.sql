-- Outliers per label: processes with far higher values of a queue than other processes with the same queue
-- The rules are the same as in queuescope report (FleetOutlier): at least twice the median of the others (four times
-- with fewer than three others), more than 3.5 robust deviations, a minimum difference, and at least 50 items.
WITH ran AS (
    SELECT
        trace, process, pattern AS label, wait_p50_ns, wait_p99_ns, service_p50_ns,
        row_number() OVER (PARTITION BY trace, process, pattern ORDER BY wait_p50_ns) - 1 AS wait_rank,
        row_number() OVER (PARTITION BY trace, process, pattern ORDER BY service_p50_ns) - 1 AS service_rank,
        CAST(floor(count(*) OVER (PARTITION BY trace, process, pattern) / 2) AS bigint) AS middle
    FROM queues
    WHERE active AND pattern IS NOT NULL AND items > 0
),
latencies AS (
    SELECT
        trace, process, label,
        max(CASE WHEN wait_rank = middle THEN wait_p50_ns END) AS wait_p50,
        max(wait_p99_ns) AS wait_p99,
        max(CASE WHEN service_rank = middle THEN service_p50_ns END) AS service_p50
    FROM ran
    GROUP BY trace, process, label
),
loads AS (
    SELECT
        trace, process, pattern AS label, sum(items) AS items, avg(utilisation) AS utilisation,
        sum(handoffs) AS handoffs
    FROM queues
    WHERE active AND pattern IS NOT NULL
    GROUP BY trace, process, pattern
    HAVING sum(items) >= 50
),
members AS (
    SELECT loads.*, wait_p50, wait_p99, service_p50
    FROM loads
    JOIN latencies
        ON loads.trace = latencies.trace AND loads.process = latencies.process AND loads.label = latencies.label
),
figures AS (
    SELECT trace, process, label, 'wait_p50' AS figure, CAST(wait_p50 AS double) AS value, 50000.0 AS least FROM members
    UNION ALL
    SELECT trace, process, label, 'wait_p99', CAST(wait_p99 AS double), 50000.0 FROM members
    UNION ALL
    SELECT trace, process, label, 'service_p50', CAST(service_p50 AS double), 50000.0 FROM members
    UNION ALL
    SELECT trace, process, label, 'utilisation', utilisation, 0.10 FROM members
    UNION ALL
    SELECT trace, process, label, 'handoffs_per_item', CAST(handoffs AS double) / items, 0.05 FROM members
),
-- Ranks from 0. The k-th of the others, without the member of rank r, has rank k if k < r, otherwise k + 1.
ranks AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY label, figure ORDER BY value, trace, process) - 1 AS r,
        count(*) OVER (PARTITION BY label, figure) AS n
    FROM figures
),
middles AS (
    SELECT
        *,
        CAST(floor((n - 2) / 2) AS bigint) AS low,
        CAST(floor((n - 1) / 2) AS bigint) AS high
    FROM ranks
    WHERE n > 1
),
typicals AS (
    SELECT middles.*, (a.value + b.value) / 2 AS typical
    FROM middles
    JOIN ranks AS a
        ON a.label = middles.label AND a.figure = middles.figure
        AND a.r = low + CASE WHEN low >= middles.r THEN 1 ELSE 0 END
    JOIN ranks AS b
        ON b.label = middles.label AND b.figure = middles.figure
        AND b.r = high + CASE WHEN high >= middles.r THEN 1 ELSE 0 END
),
candidates AS (
    SELECT *
    FROM typicals
    WHERE value - typical >= least AND value >= typical * CASE WHEN n < 4 THEN 4 ELSE 2 END
),
-- The median of the others depends on the excluded member, but has at most three values per label and figure.
centres AS (SELECT DISTINCT label, figure, typical FROM candidates),
deviations AS (
    SELECT
        ranks.trace, ranks.process, ranks.label, ranks.figure, centres.typical,
        abs(ranks.value - centres.typical) AS deviation,
        row_number() OVER (
            PARTITION BY ranks.label, ranks.figure, centres.typical
            ORDER BY abs(ranks.value - centres.typical), ranks.trace, ranks.process) - 1 AS d
    FROM ranks
    JOIN centres ON centres.label = ranks.label AND centres.figure = ranks.figure
)
SELECT
    candidates.label, candidates.figure, candidates.trace, candidates.process, candidates.value, candidates.typical,
    CASE WHEN candidates.typical > 0 THEN candidates.value / candidates.typical END AS ratio
FROM candidates
JOIN deviations AS own
    ON own.trace = candidates.trace AND own.process = candidates.process AND own.label = candidates.label
    AND own.figure = candidates.figure AND own.typical = candidates.typical
JOIN deviations AS a
    ON a.label = candidates.label AND a.figure = candidates.figure AND a.typical = candidates.typical
    AND a.d = low + CASE WHEN low >= own.d THEN 1 ELSE 0 END
JOIN deviations AS b
    ON b.label = candidates.label AND b.figure = candidates.figure AND b.typical = candidates.typical
    AND b.d = high + CASE WHEN high >= own.d THEN 1 ELSE 0 END
WHERE n < 4 OR candidates.value - candidates.typical > 3.5 * 1.4826 * (a.deviation + b.deviation) / 2
ORDER BY ratio DESC, candidates.label, candidates.figure, candidates.trace, candidates.process
