"""Exports one trace with `queuescope export --format csv`, and reads its tables as Arrow record batches.

Runs on the executors. Names and types of the columns come from the Data Package that queuescope writes.
"""

import csv
import datetime
import json
import os
import resource
import shutil
import subprocess
import tempfile
import time
from typing import Iterator, NamedTuple, Optional

import listing

PARTITION = ("date", "service", "host")
# Types of the Data Package, with their names in Arrow and in Spark.
ARROW_TYPES = {"integer": "int64", "number": "float64", "string": "string", "boolean": "bool"}
SPARK_TYPES = {"integer": "bigint", "number": "double", "string": "string", "boolean": "boolean"}
# Bytes of CSV per record batch.
BLOCK_SIZE = 4 << 20
UNKNOWN = "unknown"


class Column(NamedTuple):
    name: str
    type: str
    description: str


class BadTrace(Exception):
    """The reason why a trace cannot be exported, as one sentence."""


def columns_of(package: dict) -> dict[str, list[Column]]:
    """The columns of every table of a Data Package, in the order of the files."""
    return {
        resource["name"]: [
            Column(field["name"], field["type"], field["description"]) for field in resource["schema"]["fields"]
        ]
        for resource in package["resources"]
    }


def described_by(queuescope: str) -> dict[str, list[Column]]:
    """The columns of the tables that this queuescope writes."""
    printed = subprocess.run([queuescope, "export", "--schema"], capture_output=True, check=True, text=True)
    return columns_of(json.loads(printed.stdout))


def spark_schema(columns: list[Column]) -> str:
    """The Spark schema of a table: columns for the origin of a row, then the columns of the file."""
    origin = [f"`{name}` string" for name in (*PARTITION, "trace")]
    return ", ".join(origin + [f"`{column.name}` {SPARK_TYPES[column.type]}" for column in columns])


def export(queuescope: str, path: str, directory: str, timeout: float) -> None:
    """Writes the tables of a trace into `directory`. Raises `BadTrace` with the message of queuescope."""
    command = [queuescope, "export", path, "--format", "csv", "--output", directory]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        raise BadTrace(f"{path} was not read within {timeout:g} s") from None
    if done.returncode != 0:
        message = done.stderr.strip().removeprefix("queuescope: ").removeprefix("Error: ").splitlines()
        reason = message[0] if message else f"queuescope ended with status {done.returncode}"
        raise BadTrace(reason)


def batches(file: str, columns: list[Column]) -> Iterator["pyarrow.RecordBatch"]:
    """Reads the typed rows of a table in blocks, so that memory does not depend on the size of the file."""
    import pyarrow
    import pyarrow.compute
    import pyarrow.csv

    types = {column.name: getattr(pyarrow, ARROW_TYPES[column.type].replace("bool", "bool_"))() for column in columns}
    with open(file, newline="", encoding="utf-8") as text:
        header = next(csv.reader(text), [])
    if header != list(types):
        raise BadTrace(f"{os.path.basename(file)} has other columns than this queuescope writes")
    reader = pyarrow.csv.open_csv(
        file,
        read_options=pyarrow.csv.ReadOptions(block_size=BLOCK_SIZE, use_threads=False),
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=types, strings_can_be_null=True, quoted_strings_can_be_null=False, null_values=[""],
            true_values=["true"], false_values=["false"]))
    for batch in reader:
        yield pyarrow.RecordBatch.from_arrays(
            [without_apostrophe(array) for array in batch.columns], schema=batch.schema)


def without_apostrophe(array: "pyarrow.Array") -> "pyarrow.Array":
    """Removes the apostrophe that protects text from being read as a formula by a spreadsheet."""
    import pyarrow
    import pyarrow.compute

    if not pyarrow.types.is_string(array.type):
        return array
    return pyarrow.compute.replace_substring_regex(array, "^'([=+\\-@\t\r])", "\\1")


def complete(trace: listing.Trace, processes_file: str) -> listing.Trace:
    """Fills the missing values of the listing from the trace's first process."""
    if None not in trace:
        return trace
    with open(processes_file, newline="", encoding="utf-8") as file:
        first = next(csv.DictReader(file), {})
    begin = int(first.get("begin_unix_ns") or 0) / 1e9
    day = datetime.datetime.fromtimestamp(begin, datetime.timezone.utc).date().isoformat() if begin else UNKNOWN
    return trace._replace(
        date=trace.date or day, service=trace.service or first.get("name") or UNKNOWN,
        host=trace.host or first.get("machine") or UNKNOWN)


def children_seconds() -> float:
    """Processor time of the child processes of this process, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Exported(NamedTuple):
    """A record batch of a table of a trace; without a table, the result for the trace."""

    trace: listing.Trace
    table: Optional[str] = None
    batch: Optional["pyarrow.RecordBatch"] = None
    # Wall-clock and processor time of queuescope.
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    error: Optional[str] = None


def exported(
    queuescope: str, trace: listing.Trace, columns: dict[str, list[Column]], timeout: float = 3600
) -> Iterator[Exported]:
    """All tables of a trace, then its result. A bad trace gives only the result, even if only a part of it is bad."""
    work = tempfile.mkdtemp(prefix="queuescope-fleet-")
    begin, begin_cpu = time.monotonic(), children_seconds()
    try:
        directory = os.path.join(work, "tables")
        try:
            export(queuescope, trace.path, directory, timeout)
            seconds, cpu_seconds = time.monotonic() - begin, children_seconds() - begin_cpu
            trace = complete(trace, os.path.join(directory, "processes.csv"))
            # The first batches show whether the files have the described columns, before any row is passed on.
            files = {table: os.path.join(directory, table + ".csv") for table in columns}
            readers = {table: batches(file, columns[table]) for table, file in files.items()}
            first = {table: next(reader, None) for table, reader in readers.items()}
        except (BadTrace, OSError, ValueError) as error:
            trace = trace._replace(
                date=trace.date or UNKNOWN, service=trace.service or UNKNOWN, host=trace.host or UNKNOWN)
            yield Exported(
                trace, seconds=time.monotonic() - begin, cpu_seconds=children_seconds() - begin_cpu, error=str(error))
            return
        for table, reader in readers.items():
            if first[table] is not None and first[table].num_rows:
                yield Exported(trace, table, first[table])
            for batch in reader:
                yield Exported(trace, table, batch)
        yield Exported(trace, seconds=seconds, cpu_seconds=cpu_seconds)
    finally:
        shutil.rmtree(work, ignore_errors=True)
