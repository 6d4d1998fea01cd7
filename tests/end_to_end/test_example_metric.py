"""The steering metric in docs/contributing/adding/steering-metric.md compiles, and its cases pass."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
STEER = ROOT / "preload" / "steer"
FENCE = re.compile(r"```(?:c|cpp|text)\n(.*?)```", re.DOTALL)
FLAGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I.", f"-I{ROOT}/formats/include"]


def test_the_example_compiles_and_its_own_cases_pass(tmp_path):
    page = (ROOT / "docs" / "contributing" / "adding" / "steering-metric.md").read_text()
    metric, row, cmake, cases = FENCE.findall(page)
    assert "run_delay.c" in cmake
    steer = shutil.copytree(STEER, tmp_path / "steer")
    metrics = steer / "metrics"
    (metrics / "run_delay.c").write_text(metric)
    (steer / "tests" / "run_delay_test.cpp").write_text(cases)
    register = metrics / "metrics.def"
    register.write_text(register.read_text().replace("\n#undef", f"{row}\n#undef"))
    objects = [compiled(steer, source) for source in sources(steer)]
    cases_object = compiled(steer, Path("tests/run_delay_test.cpp"))
    run(steer, ["c++", *objects, cases_object, "-lgtest", "-lgtest_main", "-pthread", "-o", "cases"])
    done = subprocess.run([str(steer / "cases")], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    assert "5 tests" in done.stdout


def sources(steer: Path) -> list[Path]:
    """The sources of the library corewise_steer (preload/steer/CMakeLists.txt), without those of programs."""
    own = [path for path in sorted(steer.glob("*.c")) if path.name not in ("replay.c", "history.c")]
    found = [*own, *sorted((steer / "metrics").glob("*.c")), steer / "monitors" / "registry.c"]
    return [path.relative_to(steer) for path in found]


def compiled(steer: Path, source: Path) -> str:
    """Compiles a source with the project's warnings as errors; returns the object file."""
    compiler = (
        ["cc", "-std=c11", "-D_GNU_SOURCE"] if source.suffix == ".c" else ["c++", "-std=c++20", "-Itests"]
    )
    target = "-".join(source.with_suffix(".o").parts)
    run(steer, [*compiler, *FLAGS, "-c", str(source), "-o", target])
    return target


def run(folder: Path, words: list[str]) -> None:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
