"""Tests without a cluster: python3 -m unittest, in this folder. Some tests need the modules of DuckDB and Arrow."""

import importlib.util
import json
import os
import random
import statistics
import stat
import tempfile
import unittest

import answers
import corpus
import fleet
import job
import listing
import tables

HAS_DUCKDB = importlib.util.find_spec("duckdb") is not None
HAS_ARROW = importlib.util.find_spec("pyarrow") is not None

PACKAGE = {"resources": [
    {"name": "processes", "schema": {"fields": [
        {"name": "process", "type": "integer", "description": ""},
        {"name": "machine", "type": "string", "description": ""},
        {"name": "name", "type": "string", "description": ""},
        {"name": "begin_unix_ns", "type": "integer", "description": ""}]}},
    {"name": "queues", "schema": {"fields": [
        {"name": "queue", "type": "string", "description": ""},
        {"name": "utilisation", "type": "number", "description": ""},
        {"name": "active", "type": "boolean", "description": ""}]}},
]}


class ListingTests(unittest.TestCase):
    def test_reads_columns_in_any_order(self):
        traces = listing.parse(["host,trace,date", "box-1,a,2026-11-22", "# a comment", "", ",/b,"], folder="/data")
        self.assertEqual(traces, [
            listing.Trace("/data/a", "2026-11-22", None, "box-1"), listing.Trace("/b", None, None, None)])

    def test_needs_no_header(self):
        self.assertEqual(listing.parse(["/a", "/b,2026-11-22,news,box"])[1], ("/b", "2026-11-22", "news", "box"))

    def test_says_what_is_wrong(self):
        for lines, words in [
            ([], "names no trace"), (["trace,day", "a,b"], "unknown column day"), (["a,2026-13-01"], "not a date"),
            (["a", "b", "./a"], "line 3: a is in line 1"), (["a,,,,b"], "5 fields"),
            (["trace,date", ",2026-11-22"], "line 2"),
        ]:
            with self.assertRaisesRegex(listing.ListingError, words):
                listing.parse(lines)

    def test_is_read_as_written(self):
        traces = [listing.Trace("/a, b", "2026-11-22", "news \"1\"", None), listing.Trace("/c")]
        with tempfile.TemporaryDirectory() as folder:
            listing.write(folder + "/listing.csv", traces)
            self.assertEqual(listing.read(folder + "/listing.csv"), traces)

    def test_puts_traces_of_a_partition_together(self):
        traces = [listing.Trace(f"/{n}", f"2026-11-{n % 3 + 1:02}", None, "box") for n in range(9)]
        ordered = listing.in_partitions(traces)
        self.assertEqual(sorted(ordered), sorted(traces))
        dates = [trace.date for trace in ordered]
        self.assertEqual(dates, sorted(dates))


class ExportTests(unittest.TestCase):
    """Tests with a script in place of queuescope."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def program(self, script: str) -> str:
        path = os.path.join(self.folder.name, "queuescope")
        with open(path, "w", encoding="utf-8") as file:
            # export TRACE --format csv --output DIR
            file.write('#!/bin/sh\nif [ "$2" = --schema ]; then cat "$0.json"; exit; fi\n' + script)
        with open(path + ".json", "w", encoding="utf-8") as file:
            json.dump(PACKAGE, file)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    WRITES = """mkdir "$6"
printf 'process,machine,name,begin_unix_ns\\r\\n0,box-7,news,1795357894889589356\\r\\n' > "$6/processes.csv"
printf 'queue,utilisation,active\\r\\n"a, b",0.5,true\\r\\n'"'"'=1,,false\\r\\n' > "$6/queues.csv"
"""

    def test_knows_the_columns(self):
        columns = tables.described_by(self.program(""))
        self.assertEqual([column.name for column in columns["queues"]], ["queue", "utilisation", "active"])
        self.assertEqual(
            tables.spark_schema(columns["queues"]),
            "`date` string, `service` string, `host` string, `trace` string, "
            "`queue` string, `utilisation` double, `active` boolean")

    def exported(self, script: str, trace=listing.Trace("/trace"), timeout: float = 60):
        path = self.program(script)
        return list(tables.exported(path, trace, tables.described_by(path), timeout))

    def test_reports_a_bad_trace(self):
        only, = self.exported("echo 'queuescope: cannot read /trace: it is gone.' >&2; exit 2")
        self.assertEqual(only.error, "cannot read /trace: it is gone.")
        self.assertEqual(only.trace, ("/trace", "unknown", "unknown", "unknown"))

    def test_reports_a_crash_and_a_trace_that_takes_too_long(self):
        self.assertIn("status", self.exported("kill -SEGV $$")[0].error)
        self.assertIn("within 0.2 s", self.exported("exec sleep 20", timeout=0.2)[0].error)

    def test_takes_from_the_trace_what_the_listing_leaves_open(self):
        path = os.path.join(self.folder.name, "processes.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("process,machine,name,begin_unix_ns\r\n0,box-7,news,1795357894889589356\r\n")
        self.assertEqual(tables.complete(listing.Trace("/a"), path), ("/a", "2026-11-22", "news", "box-7"))
        self.assertEqual(
            tables.complete(listing.Trace("/a", "2026-01-02", None, "box"), path), ("/a", "2026-01-02", "news", "box"))

    @unittest.skipUnless(HAS_ARROW, "needs pyarrow")
    def test_gives_typed_rows(self):
        queues = next(one for one in self.exported(self.WRITES) if one.table == "queues")
        self.assertEqual(queues.batch.to_pylist(), [
            {"queue": "a, b", "utilisation": 0.5, "active": True},
            {"queue": "=1", "utilisation": None, "active": False}])
        self.assertEqual(queues.trace, ("/trace", "2026-11-22", "news", "box-7"))
        self.assertIsNone(self.exported(self.WRITES)[-1].error)
        packed = job.mapped(queues, "here")
        rows = [row for batch in job.unpack([packed]) for row in batch.to_pylist()]
        self.assertEqual(rows[0], {
            "date": "2026-11-22", "service": "news", "host": "box-7", "trace": "/trace", "queue": "a, b",
            "utilisation": 0.5, "active": True})

    @unittest.skipUnless(HAS_ARROW, "needs pyarrow")
    def test_gives_no_row_of_a_trace_with_a_bad_table(self):
        for damage in ["rm \"$6/queues.csv\"", "echo 'queue,active' > \"$6/queues.csv\"",
                       "echo 1,2 >> \"$6/queues.csv\""]:
            only, = self.exported(self.WRITES + damage)
            self.assertIsNotNone(only.error, damage)


class CorpusTests(unittest.TestCase):
    METADATA = """trace { uuid = "54207f0f-98c4-4343-ace3-af4e2bf67571"; };
env { hostname = "vm"; vpid = 15033; schema_major = 1; };
clock {
	freq = 2000000000;
	offset_s = 1000;
	offset = 500;
};
"""

    def test_begins_on_its_day_whatever_its_rate(self):
        begin = 1000 + (500 + 6_000_000_000) / 2e9
        day = 1_795_305_600.0
        for rate in (0.6, 1.0, 1.6):
            text = corpus.varied(self.METADATA, "box-3", 77, "0" * 8, begin, day, rate)
            frequency, seconds, offset = (corpus.number(name, text) for name in ("freq", "offset_s", "offset"))
            self.assertAlmostEqual(seconds + (offset + 6_000_000_000) / frequency, day, delta=1.01)
            self.assertEqual(frequency, round(2e9 * rate))
            self.assertIn('hostname = "box-3";', text)
            self.assertIn("vpid = 77;", text)


class CommandTests(unittest.TestCase):
    def test_divides_the_listing(self):
        self.assertEqual(job.slices_for(1, 2), 1)
        self.assertEqual(job.slices_for(44, 2), 8)
        self.assertEqual(job.slices_for(2000, 2), 40)

    def test_refuses_what_does_not_go_together(self):
        for given in [[], ["listing.csv"], ["listing.csv", "-o", "x", "--kill-worker"]]:
            with self.assertRaises(SystemExit), open(os.devnull, "w") as nothing:
                import contextlib

                with contextlib.redirect_stderr(nothing):
                    fleet.arguments(["--queuescope", "q", *given])

    def test_prints_tables(self):
        text = answers.text(["queue", "cost"], [("a", 1234567), ("b" * 80, None)], limit=5)
        self.assertEqual(text.splitlines()[1].split(), ["a", "1,234,567"])
        self.assertTrue(text.splitlines()[2].endswith("–"))

    def test_every_query_has_a_title(self):
        self.assertEqual(set(answers.queries()), {"findings", "outliers", "queues", "weeks", "traces"})
        for query in answers.queries().values():
            self.assertRegex(query, r"\A-- [A-Z]")


@unittest.skipUnless(HAS_DUCKDB, "needs duckdb")
class QueryTests(unittest.TestCase):
    def setUp(self):
        import duckdb

        self.store = answers.DuckDB.__new__(answers.DuckDB)
        self.store.connection = duckdb.connect()

    def test_outliers_are_those_of_the_rules(self):
        chance = random.Random(7)
        for members in (2, 3, 4, 5, 8, 30):
            values = {
                (f"/{n}", 0): chance.choice([1, 1, 1, 2, 9]) * chance.randrange(40_000, 60_000) for n in range(members)}
            self.store.connection.execute(
                "CREATE OR REPLACE TABLE queues (trace text, process bigint, pattern text, active boolean, "
                "items bigint, utilisation double, handoffs bigint, wait_p50_ns bigint, wait_p99_ns bigint, "
                "service_p50_ns bigint)")
            self.store.connection.executemany(
                "INSERT INTO queues VALUES (?, ?, 'q', true, 60, 0.1, 0, ?, 0, 0)",
                [(*key, value) for key, value in values.items()])
            _, rows = self.store.ask(answers.queries()["outliers"])
            expected = {}
            for key, value in values.items():
                others = [other for name, other in values.items() if name != key]
                typical = statistics.median(others)
                spread = statistics.median(abs(other - typical) for other in others) * 1.4826
                few = len(others) < 3
                if value - typical >= 50_000 and value >= typical * (4 if few else 2) and (
                        few or value - typical > 3.5 * spread):
                    expected[key[0]] = (float(value), float(typical))
            self.assertEqual({row[2]: (row[4], row[5]) for row in rows}, expected, members)

    def test_weeks_are_of_seven_days(self):
        self.store.connection.execute("""
            CREATE TABLE processes AS SELECT * FROM (VALUES
                ('2026-11-22', 'news', 1000000000), ('2026-11-16', 'news', 1000000000),
                ('2026-11-15', 'news', 4000000000), ('2026-11-08', 'news', 9000000000), ('unknown', 'news', 1)
            ) AS rows (date, service, duration_ns);
            CREATE TABLE findings AS SELECT * FROM (VALUES
                ('2026-11-22', 'news', 'a', 'q', 6000000), ('2026-11-15', 'news', 'a', 'q', 4000000),
                ('2026-11-08', 'news', 'a', 'q', 999000000), ('2026-11-16', 'news', 'b', NULL, 2000000)
            ) AS rows (date, service, detector, queue_pattern, cost_ns)""")
        _, rows = self.store.ask(answers.queries()["weeks"])
        self.assertEqual(rows, [("news", "a", "q", 1.0, 3.0, 200.0), ("news", "b", "", 0.0, 1.0, None)])


if __name__ == "__main__":
    unittest.main()
