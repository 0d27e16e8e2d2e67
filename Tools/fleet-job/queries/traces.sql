-- Traces that could not be read
SELECT trace, date, service, host, error FROM traces WHERE error IS NOT NULL ORDER BY trace
