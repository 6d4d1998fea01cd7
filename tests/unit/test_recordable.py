"""Programs that can't be recorded are refused before they run: small programs, linked in every way."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.start.program_file import doubt_of, read_elf, refuse_unrecordable

COMPILER = shutil.which("cc")
CALL = "int {0}(void); int main(void) {{ return {0}(); }}".format
NAMES = ("MPI_Init", "MPI_Init_thread", "MPI_Session_init", "mpi_init_f08_")


@pytest.fixture
def built(tmp_path):
    """`built(source, *flags)` compiles a program from this C source."""
    if COMPILER is None:
        pytest.skip("no C compiler (cc) here")

    def build(source: str, *flags: str, name: str = "program") -> str:
        text = tmp_path / f"{name}.c"
        text.write_text(source)
        out = tmp_path / name
        subprocess.run([COMPILER, str(text), "-o", str(out), *flags], check=True, timeout=60)
        return str(out)

    return build


@pytest.fixture
def mpi(built, tmp_path) -> tuple[str, ...]:
    """Flags that link a program with a library that defines functions with MPI's names."""
    text = "".join(f"int {name}(void) {{ return 0; }}\n" for name in NAMES)
    return built(text, "-shared", "-fPIC", name="libmpi_test.so"), f"-Wl,-rpath,{tmp_path}"


def test_a_static_program_is_refused(built):
    program = built("void _start(void) { for (;;); }", "-static", "-nostdlib")
    with pytest.raises(InputError, match="is linked statically.*without -static"):
        refuse_unrecordable(program)


@pytest.mark.parametrize("name", ["MPI_Init", "MPI_Init_thread", "MPI_Session_init", "mpi_init_"])
def test_a_program_that_holds_mpi_itself_is_refused(built, name):
    with pytest.raises(InputError, match="holds the MPI library itself"):
        refuse_unrecordable(built(f"int {name}(void) {{ return 0; }} int main(void) {{ return {name}(); }}"))


@pytest.mark.parametrize("name", ["MPI_Init", "MPI_Init_thread", "MPI_Session_init", "mpi_init_f08_", "puts"])
def test_other_programs_are_taken(built, mpi, name):
    refuse_unrecordable(built(CALL(name), *mpi))


def test_a_stripped_library_still_says_what_it_defines(built, tmp_path):
    library = built("int MPI_Init(void) { return 0; }", "-shared", "-fPIC", "-s", name="lib.so")
    elf = read_elf(Path(library), frozenset({"MPI_Init", "MPI_Send"}))
    assert elf.defined == {"MPI_Init"}


def test_what_a_program_wants_of_others_is_not_defined_by_it(built, mpi):
    elf = read_elf(Path(built(CALL("MPI_Init"), *mpi)), frozenset({"MPI_Init"}))
    assert (elf.is_static, elf.defined) == (False, frozenset())


@pytest.mark.parametrize("text", [b"", b"#!/bin/sh\n", b"\x7fELF\x02\x01", b"\x7fELF\x01" + bytes(100)])
def test_a_script_and_a_broken_file_are_taken(tmp_path, text):
    path = tmp_path / "program"
    path.write_bytes(text)
    refuse_unrecordable(str(path))


def test_every_cut_of_a_program_is_read_without_a_fault(built, mpi, tmp_path):
    whole = Path(built(CALL("MPI_Init"), *mpi, "-s")).read_bytes()
    cut = tmp_path / "cut"
    for n_bytes in range(0, len(whole), 97):
        cut.write_bytes(whole[:n_bytes])
        read_elf(cut, frozenset({"MPI_Init"}))  # must not raise
    assert read_elf(cut, frozenset({"MPI_Init"})) is None  # the sections, which are needed, are at the end


@pytest.mark.parametrize(
    ("program", "option"),
    [
        ("/usr/bin/apptainer", "--bind /opt/corewise/native"),
        ("podman", "--volume /opt/corewise/native:/opt/corewise/native --env-host"),
    ],
)
def test_a_container_is_named_as_a_doubt(program, option):
    assert doubt_of("/usr/bin/mpi_program", "/opt/corewise/native/lib.so") is None
    name = Path(program).name
    assert doubt_of(program, "/opt/corewise/native/lib.so") == (
        f"'{name}' starts a container, and its program is recorded only if the container has the preload "
        f"library and the environment of the ranks; add to '{name}':  {option}"
    )
