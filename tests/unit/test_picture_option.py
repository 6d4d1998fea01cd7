"""--picture in every command that draws. Earlier spellings work and mention it."""

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
    ("words", "note"),
    [
        (["show", "square.txt", "--png", "out"], "--png is now --picture FILE.png"),
        (["topo", "--machine", "draco:1", "--svg", "out"], "--svg is now --picture FILE.svg"),
    ],
)
def test_an_earlier_spelling_works_and_names_the_new_one(square, words, note):
    done = call(*words)
    assert done.exit_code == 0 and f"corewise: note: {note}\n" in done.stderr
    assert (square / "out").read_bytes()[:4] in (b"\x89PNG", b"<?xm")
    assert words[2] not in call(words[0], "--help").stdout.split()
