"""Golden tests: pytest also explains assertions that fail in the shared helper."""

import pytest

pytest.register_assert_rewrite("golden_files")
