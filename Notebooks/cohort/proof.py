#!/usr/bin/env python3
"""Shows that a cohort survives kills: simulated persons, jobs killed at random, and Snakemake killed in the middle.

Usage: proof.py FOOTFALL [PERSONS] [--store]

The Python that runs it needs snakemake; for --store also snakemake-storage-plugin-s3 and moto[server], whose server is the object
store that logs are read from and results are written to. Every tenth person has a second log, all persons have logs of the same
names, and one log is unreadable. The tables must be those of `footfall summarize`, byte by byte.
"""
import csv
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
UNREADABLE = "p99999/day1.csv"
KILLED = 0.2  # the share of the jobs that are met


def simulate(footfall, study, count):
    """Writes the logs of `count` persons, a file that is no log, and the table of persons."""
    rows = []
    for number in range(count):
        person = study / f"p{number:05d}"
        person.mkdir(parents=True)
        for day in [1, 2] if number % 10 == 0 else [1]:
            log = person / f"day{day}.csv"
            subprocess.run(
                [footfall, "simulate", "walk", "--rate", "25", "--duration", "60", "--seed", str(number + 1), "--start",
                 f"2026-11-{16 + day}T10:00:00Z", "--out", log], check=True, capture_output=True)
            log.with_suffix(".truth.json").unlink()
            rows.append([log.relative_to(study), person.name])
    (study / UNREADABLE).parent.mkdir()
    (study / UNREADABLE).write_text("name,town\nAnn,Bonn\n")
    with open(study.parent / "who.csv", "w", newline="") as who:
        csv.writer(who).writerows([["trace", "person"], *rows])


class Folders:
    """Logs and results in folders."""

    options = []

    def __init__(self, folder):
        self.study, self.results = folder / "study", folder / "results"

    def names(self):
        return [path.relative_to(self.results).as_posix() for path in self.results.rglob("*") if path.is_file()]

    def read(self, name):
        return (self.results / name).read_bytes()

    def size(self, name):
        return (self.results / name).stat().st_size


class Store:
    """Logs and results in the bucket `cohort` of an object store."""

    study, results = "s3://cohort/study", "s3://cohort/results"

    def __init__(self, folder, endpoint):
        import boto3

        self.options = ["--storage-s3-endpoint-url", endpoint]
        self.bucket = boto3.resource("s3", endpoint_url=endpoint).create_bucket(Bucket="cohort")
        for path in (folder / "study").rglob("*.csv"):
            self.bucket.upload_file(str(path), str(path.relative_to(folder)))

    def objects(self):
        return {item.key.removeprefix("results/"): item for item in self.bucket.objects.filter(Prefix="results/")}

    def names(self):
        return list(self.objects())

    def read(self, name):
        return self.bucket.Object(f"results/{name}").get()["Body"].read()

    def size(self, name):
        return self.bucket.Object(f"results/{name}").content_length


@contextmanager
def moto(folder):
    """The server of moto. Its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    os.environ |= dict.fromkeys(["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"], "moto") | {"AWS_DEFAULT_REGION": "us-east-1"}
    with open(folder / "moto.txt", "w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)], stdout=log, stderr=log)
        try:
            while True:
                assert server.poll() is None, (folder / "moto.txt").read_text()
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    time.sleep(0.1)  # until it listens
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()
            server.wait()


def children(root):
    """The descendants of a process: id and command line."""
    parents, lines = {}, {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            line = (entry / "cmdline").read_bytes().split(b"\0")
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            lines[int(entry.name)] = line
        except OSError:
            continue  # it has ended
    found = {root}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return {child: lines[child] for child in found - {root}}


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
        return 1
    except ProcessLookupError:
        return 0


def run(command, footfall, folder, is_enough=lambda: False):
    """Runs Snakemake and kills jobs of it at random; itself with all jobs when it is enough. Returns its status and the kills."""
    kills, seen = 0, set()
    with open(folder / "snakemake.txt", "a") as log:
        driver = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
        while driver.poll() is None:
            # A job has to be met while it runs. This is a pause between two attempts, and decides nothing.
            time.sleep(0.2)
            jobs = {child for child, line in children(driver.pid).items() if line[0] == os.fsencode(footfall)}
            kills += sum(kill(job) for job in jobs - seen if random.random() < KILLED)
            seen |= jobs
            if is_enough():
                for process in [driver.pid, *children(driver.pid)]:
                    kill(process)
                driver.wait()
    return driver.returncode, kills


def prove(footfall, place, folder, count):
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(HERE / "Snakefile"), "--cores", str(os.cpu_count()),
               "--scheduler", "greedy", "--keep-going", "--rerun-incomplete", *place.options, "--config", f"footfall={footfall}",
               f"study={place.study}", f"results={place.results}", f"persons={folder / 'who.csv'}"]
    studies = lambda: [name for name in place.names() if name.startswith("studies/")]
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    # Its log, as listing a store costs more than the jobs.
    finished = lambda: (folder / "snakemake.txt").read_text().count("Finished jobid")
    status, kills = run(command, footfall, folder, lambda: finished() > count / 3)
    assert status == -signal.SIGKILL, f"Snakemake ended with {status} before it was killed: {folder}/snakemake.txt"
    done = len(studies())
    while status:
        subprocess.run([*command, "--unlock"], check=True, capture_output=True, cwd=folder)
        status, more = run(command, footfall, folder)
        kills += more
        print(f"Snakemake ended with {status}", flush=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    for table in ["persons.csv", "days.csv"]:
        assert place.read(table) == (folder / "plain" / table).read_bytes(), f"{table} differs"
    rows = lambda name: list(csv.DictReader(place.read(name).decode().splitlines()))
    persons, days, errors = map(rows, ["persons.csv", "days.csv", "errors.csv"])
    assert [row["person"] for row in persons] == [f"p{number:05d}" for number in range(count)]
    assert [row["log"] for row in errors] == [UNREADABLE], errors
    largest = after.ru_maxrss / 1024  # Linux gives KiB.
    print(f"{count} persons, {len(days)} days, {sum(int(day['steps']) for day in days)} steps, 1 unreadable log: each once, after "
          f"{kills} killed jobs and a killed Snakemake ({done} logs done)\n"
          f"{wall:.0f} s, {processor / 3600:.3f} core hours, {sum(map(place.size, studies())):,} bytes of study files, "
          f"{largest:.0f} MB in the largest process, {sum(map(place.size, ['persons.csv', 'days.csv', 'errors.csv'])):,} bytes of tables")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--store"]
    footfall, count = os.path.abspath(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 100
    random.seed(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        simulate(footfall, folder / "study", count)
        plain = folder / "plain"
        subprocess.run([footfall, "analyze", folder / "study", "--tables", plain, "--output", "ndjson"], capture_output=True)
        subprocess.run([footfall, "summarize", plain, "--persons", folder / "who.csv"], check=True, capture_output=True)
        if "--store" in sys.argv:
            with moto(folder) as endpoint:
                prove(footfall, Store(folder, endpoint), folder, count)
        else:
            prove(footfall, Folders(folder), folder, count)


main()
