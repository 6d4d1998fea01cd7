"""A name is suggested only for a typing error, not for a very different name."""

import subprocess
import sys

import pytest
from corewise.cli import COMMANDS
from corewise.errors import did_you_mean, nearest_name


@pytest.mark.parametrize(
    ("wanted", "names", "near"),
    [
        ("draco", ["draco"], "draco"),
        ("drako", ["draco", "jaguar"], "draco"),
        ("Draco", ["draco"], "draco"),
        ("rnu", ["run", "tune"], "run"),  # two letters swapped: distance 1, the limit for 3 letters
        ("ran", ["run"], "run"),
        ("sim", ["simulate", "show"], "simulate"),
        ("opnmpi4", ["openmpi4", "openmpi5"], "openmpi4"),
        ("best", ["test-a", "rest"], "rest"),
        ("list", ["lab", "simulate"], None),  # difflib finds both similar to "list"
        ("plot", ["topo", "probe"], None),
        ("ab", ["abacus"], None),
        ("man", ["max", "mean"], "mean"),  # at the same distance; "mean" contains all the letters
        ("ring", [], None),
    ],
)
def test_a_name_is_proposed_where_few_letters_differ(wanted, names, near):
    assert nearest_name(wanted, names) == near
    assert did_you_mean(wanted, names) == (f"; did you mean '{near}'?" if near else "")


@pytest.mark.parametrize("far", ["install", "plot", "matrix", "explain", "help", "version", "compare"])
def test_far_words_propose_no_command(far):
    assert nearest_name(far, COMMANDS) is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            ["topo", "--machin", "draco"],
            "corewise: topo has no option '--machin'; did you mean '--machine'?\n",
        ),
        (
            ["topo", "--size"],
            "corewise: topo has no option '--size'; `corewise topo --help` shows all options\n",
        ),
        (["tpoo"], "unknown command 'tpoo'; did you mean 'topo'?\n"),
        (
            ["trace", "--", "mpirun", "./app"],
            "corewise: trace needs -o PROFILE, new folder for the profile, for example "
            "`corewise trace -o app.profile -- mpirun -n 8 ./app input`\n",
        ),
        (["tune", "--repeats", "x"], "corewise: --repeats is 'x'; expected a whole number of at least 1\n"),
        (["trace", "--mode", "all"], "corewise: --mode is 'all'; expected count, time or events\n"),
    ],
)
def test_errors_of_usage_are_one_sentence(words, expected):
    done = subprocess.run(
        [sys.executable, "-m", "corewise", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and expected in done.stderr
