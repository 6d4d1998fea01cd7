"""What corewise-mask writes, and how it is read; the environment after wrappers."""

from __future__ import annotations

import os
import subprocess

import pytest
from corewise.errors import InputError
from corewise.launchers.wrapper import environment_behind
from corewise.observe.seen_masks import mask_behind, read_mask
from corewise.start.programs import native
from corewise.start.this_node import own_id


def test_a_process_tells_its_rank_its_node_and_its_mask(tmp_path):
    subprocess.run(
        [native("corewise-mask"), str(tmp_path)], check=True, timeout=60, env=os.environ | {"PMI_RANK": "3"}
    )
    [path] = tmp_path.iterdir()
    seen = read_mask(path)
    assert (seen.rank, seen.id, seen.os_pus) == (3, own_id(), os.sched_getaffinity(0))


def test_the_program_says_what_it_can_t_write(tmp_path):
    done = subprocess.run(
        [native("corewise-mask"), str(tmp_path / "missing")], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "No such file or directory; every node must see that folder" in done.stderr


@pytest.mark.parametrize("text", ["", "corewise-mask 1\n", "corewise-mask 2\nrank 0\n"])
def test_another_file_is_refused_by_its_name(text, tmp_path):
    path = tmp_path / "n0-1.mask"
    path.write_text(text)
    with pytest.raises(InputError, match=r"n0-1\.mask: not as 'corewise-mask 1' writes it"):
        read_mask(path)


def test_the_mask_behind_a_wrapper_is_the_wrapper_s(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    last = max(os.sched_getaffinity(0))
    assert mask_behind(["taskset", "-c", str(last)]) == {last}
    assert mask_behind(["taskset", "-c", "no-list"]) == frozenset()
    assert not list(tmp_path.iterdir())


def test_env_sets_and_unsets_from_the_left():
    around = {"A": "1", "B": "1", "C": "1"}
    app = ["env", "-u", "A", "B=2", "nice", "env", "C=3", "app"]
    assert environment_behind(app, around) == {"B": "2", "C": "3"}
