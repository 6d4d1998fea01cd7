"""Accepted host names: in the files of a launcher they change no other field."""

from __future__ import annotations

import re

import pytest
from corewise.errors import InputError
from corewise.launchers import EXPORTED, LAUNCHERS, Injection, Job, parse_command
from corewise.launchers.hosts import Host, host_file, host_list
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from hypothesis import example, given
from hypothesis import strategies as st

ALL = LAUNCHERS | EXPORTED

# Names of all kinds: valid ones, any text, and text with characters that files and command lines interpret.
SOUND_NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True)
NAMES = (
    SOUND_NAMES | st.text(max_size=12) | st.text("an0.-_ :,=+@#/^*\t\n\r\v\x1c\x85\u2028'\"\\", max_size=8)
)


def accepted(name: str) -> bool:
    try:
        return Host(name).name == name
    except InputError:
        return False


def plan(launcher: str, names: list[str]) -> LaunchPlan:
    """Two ranks on the first host, two on the second."""
    command = parse_command([*ALL[launcher].start, "./app"], ALL[launcher].options)
    cores = [[0], [1], [0], [1]]
    placement = Placement("m", "f", ["f", "f"], [0, 0, 1, 1], cores, cores)
    family = ALL[launcher].families[0]
    return ALL[launcher].plan(placement, Job(command, names, "/job", Injection("/bind"), "user", family))


def fields(text: str) -> list[int]:
    """The number of words, values and list entries in each line."""
    return [len(re.split(r"[\s=:,]", line)) for line in text.splitlines()]


@pytest.mark.parametrize("launcher", ALL)
@given(names=st.lists(NAMES, min_size=2, max_size=2, unique=True))
@example(names=["-x", "b"])
@example(names=["a\nrank 0=b slot=0", "c"])
@example(names=["a b", "c"])
@example(names=["", "b"])
@example(names=["a,b", "c"])
@example(names=["a:2", "c"])
@example(names=["a#", "c"])
def test_no_accepted_host_name_changes_the_lines_or_fields_that_a_launcher_writes(launcher, names):
    plain = plan(launcher, ["a", "b"])
    if not all(map(accepted, names)):
        with pytest.raises(InputError, match="is no host name"):
            plan(launcher, names)
        return
    found = plan(launcher, names)
    assert found.files.keys() == plain.files.keys()
    for path in found.files:
        assert fields(found.files[path]) == fields(plain.files[path])
    assert [fields(word) for word in found.argv] == [fields(word) for word in plain.argv]
    assert not any(word.startswith("-") for word in names)


@given(names=st.lists(SOUND_NAMES, min_size=1, max_size=4, unique=True))
def test_accepted_names_are_read_back_from_lists_and_files(names):
    hosts = [Host(name) for name in names]
    assert host_list(",".join(names)) == hosts
    assert host_file("".join(f"{name}\n" for name in names)) == hosts
    assert host_list(",".join(f"{name}:3" for name in names)) == [Host(name, 3) for name in names]
    assert host_file("".join(f"{name} slots=3 # 4\n" for name in names)) == [Host(name, 3) for name in names]


@given(text=st.text(max_size=20))
def test_any_text_is_a_list_of_sound_names_or_refused(text):
    for read in (host_list, host_file):
        try:
            hosts = read(text)
        except InputError:
            continue
        assert all(re.fullmatch(r"[A-Za-z0-9._-]+", host.name) for host in hosts)


def test_a_name_may_be_as_long_as_the_domain_name_system_allows():
    assert accepted("a" * 253)
    assert not accepted("a" * 254)
