"""Recipes of packages: their syntax, and that versions and dependencies equal those of pyproject.toml."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys

import pytest
import yaml
from sources import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
NEEDED = PROJECT["project"]["dependencies"]
NEEDED_TO_BUILD = PROJECT["build-system"]["requires"]
SPACK = ROOT / "packaging" / "spack" / "packages"
CONDA = yaml.safe_load((ROOT / "packaging" / "conda" / "recipe.yaml").read_text())
MARKERS = {"python_version < '3.11'": "^python@:3.10"}  # pip's marker -> Spack's


def split(requirement: str) -> tuple[str, str, str]:
    """Name, lowest version and marker of `name>=version; marker`; "" for a part that is missing."""
    found = re.fullmatch(r"([\w.-]+?)(?: ?>=([\d.]+))?(?:; (.*))?", requirement)
    assert found, f"{requirement!r} is no 'name>=version; marker'"
    name, version, marker = found.groups(default="")
    return name, version, marker


def calls(package: str, directive: str) -> list[ast.Call]:
    tree = ast.parse((SPACK / package / "package.py").read_text())
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in found if isinstance(call.func, ast.Name) and call.func.id == directive]


def spack_needs(stage: str) -> set[str]:
    """The Python packages that the recipe needs for a stage ("build" or "run"), with their conditions."""
    needed = set()
    for call in calls("corewise", "depends_on"):
        spec = ast.literal_eval(call.args[0])
        options = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
        if spec.startswith("py-") and stage in options["type"]:
            needed.add(f"{spec.replace('+pyproject', '')} {options.get('when', '')}".strip())
    return needed


def as_spack(requirement: str) -> str:
    name, version, marker = split(requirement)
    lowest = f"@{version}:" if version else ""
    return f"py-{name.replace('_', '-')}{lowest} {MARKERS[marker] if marker else ''}".strip()


def conda_needs(stage: str) -> set[str]:
    """The recipe's requirements for a stage ("host" or "run"), in the form of pyproject.toml."""
    needed = set()
    for row in CONDA["requirements"][stage]:
        if isinstance(row, str):
            needed.add(row.replace(" ", "").replace("matplotlib-base", "matplotlib"))
            continue
        assert row["if"] == 'match(python, "<3.11")'
        rows = row["then"] if isinstance(row["then"], list) else [row["then"]]
        needed |= {f"{name.replace(' ', '')}; python_version < '3.11'" for name in rows}
    return needed


@pytest.mark.parametrize("package", ["corewise", "corewise-runtime"])
def test_spack_recipes_have_the_projects_version(package):
    versions = [ast.literal_eval(call.args[0]) for call in calls(package, "version")]
    assert versions == [PROJECT["project"]["version"]]


@pytest.mark.parametrize(("stage", "needed"), [("build", NEEDED_TO_BUILD), ("run", NEEDED)])
def test_spack_recipe_has_the_projects_dependencies(stage, needed):
    assert spack_needs(stage) == {as_spack(requirement) for requirement in needed}


def test_conda_recipe_has_the_projects_version_and_dependencies():
    assert CONDA["context"]["version"] == PROJECT["project"]["version"]
    assert conda_needs("run") - {"python"} == set(NEEDED)
    assert conda_needs("host") - {"python", "pip", "libhwloc>=2.1", "mpich"} == set(NEEDED_TO_BUILD)


def test_spack_builds_what_cmake_installs_as_runtime():
    parts = [(ROOT / part / "CMakeLists.txt").read_text() for part in ("binder", "node", "preload")]
    installed = re.findall(r"install\(TARGETS (\S+) .*COMPONENT runtime\)", "\n".join(parts))
    (targets,) = (
        node
        for node in ast.walk(ast.parse((SPACK / "corewise-runtime" / "package.py").read_text()))
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "programs"
    )
    assert [*ast.literal_eval(targets.value), "${library}"] == installed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["wheel", "--help"],
            "wheel: '--help' was not found; expected interpreters, for example python3.12\n",
        ),
        (["wheel", "python3", "python3.99"], "wheel: 'python3.99' was not found; expected interpreters"),
        (["release-check", "--build"], "release-check: found '--build'; expected nothing or --built\n"),
    ],
)
def test_a_wrong_word_is_refused_before_anything_is_built(words, said, tmp_path):
    script, *rest = words
    environment = os.environ | {"CW_WHEEL_BUILD": str(tmp_path / "build")}
    done = subprocess.run(
        [ROOT / "scripts" / script, *rest], env=environment, capture_output=True, text=True, timeout=20
    )
    assert done.returncode == 2 and done.stderr.startswith(said)
    assert list(tmp_path.iterdir()) == []
