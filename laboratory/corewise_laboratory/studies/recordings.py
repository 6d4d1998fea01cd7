"""Records the events of the runs whose matrices are stored, on this machine, and simulates them.

    python -m corewise_laboratory.studies.recordings FOLDER --simulate STUDY ...

adds missing times of these studies to simulated.json, by the profiles in FOLDER.

    python -m corewise_laboratory.studies.recordings FOLDER [NPB]

adds missing profiles to FOLDER: of HPL, such as hpl.2000.16.profile, and of the programs in NPB, such as
cg.C.16.profile for cg.C.16. NPB is the user's folder bin of NPB 3.3-MPI, built with Open MPI. As for the
matrices, CG has one iteration, LU, MG and SP have two (sys/setparams.c).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from importlib import resources
from pathlib import Path

import corewise
from corewise.errors import RunError
from corewise.files.whole_file import write_whole

from corewise_laboratory.studies import simulated_times
from corewise_laboratory.studies.emulated import built
from corewise_laboratory.studies.leng.emulation import HPL
from corewise_laboratory.studies.papers import named_studies
from corewise_laboratory.studies.study import Options, run_study


def record_hpl(folder: Path) -> None:
    """The runs of leng-emulated: each number of ranks and size. Raises MissingError and RunError."""
    program = built(HPL.build)
    for cell in HPL.cells:
        n_ranks = corewise.machine(cell.machine).n_cores
        for size in HPL.sizes["full"]:
            files = HPL.files_for(cell, size)
            _record([program], n_ranks, folder / f"hpl.{size}.{n_ranks}.profile", files, HPL.environment)


def record_npb(folder: Path, programs: Path) -> None:
    """The programs in `programs` that have a stored matrix. Raises RunError."""
    stored = Path(str(resources.files("corewise_laboratory") / "studies" / "inputs" / "npb"))
    for name in sorted(path.stem for path in stored.glob("*.npz")):
        program = programs.absolute() / name
        if program.exists():
            _record([str(program)], int(name.rpartition(".")[2]), folder / f"{name}.profile", {}, {})


def _record(
    program: list[str], n_ranks: int, profile: Path, files: dict[str, str], environment: dict[str, str]
) -> None:
    """Adds the profile of a run whose working directory has `files`, unless it exists."""
    if profile.exists():
        return
    profile.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        for name, text in files.items():
            write_whole(Path(work) / name, text)
        settings = [word for item in environment.items() for word in ("-x", "=".join(item))]
        launcher = ["mpirun.openmpi", "--oversubscribe", "-wdir", work, *settings, "-n", str(n_ranks)]
        with open(Path(work) / "printed.txt", "w") as printed:
            found = corewise.trace([*launcher, *program], profile, mode="events", output=printed)
    if not found.ended_well:
        raise RunError(f"{program[0]} failed on {n_ranks} ranks; {profile} holds a part of its run")


def simulate(folder: Path, names: list[str]) -> None:
    """Simulates and stores the missing times of studies."""
    simulated_times.recordings = folder
    for study in (study for name in names for study in named_studies(name)):
        run_study(study, Options(folder, started=False, tell=lambda text: print(text, file=sys.stderr)))


def main() -> None:
    """Records or simulates what the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("npb", type=Path, metavar="NPB", nargs="?")
    parser.add_argument("--simulate", metavar="STUDY", nargs="+", default=[])
    options = parser.parse_args()
    if options.simulate:
        simulate(options.folder, options.simulate)
        return
    record_hpl(options.folder)
    if options.npb is not None:
        record_npb(options.folder, options.npb)


if __name__ == "__main__":
    main()
