"""--picture in every command that draws; --png and --svg, which scripts use, where they have a form."""

import pytest
from click.testing import CliRunner
from corewise.cli import cli

BEGINS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF-"}


@pytest.fixture
def square(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "square.txt").write_text("0 5\n5 0\n")
    return tmp_path


def call(*words: str):
    return CliRunner().invoke(cli, words, prog_name="corewise", catch_exceptions=False)


@pytest.mark.parametrize("form", BEGINS)
def test_a_picture_is_what_its_ending_says(square, form):
    assert call("show", "square.txt", "--picture", f"m.{form}").exit_code == 0
    assert (square / f"m.{form}").read_bytes().startswith(BEGINS[form])


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        (["show", "square.txt", "--png", "out"], b"\x89PNG"),
        (["topo", "--machine", "draco:1", "--svg", "out"], b"<?xml"),
    ],
)
def test_a_form_is_asked_for_by_a_hidden_option_whatever_the_file_is_called(square, words, begins):
    assert call(*words).exit_code == 0
    assert (square / "out").read_bytes().startswith(begins)
    assert words[-2] not in call(words[0], "--help").stdout.split()
