"""Runs the same SQL queries in Spark and in DuckDB."""

import glob
import os

import tables

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "queries")
# Columns of the table that the job adds: the result for each trace.
TRACES = [
    tables.Column("seconds", "number", "How long the export took."),
    tables.Column("cpu_seconds", "number", "Its processor time."),
    tables.Column("machine", "string", "Which machine did it."),
    tables.Column("error", "string", "Why the trace is left out; empty when it is not."),
]


def queries() -> dict[str, str]:
    """The queries, sorted by name."""
    found = {}
    for path in sorted(glob.glob(FOLDER + "/*.sql")):
        with open(path, encoding="utf-8") as file:
            found[os.path.splitext(os.path.basename(path))[0]] = file.read()
    return found


def title(query: str) -> str:
    """The query's first comment."""
    return query.split("\n", 1)[0].removeprefix("--").strip()


class Spark:
    """The tables of a fleet as views of a Spark session."""

    def __init__(self, session, folder: str, columns: dict):
        self.session = session
        for table, described in {**columns, "traces": TRACES}.items():
            schema = tables.spark_schema(described)
            try:
                frame = session.read.schema(schema).parquet(f"{folder}/{table}")
            except Exception:
                # A table without rows in all traces has no files.
                frame = session.createDataFrame([], schema)
            frame.createOrReplaceTempView(table)

    def ask(self, query: str) -> tuple[list[str], list[tuple]]:
        frame = self.session.sql(query)
        return frame.columns, [tuple(row) for row in frame.collect()]


class DuckDB:
    """The tables of a fleet as views in DuckDB, which reads the same files without a cluster."""

    def __init__(self, folder: str, columns: dict):
        import duckdb

        self.connection = duckdb.connect()
        for table, described in {**columns, "traces": TRACES}.items():
            files = f"{folder}/{table}/**/*.parquet"
            if glob.glob(files, recursive=True):
                self.connection.execute(
                    f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{files}', hive_partitioning = true, "
                    "hive_types_autocast = false, union_by_name = true)")
            else:
                schema = tables.spark_schema(described).replace("`", '"')
                self.connection.execute(f"CREATE TABLE {table} ({schema})")

    def ask(self, query: str) -> tuple[list[str], list[tuple]]:
        result = self.connection.execute(query)
        return [column[0] for column in result.description], result.fetchall()


def text(columns: list[str], rows: list[tuple], limit: int = 20) -> str:
    """Formats a table for printing."""
    def cell(value) -> str:
        if value is None:
            return "–"
        if isinstance(value, float):
            return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
        if isinstance(value, int):
            return f"{value:,}"
        return value if len(value := str(value)) <= 60 else value[:28] + "…" + value[-31:]

    shown = [[cell(value) for value in row] for row in rows[:limit]]
    numeric = [all(isinstance(row[i], (int, float, type(None))) for row in rows) for i in range(len(columns))]
    widths = [max([len(columns[i])] + [len(row[i]) for row in shown]) for i in range(len(columns))]

    def line(fields) -> str:
        return "  ".join(
            field.rjust(width) if right else field.ljust(width)
            for field, width, right in zip(fields, widths, numeric)).rstrip()

    lines = [line(columns)] + [line(row) for row in shown]
    if len(rows) > limit:
        lines.append(f"… {len(rows) - limit} more")
    return "\n".join(lines)
