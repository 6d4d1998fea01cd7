"""Settings of all tests: signals arrive, Hypothesis has no time limit; --quick and --rest select tests."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick",
        action="store_true",
        help="run the first test of each file, with one MPI after the other in turn, and tests marked quick",
    )
    parser.addoption("--rest", action="store_true", help="run what --quick leaves out")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "quick: runs with --quick, too")
    config.addinivalue_line("markers", "thorough: doesn't run with --quick")
    config.addinivalue_line("markers", "alone: depends on times; runs by itself")
    # A background job of a shell script ignores SIGINT; a command started by nohup(1) ignores SIGHUP.
    # Processes that the tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    is_rest = config.getoption("--rest")
    if not is_rest and not config.getoption("--quick"):
        return
    by_file: dict[Path, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("thorough") is None:
            by_file.setdefault(item.path, []).append(item)
    quick = {item for turn, tests in enumerate(by_file.values()) for item in _quick(tests, turn)}
    config.hook.pytest_deselected(items=[item for item in items if (item in quick) is is_rest])
    items[:] = [item for item in items if (item in quick) is not is_rest]


def _quick(tests: list[pytest.Item], turn: int) -> list[pytest.Item]:
    """The first test of a file, in one variant if it is parametrized by MPI, and the tests marked quick.

    `turn` selects the MPI.
    """
    first = [test for test in tests if test.originalname == tests[0].originalname]
    case_of_mpi = {_mpi(test): test for test in reversed(first)}
    mpis = sorted(case_of_mpi, key=str)
    return [case_of_mpi[mpis[turn % len(mpis)]], *(t for t in tests if t.get_closest_marker("quick"))]


def _mpi(test: pytest.Item) -> str | None:
    return test.callspec.params.get("mpi") if hasattr(test, "callspec") else None
