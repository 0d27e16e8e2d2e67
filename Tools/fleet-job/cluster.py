"""A Spark cluster on this machine: a master and workers, each in its own process."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time


# Options of the cluster's Java processes. They live for minutes only, so the second compiler and parallel garbage
# collection cost more time than they save.
JAVA_OPTIONS = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"


def spark_home() -> str:
    import pyspark

    return os.path.dirname(pyspark.__file__)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def descendants(pid: int) -> list[int]:
    """The process and all its descendants."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as file:
                    parent = int(file.read().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry))
    found = [pid]
    for known in found:
        found += children.get(known, [])
    return found


class Cluster:
    """A context manager. The processes end with the `with` block."""

    def __init__(self, workers: int = 2, cores: int = 1, memory: str = "2g"):
        self.size, self.cores, self.memory = workers, cores, memory
        self.folder = tempfile.TemporaryDirectory(prefix="queuescope-cluster-")
        self.processes: list[subprocess.Popen] = []
        self.url = ""

    def __enter__(self) -> "Cluster":
        port = free_port()
        self.url = f"spark://127.0.0.1:{port}"
        try:
            self._start("master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(free_port()))
            self._wait("I have been elected leader", 1)
            for _ in range(self.size):
                self._start(
                    "worker.Worker", "--host", "127.0.0.1", "--cores", str(self.cores), "--memory", self.memory,
                    "--webui-port", str(free_port()), "--work-dir", self.folder.name, self.url)
            self._wait("Registering worker", self.size)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.folder.cleanup()

    def kill_worker(self) -> None:
        """Kills the last worker, its executor and their Python processes, as if its machine failed."""
        for pid in descendants(self.processes[-1].pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    @property
    def _log(self) -> str:
        return os.path.join(self.folder.name, "cluster.log")

    def _start(self, name: str, *arguments: str) -> None:
        environment = {
            **os.environ, "SPARK_HOME": spark_home(), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable,
            "SPARK_NO_DAEMONIZE": "1", "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": JAVA_OPTIONS,
            # Files that a killed worker leaves are removed with the cluster.
            "SPARK_LOCAL_DIRS": self.folder.name, "TMPDIR": self.folder.name,
        }
        with open(self._log, "ab") as log:
            self.processes.append(subprocess.Popen(
                [os.path.join(spark_home(), "bin/spark-class"), "org.apache.spark.deploy." + name, *arguments],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment))

    def _wait(self, words: str, count: int, patience: float = 60) -> None:
        end = time.monotonic() + patience
        while time.monotonic() < end:
            with open(self._log, encoding="utf-8", errors="replace") as log:
                text = log.read()
            if text.count(words) >= count:
                return
            if any(process.poll() is not None for process in self.processes):
                break
            time.sleep(0.1)
        raise RuntimeError("cannot start a local Spark cluster:\n" + "\n".join(text.splitlines()[-5:]))
