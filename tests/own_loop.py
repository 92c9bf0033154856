"""Coroutines run to their end beside a browser, whose driver keeps a loop in the tests' thread."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def run(coroutine: Coroutine, loop_factory: Callable | None = None) -> Any:
    """Do what `asyncio.run` does, in a thread of its own, which also ends the loop."""

    def run_it() -> Any:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            return runner.run(coroutine)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run_it).result()
