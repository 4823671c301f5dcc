# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Work on several cores for tests that are called one after another: while one waits for its result, the next are under way."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor


class Ahead:
    """`work(key)` is called in other processes, for the key that is asked for and those that follow it in `keys`."""

    def __init__(self, work: Callable, keys: Sequence):
        self.work, self.keys = work, list(keys)
        self.jobs = int(os.environ.get("JOBS") or os.cpu_count() or 1)
        self.pool: ProcessPoolExecutor | None = None
        self.futures: dict[object, Future] = {}

    def result(self, key):
        if self.pool is None:
            self.pool = ProcessPoolExecutor(self.jobs, mp_context=multiprocessing.get_context("fork"))
        at = self.keys.index(key)
        for near in self.keys[at : at + 2 * self.jobs]:
            if near not in self.futures:
                self.futures[near] = self.pool.submit(self.work, near)
        return self.futures[key].result()

    def close(self) -> None:
        if self.pool:
            self.pool.shutdown(cancel_futures=True)
