"""All tests: signals that a test sends arrive, and Hypothesis times no example: machines are loaded."""

import signal

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_configure():
    # A shell script's background job ignores SIGINT, what nohup(1) starts SIGHUP. So would all that pytest
    # starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
