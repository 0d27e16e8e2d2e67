"""Compares the job's tables with a sequential loop over the traces, and with `queuescope report` of the same traces."""

import json
import os
import random
import shutil
import subprocess
import tempfile
import threading
import time

import answers
import job
import listing
import tables

# Number of traces that are compared with queuescope report, which reads a folder in one process.
REPORTED = 60
TOLERANCE = 1e-9


class Disagreement(Exception):
    """The difference, as one sentence."""


def loop(traces: list[listing.Trace], queuescope: str, folder: str) -> tuple[float, dict[str, str]]:
    """Exports the traces one after the other into `folder`/NUMBER. Returns the seconds and the bad traces."""
    bad = {}
    begin = time.monotonic()
    for number, trace in enumerate(traces):
        try:
            tables.export(queuescope, trace.path, os.path.join(folder, f"{number:05}"), 3600)
        except tables.BadTrace as error:
            bad[trace.path] = str(error)
    return time.monotonic() - begin, bad


def compare_with_loop(store: answers.DuckDB, traces: list[listing.Trace], folder: str, columns: dict) -> int:
    """Compares every row of every table: the CSV files, read by DuckDB, with Spark's Parquet files.

    Returns the number of compared rows.
    """
    ask = store.connection
    ask.execute("CREATE OR REPLACE TABLE listed (number integer, trace string)")
    ask.executemany("INSERT INTO listed VALUES (?, ?)", [(n, trace.path) for n, trace in enumerate(traces)])
    compared = 0
    for table, described in columns.items():
        types = ", ".join(f"'{column.name}': '{tables.SPARK_TYPES[column.type].upper()}'" for column in described)
        names = ", ".join(f'"{column.name}"' for column in described)
        text = ", ".join(
            f"regexp_replace(\"{c.name}\", '^''([=+\\-@\t\r])', '\\1') AS \"{c.name}\"" if c.type == "string"
            else f'"{c.name}"' for c in described)
        ask.execute(
            f"CREATE OR REPLACE TEMP TABLE straight AS SELECT trace, {text} FROM read_csv('{folder}/*/{table}.csv', "
            f"header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"', new_line = '\\r\\n', "
            f"columns = {{{types}}}, "
            f"filename = true) JOIN listed ON number = CAST(split_part(filename, '/', -2) AS integer)")
        ask.execute(f"CREATE OR REPLACE TEMP TABLE mapped AS SELECT trace, {names} FROM {table}")
        for left, right in (("straight", "mapped"), ("mapped", "straight")):
            rest = ask.execute(f"FROM {left} EXCEPT ALL FROM {right}").fetchall()
            if rest:
                raise Disagreement(f"{len(rest)} rows of {table} are in {left} only, such as {rest[0]}")
        compared += ask.execute("SELECT count(*) FROM mapped").fetchone()[0]
    return compared


def compare_with_report(stores: list, traces: list[listing.Trace], queuescope: str, columns: dict) -> str:
    """Compares the SQL results for findings and outliers with `queuescope report` of the same traces."""
    with tempfile.TemporaryDirectory(prefix="queuescope-check-") as folder:
        for number, trace in enumerate(traces):
            if os.path.isdir(trace.path):
                shutil.copytree(trace.path, os.path.join(folder, f"{number:05}"))
        printed = subprocess.run(
            [queuescope, "report", folder, "--format", "json"], capture_output=True, text=True, check=True).stdout
    fleet = json.loads(printed)["fleet"]
    findings = sorted(
        (one["detector"], one["queue"], one["severity"], one["cost_ns"], one["processes"]) for one in fleet["findings"])
    outliers = {
        (one["label"], outlier["figure"], outlier["host"], outlier["process"]): (outlier["value"], outlier["typical"])
        for one in fleet["queues"] for outlier in one["outliers"]
    }
    queries = answers.queries()
    for store in stores:
        name = type(store).__name__
        _, rows = store.ask(queries["findings"])
        found = sorted(tuple(row[:5]) for row in rows)
        if found != findings:
            odd = set(found).symmetric_difference(findings)
            raise Disagreement(f"findings of report and of {name} differ: {sorted(odd)[:4]}")
        _, rows = store.ask("SELECT trace, process, machine, pid FROM processes")
        places = {(trace, process): (machine, pid) for trace, process, machine, pid in rows}
        _, rows = store.ask(queries["outliers"])
        seen = {(row[0], row[1], *places[row[2], row[3]]): (row[4], row[5]) for row in rows}
        if seen.keys() != outliers.keys():
            odd = sorted(set(seen).symmetric_difference(outliers))
            raise Disagreement(f"outliers of report and of {name} differ: {odd[:4]}")
        for key, values in seen.items():
            for mine, theirs in zip(values, outliers[key]):
                if abs(mine - theirs) > TOLERANCE * max(abs(mine), abs(theirs)):
                    raise Disagreement(f"the outlier {key} is {values} in {name} and {outliers[key]} in report")
    return (f"{len(fleet['processes'])} processes, {len(findings)} groups of findings, {len(outliers)} outliers")


class Killer(threading.Thread):
    """Ends a worker when a share of the map step's tasks is done."""

    def __init__(self, spark, cluster, share: float = 0.4):
        super().__init__(daemon=True)
        self.tracker, self.cluster, self.share = spark.sparkContext.statusTracker(), cluster, share
        self.done = None
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.2):
            for stage in self.tracker.getActiveStageIds():
                info = self.tracker.getStageInfo(stage)
                # The first stage is the map step.
                if info and info.numCompletedTasks >= self.share * info.numTasks:
                    self.cluster.kill_worker()
                    self.done = f"{info.numCompletedTasks} of {info.numTasks} tasks"
                    return


def sample(traces: list[listing.Trace]) -> list[listing.Trace]:
    return traces if len(traces) <= REPORTED else random.Random(REPORTED).sample(traces, REPORTED)


def run(spark, cluster, traces, queuescope: str, output: str, kill: bool, say) -> job.Outcome:
    """Runs the job into `output`, and compares. Raises `Disagreement`."""
    columns = tables.described_by(queuescope)
    killer = Killer(spark, cluster) if kill else None
    if killer:
        killer.start()
    outcome = job.run(spark, traces, output, queuescope, report=say)
    if killer:
        killer.ended.set()
        killer.join()
        if not killer.done:
            raise Disagreement("the job was done before the worker could be ended; give more traces")
        say(f"a worker was ended after {killer.done}")
    store = answers.DuckDB(output, columns)
    with tempfile.TemporaryDirectory(prefix="queuescope-loop-") as folder:
        seconds, bad = loop(traces, queuescope, folder)
        say(f"a sequential loop over {len(traces)} traces takes {seconds:.1f} s")
        if bad != dict(outcome.bad):
            raise Disagreement(f"bad traces differ: {sorted(set(bad.items()) ^ set(outcome.bad))[:2]}")
        rows = compare_with_loop(store, traces, folder, columns)
    say(f"equal to the loop: {rows} rows of {len(columns)} tables, {len(bad)} bad traces")
    chosen = sample(traces)
    stores = [answers.DuckDB(output, columns), answers.Spark(spark, output, columns)]
    for one in stores:
        restrict(one, [trace.path for trace in chosen])
    say("agrees with queuescope report: " + compare_with_report(stores, chosen, queuescope, columns))
    return outcome


def restrict(store, paths: list[str]) -> None:
    """Restricts the compared tables to the rows of these traces."""
    listed = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
    for table in ("processes", "queues", "findings"):
        query = f"SELECT * FROM {table} WHERE trace IN ({listed})"
        if isinstance(store, answers.Spark):
            store.session.sql(query).createOrReplaceTempView(table)
        else:
            store.connection.execute(f"CREATE TEMP TABLE chosen_{table} AS {query}")
            kind = "VIEW" if store.connection.execute(
                f"SELECT count(*) FROM duckdb_views() WHERE view_name = '{table}'").fetchone()[0] else "TABLE"
            store.connection.execute(f"DROP {kind} {table}")
            store.connection.execute(f"CREATE VIEW {table} AS SELECT * FROM chosen_{table}")
