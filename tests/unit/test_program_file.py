"""What corewise reads in a program's file: a script that binds, and the library that starts threads."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from corewise.start.program_file import read_program

PTHREAD = """
#include <pthread.h>
static void *work(void *p) { return p; }
int main(void) { pthread_t t; return pthread_create(&t, 0, work, 0); }
"""
STD_THREAD = "#include <thread>\nint main() { std::thread([] {}).join(); }\n"
THRD = """
#include <threads.h>
static int work(void *p) { return !p; }
int main(void) { thrd_t t; return thrd_create(&t, work, 0); }
"""
OPENMP = "int main(void) {\n#pragma omp parallel\n  { }\n  return 0;\n}\n"


@pytest.mark.parametrize(
    ("compiler", "suffix", "text", "flags", "threads"),
    [
        ("gcc", "c", PTHREAD, ["-pthread"], "pthread_create"),
        ("g++", "cpp", STD_THREAD, ["-pthread"], "std::thread"),
        ("gcc", "c", THRD, ["-pthread"], "thrd_create"),
        ("gcc", "c", OPENMP, ["-fopenmp"], None),  # OMP_NUM_THREADS gives their number
        ("gcc", "c", "int main(void) { return 0; }\n", [], None),
    ],
)
def test_what_starts_threads_is_named(tmp_path, compiler, suffix, text, flags, threads):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    source = tmp_path / f"program.{suffix}"
    source.write_text(text)
    program = str(tmp_path / "program")
    subprocess.run([compiler, *flags, str(source), "-o", program], check=True, timeout=60)
    found = read_program(program, [])
    assert (found.threads, found.is_script) == (threads, False)


@pytest.mark.parametrize(
    ("text", "binds_by"),
    [
        ('exec taskset -c 0 "$@"\n', "taskset"),
        ("# numactl was here\nexport GOMP_CPU_AFFINITY=0\n", "GOMP_CPU_AFFINITY"),
        ('source ./settings\nexec "$@"\n', None),
    ],
)
def test_a_script_is_told_with_what_it_binds_by(tmp_path, text, binds_by):
    script: Path = tmp_path / "bind"
    script.write_text(f"#!/bin/sh\n{text}")
    assert read_program(str(script), ["./app"]).binds_by == binds_by
    for words in ([str(script), "./app"], ["-e", str(script)], ["-c", text]):
        found = read_program("/bin/bash", words)
        assert (found.is_script, found.binds_by) == (True, binds_by)


def test_a_file_that_cannot_be_read_says_nothing(tmp_path):
    (tmp_path / "empty").touch()
    for path in (tmp_path / "empty", tmp_path / "nowhere"):
        found = read_program(str(path), [])
        assert (found.is_script, found.threads) == (False, None)
