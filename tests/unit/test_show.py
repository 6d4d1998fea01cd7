"""corewise show on matrices: the keys that scripts read, the text, refusals."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError


def show(*arguments: str):
    result = CliRunner().invoke(cli, ["show", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def matrix(tmp_path) -> str:
    """Four ranks: 0 and 1 exchange 8 bytes, 2 sends 5 to 3 and 4 to itself, 1 sends 2 to 2."""
    path = tmp_path / "m.txt"
    path.write_text("0 8 0 0\n8 0 2 0\n0 0 4 5\n0 0 0 0\n")
    return str(path)


def test_json_has_the_contracts_keys(matrix):
    document = json.loads(show("--json", "--ranks-per-node", "2", matrix).stdout)
    assert (document["n_ranks"], document["bytes"], document["messages"]) == (4, 23, 4)
    assert (document["self_bytes"], document["complete"]) == (4, True)
    assert document["phases"] == [{"repeat": 1, "bytes": 23, "messages": 4}]
    # Between nodes 2 bytes in 1 message; within 8 + 8 + 5 and, in the ratio alone, 4 to itself: 4 messages.
    assert document["ratio"]["ranks_per_node"] == 2
    assert document["ratio"]["inter_over_intra_bytes"] == pytest.approx(2 / 25)
    assert document["ratio"]["inter_over_intra_messages"] == pytest.approx(1 / 4)


def test_a_matrix_without_nodes_has_no_ratio(matrix):
    assert json.loads(show("--json", matrix).stdout)["ratio"] is None
    assert "give --ranks-per-node K" in show(matrix).stdout


def test_text_has_totals_map_and_pairs(matrix):
    text = show("--ranks-per-node", "2", matrix).stdout
    assert "traffic    23 B in 4 messages between ranks" in text
    assert "ratio      0.080 of bytes, 0.250 of messages" in text
    assert " 0   @@\n" in text
    assert "    0    1    8 B         1        34.8 %" in text


def test_json_alone_is_on_standard_output(matrix, tmp_path):
    result = show("--json", "--png", str(tmp_path / "m.png"), matrix)
    assert json.loads(result.stdout)["name"] == "m.txt"
    assert "wrote" in result.stderr


def test_more_ranks_a_node_than_there_are_make_one_node(matrix):
    ratio = json.loads(show("--json", "--ranks-per-node", str(10**20), matrix).stdout)["ratio"]
    assert (ratio["ranks_per_node"], ratio["inter_over_intra_bytes"]) == (10**20, 0)


def test_no_ranks_on_a_node_is_refused(matrix):
    with pytest.raises(InputError, match="0 ranks a node; expected 1 or more"):
        show("--ranks-per-node", "0", matrix)


def test_without_colours_a_terminal_gets_the_shading_characters(matrix):
    terminal = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    shown = {
        forbidden: CliRunner().invoke(cli, ["show", matrix], env=terminal | {"NO_COLOR": forbidden}).stdout
        for forbidden in ("", "1")
    }
    assert "▀" in shown[""]
    assert "▀" not in shown["1"]
    assert "log scale: '.' from" in shown["1"]
