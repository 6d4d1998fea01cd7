"""Several programs in one command: read from a file or separated by ':', counted, and placed together."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.launchers import LAUNCHERS, Injection, Job, parse_command
from corewise.launchers.programs import ranks_of_programs
from corewise.nouns.job_programs import JobProgram, Ranks, programs_beside, write_programs
from corewise.nouns.placement import Placement
from corewise.start.surroundings import parameters_around, parsed

THREE = Placement("m", "f", ["f"], [0, 0, 0], [[2], [0], [1]], [[2], [0], [1]])
INJECTION = Injection("/native/corewise-bind")


def planned(name: str, command, placement=THREE, **known):
    job = Job(command, ["localhost"], "/job", INJECTION, family=LAUNCHERS[name].families[0], **known)
    return LAUNCHERS[name].plan(placement, job)


def from_file(name: str, text: str, words: str, folder: Path):
    (folder / "list").write_text(text)
    return parsed(shlex.split(words.replace("FILE", str(folder / "list"))), LAUNCHERS[name])


@pytest.mark.parametrize(
    ("name", "words", "text", "apps", "ranks"),
    [
        ("openmpi4", "mpirun --app FILE", "-np 1 a x\n# none\n-np 2 b\n", ["a x", "b"], [[0], [1, 2]]),
        ("openmpi5", "mpirun --app FILE", "-n 2 a\n-n 1 -x A=1 b", ["a", "b"], [[0, 1], [2]]),
        ("hydra", "mpiexec -l -configfile FILE", "-n 1 \\\n a\n-n 1 b\n", ["a", "b"], [[0], [1]]),
        ("srun", "srun -n 4 --multi-prog FILE", "0,2 a %t\n* b\n", ["a %t", "b"], [[0, 2], [1, 3]]),
    ],
)
def test_a_file_of_programs_is_read_as_its_launcher_does(name, words, text, apps, ranks, tmp_path):
    command = from_file(name, text, words, tmp_path)
    assert [shlex.join(program.app) for program in command.programs] == apps
    assert ranks_of_programs(command, LAUNCHERS[name].options) == ranks


def test_what_the_command_says_besides_its_file_stays_in_front_of_the_first_program(tmp_path):
    command = from_file("openmpi4", "-np 1 a\n-np 1 b\n", "mpirun --mca btl self --app FILE", tmp_path)
    assert [one.tokens for one in command.programs[0].options] == [("--mca", "btl", "self"), ("-np", "1")]


@pytest.mark.parametrize(
    ("name", "words", "text", "sentence"),
    [
        ("openmpi4", "mpirun --app FILE b", "-n 1 a", "names programs, and so does the command"),
        ("openmpi4", "mpirun --app FILE", "# a\n", "names no program"),
        ("hydra", "mpiexec -configfile FILE", "-n 1\n", "no program follows"),
        ("srun", "srun -n 1 --multi-prog FILE", "./a\n", "expected ranks and a program"),
        ("srun", "srun -n 1 --multi-prog FILE", "0 'a\n", "No closing quotation"),
    ],
)
def test_a_file_that_names_no_program_is_refused_by_its_name(name, words, text, sentence, tmp_path):
    with pytest.raises(InputError, match=rf"list: .*{sentence}"):
        from_file(name, text, words, tmp_path)


@pytest.mark.parametrize(
    ("name", "words", "argv"),
    [
        ("openmpi4", "mpirun -np 1 a : -np 2 b x", "mpirun -rf /job/rankfile -n 1 a : -n 2 b x"),
        (
            "openmpi5",
            "mpirun -n 1 -x A=1 a : -n 2 b",
            "mpirun -x A=1 --map-by rankfile:file=/job/rankfile --bind-to core -n 1 a : -n 2 b",
        ),
        (
            "hydra",
            "mpiexec -n 1 -env A 1 a : -n 2 -env A 2 b",
            "mpiexec -env A 1 -n 1 BIND a : -env A 2 -n 2 BIND b",
        ),
        ("srun", "srun -n 1 a : -n 2 b", "srun -N 1 --cpu-bind=none -n 3 --multi-prog /job/programs"),
    ],
)
def test_ranks_of_a_placement_count_over_all_programs(name, words, argv):
    plan = planned(name, parse_command(shlex.split(words), LAUNCHERS[name].options))
    assert shlex.join(plan.argv).replace("/native/corewise-bind /job/bind.txt --", "BIND") == argv


def test_srun_starts_placed_programs_from_a_file_of_their_ranks(tmp_path):
    command = from_file("srun", "0,2 a 'x y'\n1 b\n", "srun -n 3 --multi-prog FILE", tmp_path)
    files = planned("srun", command).files
    bind = "/native/corewise-bind /job/bind.txt --"
    assert files["/job/programs"] == f"0,2 {bind} a 'x y'\n1 {bind} b\n"


@pytest.mark.parametrize(
    ("name", "words", "sentence"),
    [
        ("openmpi4", "mpirun -n 1 a : b", "a program has no number of ranks"),
        ("hydra", "mpiexec -n 1 a : -n 1 b", "starts 2 ranks, the placement has 3"),
        ("srun", "srun -n 1 a : -n 2 -c 2 b", "'-c 2' is for 'b' alone"),
    ],
)
def test_programs_that_cannot_be_placed_together_are_refused(name, words, sentence):
    with pytest.raises(InputError, match=sentence):
        planned(name, parse_command(shlex.split(words), LAUNCHERS[name].options))


@pytest.mark.parametrize(
    ("name", "parameter", "words"),
    [
        ("openmpi4", "rmaps_base_mapping_policy", ["--mca", "rmaps_base_mapping_policy", ""]),
        ("openmpi4", "rmaps_base_cpus_per_rank", ["--mca", "rmaps_base_cpus_per_rank", "0"]),
        ("openmpi5", "hwloc_default_cpu_list", ["--prtemca", "hwloc_default_cpu_list", ""]),
    ],
)
def test_a_site_s_parameter_that_would_keep_mpirun_from_the_rankfile_is_switched_off(name, parameter, words):
    command = parse_command(["mpirun", "-n", "3", "a"], LAUNCHERS[name].options)
    assert planned(name, command, parameters={parameter: "1"}).argv[1:4] == words
    assert planned(name, command, parameters={"btl": "self"}).argv == planned(name, command).argv


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


@pytest.mark.parametrize(
    ("name", "option", "text"),
    [
        ("openmpi4", "--tune", "# mine\n-mca rmaps_base_mapping_policy core -x A=1\n--mca btl self\n"),
        ("openmpi5", "--tune", "--mca rmaps_base_mapping_policy core\n-x A=1 --mca btl self\n"),
        ("openmpi4", "--am", "rmaps_base_mapping_policy = core\n# A = 2\nbtl = self  # last\n"),
        ("openmpi4", "-am", "rmaps_base_mapping_policy = core\nbtl = self\n"),
    ],
)
def test_a_file_of_parameters_is_read_as_if_the_command_held_it(name, option, text, tmp_path):
    words = f"mpirun {option} FILE --mca btl tcp -n 1 a"
    command = from_file(name, text, words, tmp_path)
    table = LAUNCHERS[name].options
    assert [values for values in command.values(table.parameter)] == [
        ("rmaps_base_mapping_policy", "core"),
        ("btl", "tcp"),  # the command's own value has priority
    ]
    assert command.values({"x"}) == ([("A=1",)] if option == "--tune" else [])
    assert command.values({"tune", "am"}) == []


@pytest.mark.parametrize(
    ("option", "text", "sentence"),
    [
        ("--tune FILE,lost", "", "found no file 'lost'; expected a file of parameters"),
        ("--am lost", "", "'--am lost': found no file 'lost'"),
        ("--tune FILE", "--no-such 1", "has no option '--no-such'"),
    ],
)
def test_a_file_of_parameters_that_cannot_be_read_is_refused_by_its_name(option, text, sentence, tmp_path):
    with pytest.raises(InputError, match=sentence):
        from_file("openmpi4", text, f"mpirun {option} -n 1 a", tmp_path)


def test_programs_are_kept_beside_a_profile_if_they_are_known(tmp_path):
    programs = [JobProgram(Ranks([0, 2]), ["a", "x"], "srun", ["-l"]), JobProgram(Ranks([1]), ["b"])]
    write_programs(tmp_path, [])
    assert programs_beside(tmp_path) == [] == list(tmp_path.iterdir())
    write_programs(tmp_path, programs)
    assert programs_beside(tmp_path) == programs
    assert programs_beside(tmp_path / "traffic.npz") == []
