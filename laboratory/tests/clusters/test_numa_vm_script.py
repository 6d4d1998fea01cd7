"""laboratory/numa-vm/run itself: exit codes, output, refusals, and that nothing is left."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from numa_vm import RUN


def start(*words: str, folder: Path, **env: str) -> subprocess.Popen:
    """Starts the script with `folder` for temporary files."""
    return subprocess.Popen(
        [RUN, *words],
        env=os.environ | {"TMPDIR": str(folder), "TIMEOUT": "100"} | env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(started: subprocess.Popen, folder: Path) -> tuple[int, str, str]:
    """Exit code, output, errors. Skips the test if the script reports that something is missing."""
    output, errors = started.communicate(timeout=110)
    assert list(folder.iterdir()) == []
    if started.returncode == 3:
        pytest.skip(errors.strip())
    return started.returncode, output, errors


def machines_of(folder: Path) -> list[str]:
    """Virtual machines whose serial ports are below a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes()
        except OSError:
            continue
        found += [path.parent.name] if b"qemu-system" in command and str(folder).encode() in command else []
    return found


def test_output_errors_and_exit_code_are_the_commands(tmp_path):
    words = 'echo "two  words"; echo lost >&2; cat /sys/devices/system/node/node*/cpulist; exit 7'
    assert ended(start("--", "sh", "-c", words, folder=tmp_path), tmp_path) == (
        7,
        "two  words\n0-3\n4-7\n",
        "lost\n",
    )


@pytest.mark.parametrize(("end", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interruption_leaves_no_machine_and_no_file(tmp_path, end, code):
    started = start("--", "sleep", "1000", folder=tmp_path)
    deadline = time.monotonic() + 60
    while started.poll() is None and not machines_of(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    started.send_signal(end)
    assert ended(started, tmp_path)[0] == code
    assert machines_of(tmp_path) == []


def test_what_takes_too_long_is_ended_with_124(tmp_path):
    code, _, errors = ended(start("--", "sleep", "1000", folder=tmp_path, TIMEOUT="2"), tmp_path)
    assert code == 124
    assert errors.endswith("numa-vm: not done after 2 s (TIMEOUT)\n")
    assert machines_of(tmp_path) == []


def test_a_machine_that_does_not_boot_in_time_is_ended_with_125(tmp_path):
    code, output, errors = ended(start("--", "echo", "hi", folder=tmp_path, BOOT_TIMEOUT="1"), tmp_path)
    assert (code, output) == (125, "")
    assert "numa-vm: not booted after 1 s" in errors
    assert machines_of(tmp_path) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "found no command; expected -- COMMAND"),
        (["--"], "found no command; expected -- COMMAND"),
        (["--fast", "--", "true"], "found '--fast'; expected [--smt]"),
        (["--add", "/nowhere", "--", "true"], "--add '/nowhere': no such file"),
    ],
)
def test_a_wrong_command_line_is_refused(tmp_path, words, sentence):
    code, output, errors = ended(start(*words, folder=tmp_path), tmp_path)
    assert (code, output) == (2, "")
    assert sentence in errors


def refused(folder: Path, *, tools: tuple[str, ...], **env: str) -> str:
    """The error, with exit code 3, if the script finds only these programs."""
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    for name in ("bash", "dirname", "mktemp", "rm", *tools):
        (bin_folder / name).symlink_to(f"/usr/bin/{name}")
    started = start("--", "true", folder=folder, PATH=str(bin_folder), **env)
    _, errors = started.communicate(timeout=20)
    assert started.returncode == 3
    return errors


def test_a_missing_qemu_is_named_with_the_way_to_get_it(tmp_path):
    sentence = "numa-vm: qemu-system-x86_64 was not found; run scripts/setup --lab\n"
    assert refused(tmp_path, tools=()) == sentence


def test_a_missing_kernel_is_named_with_the_way_to_get_it_and_not_downloaded(tmp_path):
    cache = tmp_path / "cache"
    fetch = RUN.with_name("fetch")
    sentence = f"numa-vm: no kernel and busybox in {cache}; run {fetch} (scripts/setup --lab does)\n"
    assert refused(tmp_path, tools=("qemu-system-x86_64",), CW_LAB_CACHE=str(cache)) == sentence
    assert not cache.exists()


def test_corewise_lab_run_boots_it_with_the_same_options(lab_folder, tmp_path):
    (tmp_path / "word").write_text("there\n")
    script = "cat word; cat /sys/devices/system/cpu/cpu0/topology/thread_siblings_list; exit 7"
    words = ("run", "numa-vm", "--smt", "--add", str(tmp_path / "word"), "--", "sh", "-c", script)
    assert lab_folder.lab(*words, expect=7).stdout == "there\n0-1\n"
