"""The folder with the shared memory of a steered job is removed from each host at the end."""

import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from corewise.errors import MissingError
from corewise.nouns.launch_plan import LaunchPlan
from corewise.steering import run as steer_run
from corewise.steering.run import SHARED_FOLDER, shared_folder

OTHERS = ["n0.invalid", "n1.invalid"]


def on_hosts(hosts: list[str], started: list[list[str]], argv: list[str] | None = None):
    """An application whose launcher starts one program here; `argv` replaces its command."""

    def plan(program: list[str], directory: str) -> LaunchPlan:
        started.append(program)
        return LaunchPlan(argv or program, {}, {f"{directory}/hosts": ""})

    return SimpleNamespace(hosts=hosts, host_names=hosts, plan_on_each_host=plan)


def test_on_one_host_it_is_a_private_folder_and_nothing_is_started(tmp_path):
    started = []
    with shared_folder(on_hosts(["localhost"], started), "job", tmp_path) as shared:
        (Path(shared.path) / "corewise-job-n0.slots").touch()
        assert Path(shared.path).parent == Path(SHARED_FOLDER)
    assert not Path(shared.path).exists() and not started


@pytest.fixture
def files(monkeypatch, tmp_path) -> list[Path]:
    """Files of the job "a1" and of another job, in a folder that replaces SHARED_FOLDER."""
    folder = tmp_path / "shm"
    folder.mkdir()
    monkeypatch.setattr(steer_run, "SHARED_FOLDER", str(folder))
    made = [folder / name for name in ("corewise-a1-n0.slots", "corewise-a1-n0.journal", "corewise-a12-n0")]
    for path in made:
        path.touch()
    return made


def test_on_other_hosts_a_process_removes_the_files_of_this_job_alone(files, tmp_path):
    started = []
    with shared_folder(on_hosts(OTHERS, started), "a1", tmp_path):
        pass
    assert [path.exists() for path in files] == [False, False, True]
    # as the command does on each host
    for path in files:
        path.touch()
    subprocess.run(started.pop(), check=True)
    assert [path.exists() for path in files] == [False, False, True] and not started


def test_where_all_hosts_are_this_one_nothing_is_started(files, tmp_path):
    started = []
    with shared_folder(on_hosts(["localhost", "127.0.0.1"], started), "a1", tmp_path):
        pass
    assert [path.exists() for path in files] == [False, False, True] and not started


def test_where_every_rank_reached_the_end_nothing_is_started(files, tmp_path):
    started = []
    with shared_folder(on_hosts(OTHERS, started), "a1", tmp_path) as shared:
        shared.is_clean = True
    assert not started


def test_an_interrupted_job_is_cleaned_up_behind(files, tmp_path):
    with pytest.raises(KeyboardInterrupt), shared_folder(on_hosts(OTHERS, []), "a1", tmp_path):
        raise KeyboardInterrupt
    assert not files[0].exists()


def test_a_host_that_does_not_answer_is_not_waited_for(files, tmp_path, monkeypatch):
    monkeypatch.setattr(steer_run, "CLEAN_UP_S", 0.2)
    begin = time.monotonic()
    with shared_folder(on_hosts(OTHERS, [], ["sleep", "60"]), "a1", tmp_path):
        pass
    assert time.monotonic() - begin < 10


@pytest.mark.parametrize("argv", [["false"], ["no-such-launcher"]])
def test_a_clean_up_that_fails_is_not_told(files, tmp_path, argv):
    with shared_folder(on_hosts(OTHERS, [], argv), "a1", tmp_path):
        pass


def test_nor_is_a_launcher_that_can_not_start_one_on_each_host(files, tmp_path):
    def plan(program, directory):
        raise MissingError("not here")

    application = SimpleNamespace(hosts=OTHERS, host_names=OTHERS, plan_on_each_host=plan)
    with shared_folder(application, "a1", tmp_path):
        pass
