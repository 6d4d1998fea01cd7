"""Parameters around a command by precedence, and the programs that are kept next to a profile."""

from __future__ import annotations

from corewise.launchers import LAUNCHERS
from corewise.nouns.placement import JobProgram, Ranks, programs_beside, write_programs
from corewise.start.surroundings import parameters_around


def test_a_variable_goes_before_the_user_s_file_and_that_before_the_site_s(tmp_path):
    (tmp_path / ".openmpi").mkdir()
    (tmp_path / ".openmpi/mca-params.conf").write_text("# mine\na = 1\nb = 1  # why\n")
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/openmpi-mca-params.conf").write_text("b=2\nc = '2'\n")
    environment = {"HOME": str(tmp_path), "OMPI_MCA_a": "3"}
    mpirun = str(tmp_path / "bin/mpirun")
    found = parameters_around(mpirun, LAUNCHERS["openmpi4"], environment)
    assert {name: found[name] for name in "abc"} == {"a": "3", "b": "1", "c": "2"}
    named = environment | {"OMPI_MCA_mca_base_param_files": str(tmp_path / "etc/openmpi-mca-params.conf")}
    assert parameters_around(mpirun, LAUNCHERS["openmpi4"], named)["b"] == "2"
    assert parameters_around("srun", LAUNCHERS["srun"], environment) == {}


def test_programs_are_kept_beside_a_profile_if_they_are_known(tmp_path):
    programs = [JobProgram(Ranks([0, 2]), ["a", "x"], "srun", ["-l"]), JobProgram(Ranks([1]), ["b"])]
    write_programs(tmp_path, [])
    assert programs_beside(tmp_path) == [] == list(tmp_path.iterdir())
    write_programs(tmp_path, programs)
    assert programs_beside(tmp_path) == programs
    assert programs_beside(tmp_path / "traffic.npz") == []
