"""Finds programs on this host: the launcher of a command, the MPI of a program, corewise's own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from corewise.errors import InputError, MissingError
from corewise.launchers import EXPORTED, LAUNCHERS, Command, Launcher
from corewise.launchers.mpi_family import STANDARD_ABI, family_among, family_name
from corewise.launchers.wrapper import unwrapped

BINDER = "corewise-bind"
PROBE_TIMEOUT_S = 20
OLDEST_SIMGRID = (3, 32)
SHELLS = frozenset({"bash", "csh", "dash", "ksh", "sh", "tcsh", "zsh"})

# Lines of libraries that are printed by jobs that work, too, for example
# `[host:1] ... unable to open mca_btl_openib: libibverbs.so.1: cannot open shared object file (ignored)`.
_HARMLESS = re.compile(r"\b(ignor(ed|ing)|info|notice|warn(ing)?)\b", re.I)
_LAST_WORD = re.compile(r"\bfatal\b", re.I)  # srun prints what it tried before


def find_launcher(executable: str) -> Launcher:
    """The launcher according to `executable --version`; starts only programs with the name of a launcher.

    Raises MissingError if it doesn't exist, InputError if it is no known launcher.
    """
    return launcher_and_version(executable)[0]


def launcher_and_version(executable: str, timeout_s: float = PROBE_TIMEOUT_S) -> tuple[Launcher, str]:
    """The launcher as of find_launcher(), and its version.

    Raises MissingError if it doesn't answer in `timeout_s`.
    """
    program = os.path.basename(executable)
    exported = [launcher.name for launcher in EXPORTED.values() if program in launcher.executables]
    # Distributions add suffixes: mpirun.openmpi, mpiexec.hydra, mpirun_rsh.
    name = re.split(r"[._-]", program)[0]
    known = dict.fromkeys(name for launcher in LAUNCHERS.values() for name in launcher.executables)
    if name not in known and exported:
        raise InputError(_only_exported(executable, exported[0]))
    if program in SHELLS or (name not in known and _is_job_script(executable)):
        kind = "shell" if program in SHELLS else "job script"
        raise InputError(
            f"'{executable}' is a {kind}; corewise takes the command in it: a launcher, its options, then "
            "the program, as in srun -n 4 ./app"
        )
    if name not in known:
        raise InputError(
            f"'{executable}' is no launcher that corewise knows by its name; expected {', '.join(known)}, "
            f"then its options, then the program (known launchers: {', '.join(LAUNCHERS)})"
        )
    if shutil.which(executable) is None:
        own = [launcher for launcher in LAUNCHERS.values() if name in launcher.executables]
        package = " or ".join(dict.fromkeys(launcher.package or launcher.name for launcher in own))
        raise MissingError(
            f"launcher '{executable}' was not found; install {package}, or give its path "
            f"(known launchers: {', '.join(LAUNCHERS)})"
        )
    answer = _answer_of([executable, "--version"], timeout_s)
    for launcher in LAUNCHERS.values():
        if launcher.version is not None and re.search(launcher.version, answer.stdout):
            return launcher, version_in(answer.stdout)
    if program not in known and exported:  # both MPICH and Intel MPI have mpiexec.hydra
        raise InputError(_only_exported(executable, exported[0]))
    said = reason_in(answer.stdout)[:80] or "nothing"
    if answer.returncode != 0:  # for example srun without a Slurm configuration
        raise MissingError(
            f"'{executable} --version' fails ({said}); it is installed, but not set up on this host"
        )
    raise InputError(
        f"'{executable}' is no launcher that corewise knows: --version says '{said}', "
        f"expected one of {', '.join(LAUNCHERS)}"
    )


def _is_job_script(path: str) -> bool:
    """Whether the file is a script for a shell or batch system, by its name or contents."""
    if re.search(r"\.(batch|job|lsf|pbs|sbatch|sh|slurm)$", path):
        return True
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!" and bool(
                re.search(rb"(?m)^#(SBATCH|PBS|BSUB|COBALT|\$) ", file.read(4096))
            )
    except OSError:
        return False


def _only_exported(executable: str, launcher: str) -> str:
    return (
        f"corewise starts nothing under '{executable}'; `corewise export --for {launcher}` writes the "
        "command for a placement"
    )


def launcher_version(executable: str) -> str:
    """The first version number that `executable --version` prints, such as "4.1.4"."""
    return version_in(output_of([executable, "--version"]))


def version_in(printed: str) -> str:
    """The first version number in a text; "unknown" without one."""
    number = re.search(r"\d+(\.\d+)+", printed)
    return number[0] if number else "unknown"


def find_smpirun(timeout_s: float = PROBE_TIMEOUT_S) -> tuple[str, tuple[int, ...]]:
    """SimGrid's smpirun and its version, such as (3, 32).

    Raises MissingError if it isn't found or doesn't answer in `timeout_s`, InputError if it is too old.
    """
    path = shutil.which("smpirun")
    if path is None:
        raise MissingError("smpirun was not found; install SimGrid (Debian: libsimgrid-dev)")
    words = re.search(r"\d+(\.\d+)+", output_of([path, "--version"], timeout_s))
    version = tuple(map(int, words[0].split("."))) if words else ()
    if version < OLDEST_SIMGRID:
        found = words[0] if words else "no version"
        raise InputError(f"{path} is SimGrid {found}; expected 3.32 or newer")
    return path, version


def native(name: str) -> str:
    """Path of one of corewise's own programs or libraries; raises MissingError if it was not built."""
    path = Path(__file__).parents[1] / "native" / name
    if not path.is_file():
        raise MissingError(
            f"{name} was not built here; install an MPI with its compiler wrapper and reinstall corewise"
        )
    return str(path)


def find_programs(command: Command, launcher: Launcher) -> list[str]:
    """Paths of the command's programs, after wrappers such as numactl.

    If a program after a wrapper is not found, because the wrapper may change the folder: the wrapper's path.
    Raises MissingError.
    """
    return [_find(program.app, command, launcher) for program in command.programs]


def _find(app: list[str], command: Command, launcher: Launcher) -> str:
    path = _found(app[0], command, launcher)
    if path is None:
        raise MissingError(f"program '{app[0]}' was not found; give its path")
    return _found(unwrapped(app)[0], command, launcher) or path


def _found(program: str, command: Command, launcher: Launcher) -> str | None:
    """The path at which the launcher would find the program; None if it would not."""
    options = launcher.options
    folders = [values[-1] for values in command.values(options.working_directory)]
    if folders and "/" in program:
        program = os.path.join(folders[-1], program)
    search = [values[-1] for values in command.values(options.search_path)]
    return shutil.which(program, path=search[-1] if search else None) or shutil.which(program)


def family_loaded(path: str) -> str | None:
    """The MPI family whose library the program loads; None for scripts and programs that load none."""
    return family_among(output_of(["ldd", path])) if shutil.which("ldd") else None


def family_of_all(command: Command, launcher: Launcher) -> str:
    """The MPI family of all programs of the command, except for scripts, which may start any.

    If all are scripts, it is the family of the launcher's own MPI. Raises InputError for several families,
    for one whose programs the launcher doesn't start, and for scripts if the launcher starts several.
    """
    programs = find_programs(command, launcher)
    loaded = {program: family_loaded(program) for program in programs}
    known = {program: family for program, family in loaded.items() if family is not None}
    if len(set(known.values())) > 1:
        both = " and ".join(f"'{program}' with {family_name(family)}" for program, family in known.items())
        raise InputError(f"{both}: built with different MPIs; expected programs of one MPI in a job")
    program = next(iter(known), programs[0])
    return _family_under(launcher, program, loaded[program])


def _family_under(launcher: Launcher, program: str, family: str | None) -> str:
    own = [name for name in launcher.families if name != STANDARD_ABI]
    if family is None and len(own) == 1:
        return own[0]
    if family is None:
        raise InputError(
            f"'{program}' loads no MPI library itself, and {launcher.name} starts programs of several "
            f"({', '.join(launcher.families)}); name the MPI program itself, not a script that starts it"
        )
    if family not in launcher.families:
        raise InputError(
            f"'{program}' was built with {family_name(family)}, but the launcher is {launcher.name}; "
            "start it with that MPI's own mpirun"
        )
    return family


def launcher_of(family: str) -> tuple[str, Launcher]:
    """A launcher of an MPI family: Debian's mpirun with a suffix, or mpirun if it is of that family.

    Raises MissingError if there is none.
    """
    for executable in (f"mpirun.{family}", "mpirun"):
        if shutil.which(executable) and family in (launcher := find_launcher(executable)).families:
            return executable, launcher
    raise MissingError(f"no mpirun of {family} was found; install {family}, or use another MPI")


def preload_of(family: str) -> str:
    """The preload library for programs of an MPI family; another family's would crash the job."""
    return native(f"libcorewise_pmpi_{family}.so")


def output_of(
    argv: list[str], timeout_s: float = PROBE_TIMEOUT_S, environment: Mapping[str, str] | None = None
) -> str:
    """The output of a command, including standard error; raises MissingError if it doesn't answer.

    `environment` replaces ours.
    """
    return _answer_of(argv, timeout_s, environment).stdout


def _answer_of(
    argv: list[str], timeout_s: float, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The exit code and output of a short command; raises MissingError if it doesn't answer.

    If it doesn't answer, the command and everything it started is killed.
    """
    try:
        child = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise MissingError(f"`{' '.join(argv)}` did not answer ({error})") from error
    with child:
        try:
            printed, _ = child.communicate(timeout=timeout_s)
        except BaseException as error:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            raise MissingError(f"`{' '.join(argv)}` did not answer ({error})") from error
    return subprocess.CompletedProcess(argv, child.returncode, printed)


def reason_in(printed: str) -> str:
    """The line of a launcher's output that says most about why it failed; "" without a line of words."""
    lines = [line.strip() for line in printed.splitlines() if any(map(str.isalnum, line))]
    telling = [line for line in lines if not _HARMLESS.search(line)]
    return next(filter(_LAST_WORD.search, telling), next(iter([*telling, *lines]), ""))
