"""Lists of hosts with ranges: a folded list expands to the same names in the same order."""

from __future__ import annotations

import pytest
from corewise.text.node_list import expand_node_list, fold_host_words, fold_node_list
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("names", "folded"),
    [
        ("n1 n2 n3 n4", "n[1-4]"),
        ("n098 n099 n100 n7", "n[098-100,7]"),
        ("n8 n9 n10 n11", "n[8-11]"),
        ("n2 n1", "n[2,1]"),
        ("n1 gpu1 n2", "n1,gpu1,n2"),
        ("c1-ib0 c2-ib0", "c1-ib0,c2-ib0"),
        ("r1-mgmt r2-mgmt", "r[1-2]-mgmt"),
        ("login", "login"),
        ("n01 n2", "n[01,2]"),
        ("1 2 3", "[1-3]"),
    ],
)
def test_names_that_follow_each_other_are_a_range(names, folded):
    assert fold_node_list(names.split()) == folded
    assert expand_node_list(folded) == names.split()


@given(
    st.lists(
        st.from_regex(r"[a-z]{0,2}[0-9]{0,3}[a-z-]{0,2}[0-9]{1,3}[a-z]{0,1}", fullmatch=True), min_size=1
    )
)
def test_what_is_folded_expands_to_the_same_names(names):
    assert expand_node_list(fold_node_list(names)) == names


def test_only_lists_of_hosts_are_folded_in_a_command():
    words = [
        "mpirun",
        "-H",
        "n1,n2,n3",
        "--mca",
        "btl",
        "self,vader",
        "--cpu-set",
        "0,1,2",
        "n1:2,n2:2",
        "--x=n1,n2",
    ]
    assert fold_host_words(words) == [*words[:2], "n[1-3]", *words[3:]]
