"""Damaged files of every format: an error of one sentence, no traceback or crash, below 10 s and 2 GB.

CW_FUZZ_FILES=500 tests this number of files of each format. By default a few are tested, always the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz_cases import FORMATS, damaged
from fuzz_runs import assert_only_sentences


@pytest.mark.parametrize("form", FORMATS)
def test_no_damaged_file_is_more_than_a_sentence(form, tmp_path):
    assert_only_sentences(Path(__file__).with_name("fuzz_drive.py"), form, tmp_path)


def test_the_same_number_is_the_same_file_and_most_files_differ():
    for form in FORMATS:
        assert damaged(form, 3) == damaged(form, 3)
        assert len({damaged(form, number) for number in range(20)}) > 10
