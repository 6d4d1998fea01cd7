"""The C libraries have no circles: neither among their modules' includes nor among the symbols they use.

A module is a header and the source file of the same name: preload/pmpi/groups.h and groups.c are pmpi/groups.
"""

from __future__ import annotations

import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from sources import ROOT, repository_files

# Folder -> those below it that its build searches for quoted includes, after that of the including file.
SEARCHED = {
    "affinity": ("src", "include"),
    "binder": (".",),
    "laboratory/microbench": (".",),
    "preload": ("pmpi", "steer"),
}
GENERATED = {"calls_table.h"}  # by preload/pmpi/generate.py; includes nothing but the formats


def module_of(path: Path, folder: str) -> str:
    return path.relative_to(ROOT / folder).with_suffix("").as_posix()


@cache
def c_files(folder: str) -> tuple[Path, ...]:
    """Headers and sources of a folder, tests left out."""
    inside = [path for path in repository_files() if path.is_relative_to(ROOT / folder)]
    return tuple(path for path in inside if path.suffix in {".c", ".h"} and "tests" not in path.parts)


def code_of(path: Path) -> str:
    """The file without comments and strings."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', "", path.read_text(), flags=re.S)


def included_file(name: str, path: Path, folder: str) -> Path | None:
    """The repository's file that `#include "name"` in `path` means; None for a generated one."""
    for place in (path.parent, *(ROOT / folder / searched for searched in SEARCHED[folder])):
        if (found := (place / name).resolve()).is_file():
            return found
    assert name in GENERATED, f"{path}: where is {name}?"
    return None


Graph = dict[str, set[str]]


def include_graph(folder: str) -> Graph:
    """Module -> the modules whose headers its files include."""
    graph: Graph = {module_of(path, folder): set() for path in c_files(folder)}
    for path in c_files(folder):
        for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M):
            found = included_file(name, path, folder)
            if found is not None:
                graph[module_of(path, folder)].add(module_of(found, folder))
    return without_self_loops(graph)


def defined_symbols(folder: str) -> dict[str, str]:
    """Name -> the module that defines it, for functions and objects that other files can link to."""
    start = r"^(?!.*\bstatic\b|extern\b|typedef\b)[A-Za-z_][\w *()\"-]*?"
    body, value = r"\([^;{}]*\) \{", r"(?:\[\w*\])?(?: __attribute__\(.*\))? = "
    pattern = rf"{start}\b(\w+)(?:{body}|{value})"
    owner = {}
    for path in c_files(folder):
        if path.suffix == ".c":
            for name in re.findall(pattern, code_of(path), re.M):
                owner[name] = module_of(path, folder)
    return owner


def symbol_graph(folder: str) -> Graph:
    """Module -> the modules that define the names its files use: what `nm` says of their object files."""
    owner = defined_symbols(folder)
    graph: Graph = {module_of(path, folder): set() for path in c_files(folder)}
    for path in c_files(folder):
        # A header's declarations use nothing; its inline functions do.
        code = code_of(path)
        if path.suffix == ".h":
            code = "".join(re.findall(r"^static inline .*?^\}", code, re.M | re.S))
        graph[module_of(path, folder)] |= {owner[name] for name in re.findall(r"\w+", code) if name in owner}
    return without_self_loops(graph)


def without_self_loops(graph: Graph) -> Graph:
    return {module: used - {module} for module, used in graph.items()}


def circle_in(graph: Graph) -> list[str]:
    """Modules that depend on each other, each on the one before it; empty where there is an order."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


@pytest.mark.parametrize("folder", sorted(SEARCHED))
def test_includes_have_an_order(folder):
    assert circle_in(include_graph(folder)) == []


@pytest.mark.parametrize("folder", sorted(SEARCHED))
def test_symbols_have_an_order(folder):
    assert circle_in(symbol_graph(folder)) == []


def test_a_circle_is_found():
    assert circle_in({"groups": {"layer"}, "layer": {"groups"}, "types": set()}) != []


def test_the_symbols_of_the_sources_are_seen():
    preload, affinity = defined_symbols("preload"), defined_symbols("affinity")
    assert preload["cw_dispatch_before"] == "pmpi/dispatch"
    assert preload["cw_trace_observer"] == "trace/trace"
    assert affinity["cw_thread_plan_create"] == "src/create"
    assert "pmpi/dispatch" in symbol_graph("preload")["pmpi/groups"]


@pytest.mark.parametrize("folder", ["affinity", "preload"])
def test_a_function_is_declared_in_the_header_of_its_own_file(folder):
    """So that whoever reads a call finds the code behind it by the header's name."""
    owner = defined_symbols(folder)
    for path in c_files(folder):
        if path.suffix == ".h" and "include" not in path.parts and path.with_suffix(".c").exists():
            for name in re.findall(r"^\w[\w ]*[ *](cw_\w+)\(", code_of(path), re.M):
                assert owner.get(name, module_of(path, folder)) == module_of(path, folder), f"{path}: {name}"
