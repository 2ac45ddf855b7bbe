# Runs the tests of one folder after the other, each in a process of its own that has pytest already.
# Stdin: a JSON object a line, {"folder", "tests"}. Stdout: one a line, {"failed": [files]}, or null if it did not end well.

import json
import os
import signal
import sys

import pytest

TIMEOUT_S = 30
OPTIONS = ["-q", "--tb=no", "--rootdir=.", "-p", "no:cacheprovider"]


class Failures:
    def __init__(self):
        self.files = set()

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.files.add(report.nodeid.split("::")[0])

    def pytest_collectreport(self, report):
        if report.failed:
            self.files.add(report.nodeid.split("::")[0])


def run(folder, tests):
    os.chdir(folder)
    sys.path.insert(0, folder)
    failures = Failures()
    pytest.main([*OPTIONS, *tests], plugins=[failures])
    return {"failed": sorted(failures.files)}


def graded(job):
    there, here = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(TIMEOUT_S)
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            os.write(here, json.dumps(run(**job)).encode())
        finally:
            os._exit(0)
    os.close(here)
    with os.fdopen(there) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else None


for line in sys.stdin:
    print(json.dumps(graded(json.loads(line))), flush=True)
