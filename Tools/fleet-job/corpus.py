"""Makes varied copies of recorded traces, to test the job without a fleet.

A copy has another identity, machine, process and day. Its clock has another rate, so all its times differ. Some copies
are truncated, as if the program was killed, and some lack a thread.
"""

import csv
import datetime
import glob
import os
import random
import re
import subprocess
from typing import NamedTuple

import listing

DAYS = 14
HOSTS = 6
CUT_SHORT = 0.3
LACK_A_THREAD = 0.1
RATES = (0.6, 1.6)


class Recorded(NamedTuple):
    path: str
    service: str
    begin: float  # seconds since 1970


def recorded(root: str, queuescope: str) -> list[Recorded]:
    """The recorded traces of the repository that can be copied."""
    found = []
    for path in sorted(glob.glob(os.path.join(root, "traces/*/*/trace"))):
        report = subprocess.run(
            [queuescope, "export", path, "--format", "csv", "--table", "processes"], capture_output=True, text=True,
            check=True).stdout
        process = next(csv.DictReader(report.splitlines()))
        name = os.path.basename(os.path.dirname(path)).removesuffix("-before").removesuffix("-after")
        found.append(Recorded(path, name, int(process["begin_unix_ns"]) / 1e9))
    return found


def number(name: str, metadata: str) -> int:
    return int(re.search(rf"\b{name} = (-?\d+);", metadata).group(1))


def varied(metadata: str, host: str, pid: int, identity: str, begin: float, day: float, rate: float) -> str:
    """The metadata of a copy that begins at `day` (seconds since 1970). Its clock has `rate` times the frequency."""
    clock = re.search(r"clock \{.*?\};", metadata, re.S).group()
    frequency, offset_s, offset = (number(name, clock) for name in ("freq", "offset_s", "offset"))
    ticks = (begin - offset_s) * frequency - offset
    frequency = round(frequency * rate)
    changed = re.sub(r"\bfreq = \d+;", f"freq = {frequency};", clock)
    changed = re.sub(r"\boffset_s = -?\d+;", f"offset_s = {int(day - (ticks + offset) / frequency)};", changed)
    metadata = metadata.replace(clock, changed)
    metadata = re.sub(r'\bhostname = "[^"]*";', f'hostname = "{host}";', metadata)
    metadata = re.sub(r"\bvpid = \d+;", f"vpid = {pid};", metadata)
    return re.sub(r'\buuid = "[^"]*";', f'uuid = "{identity}";', metadata)


def copy(source: Recorded, target: str, host: str, pid: int, day: float, chance: random.Random) -> None:
    """Writes a varied copy of a trace."""
    with open(os.path.join(source.path, "metadata"), encoding="utf-8") as file:
        metadata = file.read()
    old = bytes.fromhex(re.search(r'\buuid = "([^"]*)"', metadata).group(1).replace("-", ""))
    new = chance.randbytes(16)
    identity = "-".join(new.hex()[a:b] for a, b in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32)))
    metadata = varied(metadata, host, pid, identity, source.begin, day, chance.uniform(*RATES))
    names = sorted(name for name in os.listdir(source.path) if name != "metadata")
    threads = [name for name in names if name.startswith("thread")]
    if len(threads) > 3 and chance.random() < LACK_A_THREAD:
        names.remove(chance.choice(threads))
    share = chance.uniform(0.4, 0.95) if chance.random() < CUT_SHORT else 1
    os.makedirs(target)
    with open(os.path.join(target, "metadata"), "w", encoding="utf-8") as file:
        file.write(metadata)
    for name in names:
        with open(os.path.join(source.path, name), "rb") as file:
            content = file.read().replace(old, new)
        if name.startswith("thread"):
            content = content[:int(len(content) * share)]
        with open(os.path.join(target, name), "wb") as file:
            file.write(content)


def spoil(target: str, kind: int) -> None:
    """Makes a trace unreadable: without metadata, with invalid metadata, or with a future version."""
    path = os.path.join(target, "metadata")
    if kind % 3 == 0:
        os.unlink(path)
    elif kind % 3 == 1:
        with open(path, "w", encoding="utf-8") as file:
            file.write("/* CTF 1.8 */ trace {")
    else:
        with open(path, encoding="utf-8") as file:
            metadata = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(re.sub(r"schema_major = \d+;", "schema_major = 99;", metadata))


def make(root: str, queuescope: str, folder: str, count: int, bad: int, last_day: datetime.date, seed: int = 1) -> str:
    """Writes `count` traces, of which `bad` are unreadable, and their listing. Returns the path of the listing."""
    chance = random.Random(seed)
    sources = recorded(root, queuescope)
    spoilt = set(chance.sample(range(count), bad))
    traces = []
    for index in range(count):
        source = sources[index % len(sources)]
        host = f"box-{chance.randrange(HOSTS) + 1}"
        date = last_day - datetime.timedelta(days=chance.randrange(DAYS))
        midnight = datetime.datetime.combine(date, datetime.time(), datetime.timezone.utc).timestamp()
        name = f"{index:05}"
        # Process ids are unique, because queuescope reads two traces of one process as one.
        copy(source, os.path.join(folder, "traces", name), host, 1000 + index, midnight + chance.uniform(0, 86000),
             chance)
        if index in spoilt:
            spoil(os.path.join(folder, "traces", name), index)
        traces.append(listing.Trace(os.path.join("traces", name), date.isoformat(), source.service, host))
    path = os.path.join(folder, "listing.csv")
    listing.write(path, traces)
    return path
