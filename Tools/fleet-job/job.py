"""The Spark job. Reads the traces of a listing, and writes Parquet tables partitioned by date, service and host."""

import os
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Iterable, Iterator, NamedTuple

import answers
import listing
import tables

# Columns of the map step: record batches of all tables in Arrow's stream format, and a row with the result per trace.
MAPPED = "`date` string, `service` string, `host` string, `trace` string, `table` string, `rows` bigint, " \
    "`payload` binary, `seconds` double, `cpu_seconds` double, `machine` string, `error` string"
TRACES = "traces"


class Outcome(NamedTuple):
    traces: int
    bad: list[tuple[str, str]]
    rows: dict[str, int]
    # Wall-clock seconds of the map step and of writing, and the processor time of all exports.
    map_seconds: float
    write_seconds: float
    export_cpu_seconds: float
    slices: int


def slices_for(traces: int, cores: int) -> int:
    """Number of tasks of the map step. Small tasks limit the loss of a worker, large tasks the start-up cost."""
    return max(1, min(traces, max(4 * cores, traces // 50)))


def map_step(queuescope: str, columns: dict, timeout: float):
    """Makes the function that an executor applies to its part of the listing."""

    def apply(parts: Iterable["pyarrow.RecordBatch"]) -> Iterator["pyarrow.RecordBatch"]:
        machine = socket.gethostname()
        for part in parts:
            for row in part.to_pylist():
                trace = listing.Trace(**row)
                for exported in tables.exported(queuescope, trace, columns, timeout):
                    yield mapped(exported, machine)

    return apply


def mapped(exported: tables.Exported, machine: str) -> "pyarrow.RecordBatch":
    """One row of the map step."""
    import pyarrow

    payload = None
    if exported.batch is not None:
        sink = pyarrow.BufferOutputStream()
        options = pyarrow.ipc.IpcWriteOptions(compression="zstd")
        with pyarrow.ipc.new_stream(sink, exported.batch.schema, options=options) as writer:
            writer.write_batch(exported.batch)
        payload = sink.getvalue().to_pybytes()
    trace = exported.trace
    values = {
        "date": trace.date, "service": trace.service, "host": trace.host, "trace": trace.path,
        "table": exported.table, "rows": exported.batch.num_rows if exported.batch is not None else 0,
        "payload": payload, "seconds": exported.seconds, "cpu_seconds": exported.cpu_seconds,
        "machine": machine, "error": exported.error,
    }
    types = {"rows": pyarrow.int64(), "payload": pyarrow.binary(), "seconds": pyarrow.float64(),
             "cpu_seconds": pyarrow.float64()}
    return pyarrow.RecordBatch.from_arrays(
        [pyarrow.array([value], types.get(name, pyarrow.string())) for name, value in values.items()],
        names=list(values))


def unpack(parts: Iterable["pyarrow.RecordBatch"]) -> Iterator["pyarrow.RecordBatch"]:
    """The rows of one table, decoded from the payloads of the map step."""
    import pyarrow

    for part in parts:
        for row in part.to_pylist():
            with pyarrow.ipc.open_stream(row["payload"]) as reader:
                for batch in reader:
                    origin = [
                        pyarrow.repeat(pyarrow.scalar(row[name], pyarrow.string()), batch.num_rows)
                        for name in (*tables.PARTITION, "trace")
                    ]
                    yield pyarrow.RecordBatch.from_arrays(
                        origin + batch.columns, names=[*tables.PARTITION, "trace", *batch.schema.names])


def run(spark, traces: list[listing.Trace], output: str, queuescope: str, timeout: float = 3600,
        report=print) -> Outcome:
    """Runs the map step, then writes a folder per table below `output`. Replaces the partitions (date, service, host)
    of the listing and keeps the others, so a later listing adds its days."""
    from pyspark import StorageLevel
    from pyspark.sql import functions

    columns = tables.described_by(queuescope)
    context = spark.sparkContext
    slices = slices_for(len(traces), context.defaultParallelism)
    begin = time.monotonic()
    rows = context.parallelize([tuple(trace) for trace in listing.in_partitions(traces)], slices)
    parts = spark.createDataFrame(rows, "`path` string, `date` string, `service` string, `host` string")
    # Kept on the disks of the executors. The rows of a lost worker are computed again from its part of the listing.
    result = parts.mapInArrow(map_step(queuescope, columns, timeout), MAPPED).persist(StorageLevel.DISK_ONLY)
    try:
        how = result.filter("`table` is null")
        outcomes = how.select("trace", "error", "seconds", "cpu_seconds").collect()
        counts: dict[str, int] = {}
        places: dict[str, set] = {TRACES: set()}
        grouped = result.groupBy("table", *tables.PARTITION).agg(functions.sum("rows").alias("rows"))
        for table, *place, count in grouped.collect():
            counts[table] = counts.get(table, 0) + count
            places.setdefault(table or TRACES, set()).add(tuple(place))
        map_seconds = time.monotonic() - begin
        cpu = sum(row["cpu_seconds"] for row in outcomes)
        report(f"mapped {len(outcomes)} traces in {map_seconds:.1f} s, {slices} tasks; queuescope took {cpu:.1f} s of "
               "processor time")
        begin = time.monotonic()
        few = max(1, min(slices, 2 * context.defaultParallelism))

        def write(table: str) -> None:
            if table == TRACES:
                columns_of_traces = [column.name for column in answers.TRACES]
                return save(
                    how.select(*tables.PARTITION, "trace", *columns_of_traces).coalesce(few), output, table)
            packed = result.filter(functions.col("table") == table).select(*tables.PARTITION, "trace", "payload")
            earlier = exists(spark, f"{output}/{table}")
            save(packed.coalesce(few).mapInArrow(unpack, tables.spark_schema(columns[table])), output, table)
            if earlier:
                remove(spark, output, table, places[TRACES] - places.get(table, set()))

        # In parallel, because the tasks of a table wait for files and for its last task.
        with ThreadPoolExecutor(context.defaultParallelism) as pool:
            for done in [pool.submit(write, table) for table in (*columns, TRACES)]:
                done.result()
        write_seconds = time.monotonic() - begin
        report(f"wrote {sum(counts.values())} rows of {len(columns)} tables in {write_seconds:.1f} s")
    finally:
        result.unpersist()
    bad = sorted((row["trace"], row["error"]) for row in outcomes if row["error"] is not None)
    return Outcome(
        len(outcomes), bad, {table: counts.get(table, 0) for table in columns}, map_seconds, write_seconds,
        cpu, slices)


def save(frame, output: str, table: str) -> None:
    """Writes a table. Its files appear only when all tasks have succeeded."""
    frame.write.partitionBy(*tables.PARTITION).option("partitionOverwriteMode", "dynamic").mode("overwrite").parquet(
        f"{output}/{table}")


def exists(spark, folder: str) -> bool:
    path = spark._jvm.org.apache.hadoop.fs.Path(folder)
    return path.getFileSystem(spark._jsc.hadoopConfiguration()).exists(path)


def remove(spark, output: str, table: str, places: set) -> None:
    """Removes old partitions in which this run has no rows."""
    java = spark._jvm
    partition = java.org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils.getPartitionPathString
    for place in sorted(places):
        folders = [partition(name, value) for name, value in zip(tables.PARTITION, place)]
        path = java.org.apache.hadoop.fs.Path("/".join([output, table, *folders]))
        path.getFileSystem(spark._jsc.hadoopConfiguration()).delete(path, True)


def session(master: str, java_options: str = "", cores_per_executor: int = 1, memory: str = "1g"):
    """A Spark session with the modules of the job on its executors."""
    from pyspark.sql import SparkSession

    folder = os.path.dirname(os.path.abspath(__file__))
    logging = f"-Dlog4j2.configurationFile=file:{folder}/log4j2.properties"
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = (
        SparkSession.builder.master(master).appName("queuescope fleet")
        .config("spark.driver.extraJavaOptions", f"{logging} {java_options}")
        .config("spark.executor.extraJavaOptions", java_options)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.executor.memory", memory)
        .config("spark.executor.cores", cores_per_executor)
        .config("spark.sql.session.timeZone", "UTC")
        # Dates stay text, as in the listing.
        .config("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
        # A row of the map step may have megabytes.
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", 64)
        .config("spark.sql.inMemoryColumnarStorage.batchSize", 64)
        .config("spark.sql.shuffle.partitions", 8)
        .getOrCreate())
    session.sparkContext.setLogLevel("ERROR")
    for module in ("listing.py", "tables.py", "answers.py", "job.py"):
        session.sparkContext.addPyFile(os.path.join(folder, module))
    return session
