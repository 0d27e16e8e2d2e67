"""The listing of traces: the traces to read, with the date, service and host of each."""

import csv
import datetime
import os
from typing import Iterable, NamedTuple, Optional


class Trace(NamedTuple):
    """A line of the listing. None means that the value is read from the trace."""

    path: str
    date: Optional[str] = None
    service: Optional[str] = None
    host: Optional[str] = None


class ListingError(Exception):
    """An error in a listing, as one sentence."""


COLUMNS = Trace._fields


def parse(lines: Iterable[str], name: str = "the listing", folder: str = "") -> list[Trace]:
    """Reads `trace,date,service,host` with or without a header. Columns after the first may be absent or empty.

    Relative paths count from `folder`. A trace that is listed twice is an error, since its rows would count twice.
    """
    traces: list[Trace] = []
    known: dict[str, int] = {}
    columns = list(COLUMNS)
    for number, fields in enumerate(csv.reader(lines), start=1):
        fields = [field.strip() for field in fields]
        if not any(fields) or fields[0].startswith("#"):
            continue
        if not traces and not known and ("trace" in fields or "path" in fields):
            columns = ["path" if field == "trace" else field for field in fields]
            unknown = [column for column in columns if column not in COLUMNS]
            if unknown:
                raise ListingError(
                    f"{name} has the unknown column {unknown[0]}; there are trace, date, service and host")
            continue
        if len(fields) > len(columns):
            raise ListingError(f"{name}, line {number}: {len(fields)} fields for {len(columns)} columns")
        values = {column: field or None for column, field in zip(columns, fields)}
        if not values.get("path"):
            raise ListingError(f"{name}, line {number}: no trace is named")
        if values.get("date"):
            try:
                datetime.date.fromisoformat(values["date"])
            except ValueError:
                raise ListingError(
                    f"{name}, line {number}: {values['date']} is not a date such as 2026-11-22") from None
        values["path"] = os.path.normpath(os.path.join(folder, values["path"]))
        if values["path"] in known:
            raise ListingError(f"{name}, line {number}: {values['path']} is in line {known[values['path']]} as well")
        known[values["path"]] = number
        traces.append(Trace(**values))
    if not traces:
        raise ListingError(f"{name} names no trace")
    return traces


def read(path: str) -> list[Trace]:
    """Reads a listing from a file."""
    with open(path, newline="", encoding="utf-8") as file:
        return parse(file, path, os.path.dirname(os.path.abspath(path)))


def write(path: str, traces: Iterable[Trace]) -> None:
    """Writes a listing with a header."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["trace", *COLUMNS[1:]])
        writer.writerows([[field or "" for field in trace] for trace in traces])


def in_partitions(traces: Iterable[Trace]) -> list[Trace]:
    """Sorts the traces by Parquet partition, so that each task writes few partitions."""
    return sorted(traces, key=lambda trace: tuple(field or "" for field in (*trace[1:], trace[0])))
