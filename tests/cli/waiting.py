"""Waiting for what a process does."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path


def wait_until(holds: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until something holds; fails if the process ends before, or if a minute has passed."""
    until = time.monotonic() + 60
    while not holds():
        ended = process.poll() is not None
        assert holds() or not ended, f"the process ended first: {process.communicate()[1]}"
        assert time.monotonic() < until, "nothing happened within a minute"
        time.sleep(0.001)


def is_written(file: Path) -> bool:
    """Whether a file has begun."""
    return file.exists() and file.stat().st_size > 0
