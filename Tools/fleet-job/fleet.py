"""The command line of Tools/fleet, which installs the requirements first."""

import argparse
import datetime
import os
import signal
import sys
import tempfile

import answers
import corpus
import listing
import tables

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def say(text: str) -> None:
    print("Tools/fleet: " + text, file=sys.stderr, flush=True)


def arguments(given: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="Tools/fleet",
        description="Reads many traces on an Apache Spark cluster into Parquet files, and queries them with SQL.",
        epilog="The listing is CSV with the columns trace, date, service and host; all but the first may be absent, "
        "and are then taken from the trace.")
    parser.add_argument("listing", nargs="?", help="the listing of the traces")
    parser.add_argument("-o", "--output",
                        help="the folder of the tables; existing days, services and hosts are replaced")
    parser.add_argument("--master",
                        help="a Spark cluster, such as spark://host:7077 (default: a new cluster on this machine)")
    parser.add_argument("--workers", type=int, default=2, help="workers of a cluster on this machine (default 2)")
    parser.add_argument("--queuescope", required=True, help="path of the command, the same on every worker")
    parser.add_argument("--timeout", type=float, default=3600,
                        help="seconds after which a trace counts as bad (default 3600)")
    parser.add_argument("--ask", metavar="QUERY", nargs="?", const="",
                        help="query the tables of a folder (-o) with DuckDB: findings, outliers, queues, weeks, "
                        "traces, or SQL; without a query all of them")
    parser.add_argument("--make-corpus", metavar="N", type=int,
                        help="write N varied copies of the recorded traces, and their listing, into a folder (-o)")
    parser.add_argument("--bad", type=int, default=0, help="number of unreadable copies")
    parser.add_argument("--check", action="store_true",
                        help="compare the job with a sequential loop and with queuescope report, for the listing or "
                        "for a generated corpus")
    parser.add_argument("--kill-worker", action="store_true", help="with --check: kill a worker during the job")
    parsed = parser.parse_args(given)
    if parsed.listing is None and parsed.ask is None and parsed.make_corpus is None and not parsed.check:
        parser.error("name the listing of the traces")
    if parsed.output is None and not parsed.check:
        parser.error("name a folder with --output")
    if parsed.kill_worker and (not parsed.check or parsed.master):
        parser.error("--kill-worker goes with --check, on a cluster of this machine")
    return parsed


def print_answers(store, names: list[str]) -> None:
    queries = answers.queries()
    for name in names:
        query = queries.get(name, name)
        print(f"\n{answers.title(query) if name in queries else name}")
        print(answers.text(*store.ask(query)))


def with_spark(options: argparse.Namespace, body):
    """Runs `body(session, cluster)`. The cluster is None if it was not started here."""
    import job
    from cluster import JAVA_OPTIONS, Cluster

    def run(master, cluster):
        session = job.session(master, JAVA_OPTIONS if cluster else "")
        try:
            return body(session, cluster)
        finally:
            session.stop()

    if options.master:
        return run(options.master, None)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    with Cluster(options.workers) as cluster:
        return run(cluster.url, cluster)


def run_job(options: argparse.Namespace) -> int:
    import job

    traces = listing.read(options.listing)
    output = os.path.abspath(options.output) if "://" not in options.output else options.output

    columns = tables.described_by(options.queuescope)
    names = [name for name in answers.queries() if name != "traces"]

    def body(session, _):
        outcome = job.run(session, traces, output, options.queuescope, options.timeout, say)
        if "://" in output:
            print_answers(answers.Spark(session, output, columns), names)
        return outcome

    outcome = with_spark(options, body)
    # Local files are queried with DuckDB, without a cluster.
    if "://" not in output:
        print_answers(answers.DuckDB(output, columns), names)
    for path, error in outcome.bad[:10]:
        say(f"left out: {error}" if path in error else f"left out: {path}: {error}")
    if outcome.bad:
        say(f"{len(outcome.bad)} of {outcome.traces} traces are left out; the table traces has the reasons")
    return 2 if len(outcome.bad) == outcome.traces else 0


def run_check(options: argparse.Namespace) -> int:
    import check

    with tempfile.TemporaryDirectory(prefix="queuescope-fleet-") as folder:
        path = options.listing
        if path is None:
            count = options.make_corpus or 44
            path = corpus.make(ROOT, options.queuescope, folder, count, options.bad or 3, datetime.date(2026, 11, 22))
        output = os.path.abspath(options.output) if options.output else os.path.join(folder, "tables")
        try:
            with_spark(options, lambda session, cluster: check.run(
                session, cluster, listing.read(path), options.queuescope, output, options.kill_worker, say))
        except check.Disagreement as error:
            say(str(error))
            return 1
    return 0


def main(given: list[str]) -> int:
    options = arguments(given)
    # SIGTERM must end the cluster together with this process.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        if options.check:
            return run_check(options)
        if options.make_corpus is not None:
            path = corpus.make(
                ROOT, options.queuescope, options.output, options.make_corpus, options.bad, datetime.date.today())
            say(f"{options.make_corpus} traces are listed in {path}")
            return 0
        if options.ask is not None:
            store = answers.DuckDB(options.output, tables.described_by(options.queuescope))
            print_answers(store, [options.ask] if options.ask else list(answers.queries()))
            return 0
        return run_job(options)
    except (listing.ListingError, OSError) as error:
        say(str(error))
        return 64


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
