"""Fixtures of the lab's tests."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from clusters import TIMEOUT_S, LabFolder


@pytest.fixture
def lab_folder() -> Iterator[LabFolder]:
    """A folder of the test's own; whatever the test left up in it is ended."""
    folder = LabFolder(Path(tempfile.mkdtemp(prefix="cwlab-")))
    yield folder
    folder.start("down").communicate(timeout=TIMEOUT_S)
    shutil.rmtree(folder.path, ignore_errors=True)
