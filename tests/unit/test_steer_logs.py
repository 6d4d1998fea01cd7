"""Logs of a steered run: paths are checked before the start, no file is overwritten, no log is lost."""

from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.start.folder import working_directory
from corewise.steering.logs import check_log_target, held_place, holds_logs, keep_logs, unused_names


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing/app.steer-log", "No such file or directory"),
        ("file/app.steer-log", "Not a directory"),
        ("x" * 300, "File name too long"),
        ("file", "already exists"),
        ("folder", "already exists"),
        ("link", "already exists"),
    ],
)
def test_a_place_where_no_log_can_be_made_is_refused(tmp_path, name, reason):
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError, match=f"{reason}.*choose another name with -o") as refused:
        check_log_target(tmp_path / name)
    assert "\n" not in str(refused.value)
    assert sorted(tmp_path.iterdir()) == before


def test_looking_at_the_place_leaves_nothing_there(tmp_path):
    check_log_target(tmp_path / "app.steer-log")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("log", "names"),
    [
        ("corewise.steer-log", ["corewise.steer-log", "corewise-2.steer-log", "corewise-3.steer-log"]),
        ("log", ["log", "log-2", "log-3"]),
    ],
)
def test_further_logs_have_the_names_of_further_runs(tmp_path, log, names):
    found = unused_names(tmp_path / log)
    assert [next(found).name for _ in names] == names


def made_log(folder: Path, name: str, node: int, begin_ns: int) -> None:
    lines = ["corewise-steer-log 2", "core id=0 pus=0", f"settings node={node} dry_run=0"]
    (folder / name).write_text("\n".join([*lines, f"tick number=1 time_ns={begin_ns}", "decide", ""]))


def test_logs_are_in_order_of_node_then_of_time_and_names_that_are_taken_stay(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    # The second leader of n9 took number 2, which the first leader had given up. So its log 2 is later than
    # log 3.
    made_log(folder, "n10.steer-log", 1, 5)
    made_log(folder, "n9-3.steer-log", 0, 600)
    made_log(folder, "n9.steer-log", 0, 50)
    made_log(folder, "n9-2.steer-log", 0, 7000)
    (tmp_path / "app-3.steer-log").write_text("of another run")
    with held_place(tmp_path / "app.steer-log") as place:
        kept, sentences = keep_logs(folder, tmp_path / "app.steer-log", place)
    names = ["app.steer-log", "app-2.steer-log", "app-4.steer-log", "app-5.steer-log"]
    assert ([path.name for path in kept], sentences) == (names, [])
    assert [path.read_text().split("time_ns=")[1].split()[0] for path in kept] == ["50", "600", "7000", "5"]
    assert (tmp_path / "app-3.steer-log").read_text() == "of another run"
    assert not holds_logs(folder)


def test_a_log_that_can_not_be_moved_stays_and_so_does_its_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with working_directory(holds_logs) as folder:
        made_log(folder, "n0.steer-log", 0, 50)
        (tmp_path / "gone").mkdir()
        with held_place(tmp_path / "gone" / "app.steer-log") as place:
            (tmp_path / "gone").rmdir()
            kept, (sentence,) = keep_logs(folder, tmp_path / "gone" / "app.steer-log", place)
    assert kept == [folder / "n0.steer-log"] and kept[0].read_text().endswith("decide\n")
    assert sentence.startswith(f"{tmp_path}/gone/app.steer-log: could not be written (No such file")
    assert str(kept[0]) in sentence and "\n" not in sentence


def test_a_folder_without_logs_is_removed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with working_directory(holds_logs) as folder:
        (folder / "settings").touch()
    assert not list(tmp_path.iterdir())


def test_a_log_goes_to_the_folder_that_was_held_and_follows_no_link(tmp_path):
    for name in ("run", "mine", "victim"):
        (tmp_path / name).mkdir()
    made_log(tmp_path / "run", "n0.steer-log", 0, 50)
    log = tmp_path / "mine" / "app.steer-log"
    with held_place(log) as place:
        (tmp_path / "mine").rename(tmp_path / "moved")
        (tmp_path / "mine").symlink_to(tmp_path / "victim")
        keep_logs(tmp_path / "run", log, place)
    assert not list((tmp_path / "victim").iterdir())
    assert (tmp_path / "moved" / "app.steer-log").read_text().endswith("decide\n")
