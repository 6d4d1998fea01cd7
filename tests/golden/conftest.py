"""Golden tests: a failed comparison shows the difference, also where the shared helper makes it."""

import pytest

pytest.register_assert_rewrite("golden_files")
