"""Test tasks on an executor: each has one result, and who kills its worker is found."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial

import pytest

from ledger.errors import LedgerError
from ledger.processes import worker_processes
from ledger.tasks import OwnExecutor, Tasks, Workers


def work(task: str) -> str:
    """Do as the task says: fail, die, or return it."""
    if task == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if task == "fail":
        raise ValueError(task)
    return f"{os.getpid()} {task}"


@contextmanager
def own():
    yield Workers(OwnExecutor(), 1)


def results(begin, tasks):
    return dict(Tasks(begin, work, tasks).run())


def test_each_task_has_its_result_or_its_error():
    done = results(own, ["a", "fail", "b"])
    assert (done["a"].split()[1], done["b"].split()[1], str(done["fail"])) == ("a", "b", "fail")


def test_tasks_are_asked_for_as_workers_become_free():
    asked = []

    def tasks():
        for task in "abc":
            asked.append(task)
            yield task

    for task, _ in Tasks(own, work, tasks()).run():
        assert asked[-1] == task


@pytest.mark.slow
@pytest.mark.parametrize("tasks", [["die"], ["a", "die", "b", "c"], ["die", "a", "b", "die "]])
def test_task_that_kills_its_worker_is_the_only_one_without_a_result(tasks):
    done = results(partial(worker_processes, 2), tasks)
    assert {task for task, result in done.items() if isinstance(result, BaseException)} == {"die"}
    assert set(done) == set(tasks)


@pytest.mark.slow
def test_killed_worker_costs_nothing_but_time():
    killed = []
    for _, result in Tasks(partial(worker_processes, 2), work, map(str, range(12))).run():
        assert not isinstance(result, BaseException)
        if not killed:
            killed.append(int(result.split()[0]))
            os.kill(killed[0], signal.SIGKILL)
    assert killed


def test_workers_that_are_gone_end_the_run():
    class Cancelling(OwnExecutor):
        def submit(self, work, /, *args, **kwargs):
            future = Future()
            future.cancel()
            future.set_running_or_notify_cancel()
            return future

    @contextmanager
    def cancelling():
        yield Workers(Cancelling(), 1)

    with pytest.raises(LedgerError, match="the workers are gone before all was done"):
        results(cancelling, ["a"])


SLEEPER = """
import os, time
from ledger.processes import worker_processes
if __name__ == "__main__":
    with worker_processes(1) as workers:
        print(workers.executor.submit(os.getpid).result(), flush=True)
        workers.executor.submit(time.sleep, 60)
        time.sleep(60)
"""


@pytest.mark.slow
def test_processes_end_with_the_one_that_began_them(tmp_path):
    script = tmp_path / "sleeper.py"
    script.write_text(SLEEPER)
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    worker = int(process.stdout.readline())
    process.kill()
    process.communicate()
    for _ in range(100):
        if not os.path.exists(f"/proc/{worker}"):
            return
        time.sleep(0.1)
    pytest.fail("the worker lives on")
