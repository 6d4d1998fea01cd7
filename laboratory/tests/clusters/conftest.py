"""Fixtures of the lab's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from clusters import LabFolder, temporary_lab_folder


@pytest.fixture
def lab_folder() -> Iterator[LabFolder]:
    with temporary_lab_folder() as folder:
        yield folder
