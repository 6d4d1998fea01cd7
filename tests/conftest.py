"""All tests: a Ctrl-C that a test sends arrives."""

import signal


def pytest_configure():
    # A shell script's background job ignores SIGINT, and so would all that pytest starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
