"""Run many independent tasks on any `concurrent.futures.Executor`: processes of this machine, or those of a cluster.

A worker that dies takes the tasks with it that were under way. They are run again one by one, so that the one that
kills its worker is found, and is the only one without a result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import AbstractContextManager
from typing import Generic, NamedTuple, ParamSpec, TypeVar

from ledger.errors import LedgerError

T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")
Done = tuple[T, R | BaseException]


class Workers(NamedTuple):
    """Who does tasks, and how many should be handed out at once, so that nobody waits."""

    executor: Executor
    most: int


class OwnExecutor(Executor):
    """Does each task in this process, when it is submitted."""

    def submit(self, work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Do a task, and return its result as a future that is done."""
        future = Future[R]()
        try:
            future.set_result(work(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


Begin = Callable[[], AbstractContextManager[Workers]]


class Tasks(Generic[T, R]):
    """Tasks and the workers that do them."""

    def __init__(self, begin: Begin, work: Callable[[T], R], tasks: Iterable[T]) -> None:
        """`begin` starts the workers, again after one died; `work` does one of `tasks` there and can be pickled.

        Tasks are asked for as workers become free.
        """
        self._begin, self._work = begin, work
        self._left = iter(tasks)
        self._suspects = deque[T]()  # that were under way when a worker died
        self._running = dict[Future[R], T]()

    def run(self) -> Iterator[Done[T, R]]:
        """Yield each task with its result, or with the error that it ended with, as they are done.

        Raises LedgerError if the workers are gone and cannot be started again.
        """
        goes_on = True
        while goes_on:
            with self._begin() as workers:
                try:
                    yield from self._one_by_one(workers)
                    yield from self._all_at_once(workers)
                    goes_on = False
                except BrokenExecutor as error:
                    if self._suspects:
                        yield self._suspects.popleft(), error
                    self._suspects.extend(self._running.values())
                except CancelledError as error:
                    hint = "What was written is kept: the same command does the rest."
                    raise LedgerError("the workers are gone before all was done", hint=hint) from error
                finally:
                    for future in self._running:
                        future.cancel()
                    self._running.clear()

    def _one_by_one(self, workers: Workers) -> Iterator[Done[T, R]]:
        """Do tasks one at a time: one may have killed its worker. Raises BrokenExecutor if the first does."""
        while self._suspects:
            result = _result(workers.executor.submit(self._work, self._suspects[0]))
            yield self._suspects.popleft(), result

    def _all_at_once(self, workers: Workers) -> Iterator[Done[T, R]]:
        """Do all other tasks, as many at once as there may be."""
        while True:
            while len(self._running) < workers.most and (task := next(self._left, None)) is not None:
                try:
                    self._running[workers.executor.submit(self._work, task)] = task
                except BrokenExecutor:
                    self._running[Future()] = task
                    raise
            if not self._running:
                return
            for future in wait(self._running, return_when=FIRST_COMPLETED).done:
                result = _result(future)
                yield self._running.pop(future), result


def _result(future: Future[R]) -> R | BaseException:
    """Return the result of a task or its error. Raises BrokenExecutor if a worker died, CancelledError if all did."""
    error = future.exception()
    if isinstance(error, BrokenExecutor | CancelledError):
        raise error
    return future.result() if error is None else error
