"""Allowed dependencies of the architecture: CMake's link lists, includes, and who acts.

The levels of the Python packages are contracts of import-linter in pyproject.toml; scripts/lint checks them.
"""

import ast
import os
import re
from functools import cache
from pathlib import Path

import pytest
from sources import ROOT, named, python_modules, repository_files

# target -> what it may link. Tests may also link GoogleTest and what they test.
LINKS = {
    "corewise_core": {"$<BUILD_INTERFACE:corewise_formats>", "corewise_amd_gpus", "PkgConfig::HWLOC"},
    "_core": {"corewise_core", "corewise::affinity"},
    "corewise-affinity": {"PkgConfig::HWLOC"},
    "corewise-bind": {"corewise_bind_settings"},
    "corewise-mask": {"corewise_bind_settings", "corewise_node"},
    "corewise_bind_settings": {"corewise_formats"},
    "corewise_pgas": {"corewise::affinity", "Threads::Threads", "corewise::boost_context"},
    "corewise_pgas_loopback": {"corewise_pgas"},
    "corewise_pgas_${family}": {"corewise_pgas", "${CW_MPI_LINK_${family}}"},
    "${program}": {"corewise_pgas_${transport}"},  # programs of the PGAS runtime
    "corewise_kernels": set(),  # serial: without the runtime and MPI
    "corewise_workloads": {"corewise_kernels", "corewise_pgas"},
    "corewise-workload-${transport}": {"corewise_workloads"},
    "corewise_node": {"corewise_formats"},
    "corewise_amd_gpus": {"PkgConfig::HWLOC"},  # replaces hwloc's own plug-in, which would start ROCm
    "corewise-topology": {"corewise_node", "corewise_amd_gpus"},
    "corewise_steer": {"corewise_formats"},
    "corewise_steer_share": {"corewise_steer"},
    "corewise_steer_act": {"corewise_steer_share"},
    "corewise_steer_nodes": {"corewise_steer_share"},
    "corewise_steer_live": {"corewise_steer_act", "corewise_steer_nodes"},
    "corewise-steer-replay": {"corewise_steer"},
    "${library}": {
        "corewise_formats",
        "corewise_node",
        "corewise_steer_live",
        "Threads::Threads",
        "${CMAKE_DL_LIBS}",
    },  # the preload library
}

# folder -> headers that its files must not include, and the reason
FORBIDDEN_INCLUDES = {
    "core": (r"mpi\.h|Python\.h|nanobind/|iostream|stdio\.h|unistd\.h", "the core only computes"),
    "affinity": (r"mpi\.h|corewise_formats/|corewise/(?!affinity\.h)|nanobind/", "affinity needs hwloc only"),
    "bindings": (r"mpi\.h|hwloc|iostream|cstdio", "bindings are nothing clever"),
    "binder": (r"mpi\.h|hwloc|corewise/|nanobind/", "the binder needs libc only"),
    "node": (r"mpi\.h|corewise/|nanobind/", "a node is asked about itself without MPI or the core"),
    "preload": (r"hwloc|corewise/|nanobind/", "code in a job talks through files"),
    "pgas": (
        r"corewise/(?!affinity\.h|pgas/)|corewise_formats/|nanobind/",
        "the runtime needs MPI and affinity only",
    ),
    "laboratory/microbench": (
        r"hwloc|corewise/|corewise_formats/|nanobind/",
        "micro-benchmarks need MPI only",
    ),
    "probe": (r"hwloc|corewise/|corewise_formats/|nanobind/", "link-probe needs MPI only"),
    "formats": (r"(?!stdint\.h|stddef\.h|corewise_formats/).*", "formats are constants and structs"),
}


def test_launchers_touch_neither_files_nor_processes_nor_the_environment():
    acting = {"io", "os", "pathlib", "shutil", "socket", "subprocess", "tempfile"}
    for module, tree in python_modules().items():
        if module.startswith("corewise.launchers"):
            names = {
                alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
            }
            names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
            called = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            assert not names & acting and "open" not in called, f"{module} acts: that belongs to start/"


def test_few_modules_are_in_no_package():
    packages = {name.rpartition(".")[0] for name in python_modules()}
    alone = {name for name in python_modules() if name.count(".") == 1} - packages
    assert alone == {
        "corewise.__main__",
        "corewise.entry",
        "corewise.errors",
        "corewise.interrupts",
        "corewise.model",
        "corewise.notebook",
        "corewise.pipeline",
        "corewise.reporting",
        "corewise.statistics",
        "corewise.verbs",
        "corewise.version",
    }


def test_the_model_is_the_only_door_to_the_extension_module():
    importers = {name for name, tree in python_modules().items() if "corewise._core" in ast.unparse(tree)}
    assert importers == {"corewise.model"}


def test_profiles_are_read_in_one_module():
    readers = {
        name
        for name, tree in python_modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr == "read"
        and ast.unparse(node.value).endswith("Profile")
    }
    assert readers == {"corewise.profile.reading"}


def link_lists() -> list[tuple[str, str, set[str]]]:
    """(file, target, linked) of every target_link_libraries, except in tests, benchmarks and examples."""
    lists = []
    for path in repository_files():
        if path.name != "CMakeLists.txt" or {"tests", "bench", "examples"} & set(path.parts):
            continue
        for call in re.findall(r"target_link_libraries\(([^)]*)\)", path.read_text()):
            target, *linked = call.split()
            if "test" not in target:
                lists.append((named(path), target, set(linked) - {"PRIVATE", "PUBLIC", "INTERFACE"}))
    return lists


def test_cmake_targets_link_only_along_the_arrows():
    assert link_lists()
    for path, target, linked in link_lists():
        assert target in LINKS, f"{path}: {target} has no row in LINKS"
        assert linked <= LINKS[target], f"{path}: {target} links {linked - LINKS[target]}"


@cache
def c_files() -> dict[Path, str]:
    """The text of each file in C and C++, except those of tests and benchmarks."""
    return {
        path: path.read_text()
        for path in repository_files()
        if path.suffix in {".c", ".cpp", ".def", ".h", ".hpp"}
        and not {"tests", "bench"} & set(path.relative_to(ROOT).parts)
    }


def included(folder: str, files: dict[Path, str] | None = None) -> list[tuple[str, str]]:
    """(file, header) of every #include below a folder."""
    return [
        (named(path), header)
        for path, text in (c_files() if files is None else files).items()
        if path.is_relative_to(ROOT / folder)
        for header in re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)', text, re.M)
    ]


def wrong_includes(folder: str, files: dict[Path, str] | None = None) -> list[tuple[str, str]]:
    """Those of included() that FORBIDDEN_INCLUDES names."""
    return [one for one in included(folder, files) if re.match(FORBIDDEN_INCLUDES[folder][0], one[1])]


@pytest.mark.parametrize("folder", sorted(FORBIDDEN_INCLUDES))
def test_includes_follow_the_arrows(folder):
    assert wrong_includes(folder) == [], FORBIDDEN_INCLUDES[folder][1]


def test_an_include_of_what_a_folder_must_not_know_is_found():
    files = {
        ROOT / "core/src/a.cpp": "#include <vector>\n# include <mpi.h>\n",
        ROOT / "pgas/a.c": "#include <mpi.h>",
    }
    assert wrong_includes("core", files) == [("core/src/a.cpp", "mpi.h")]


# Folder of preload -> folders whose headers it may include. "" is preload itself, with the register of the
# observers; it is above the wrappers that call them.
PRELOAD = {
    "store": set(),
    "counters": {"store"},
    "pmpi": {"store", "counters"},
    "trace": {"store", "counters", "pmpi"},
    "verify": {"store", "pmpi"},
    "steer": {"store", "pmpi"},
    "": {"pmpi", "trace", "verify", "steer"},
}
# The same for steering. "" is preload/steer itself, which decides and knows the tables of metrics and
# monitors.
STEER = {
    "": {"metrics", "monitors"},
    "metrics": {"", "monitors"},
    "monitors": {"", "share"},
    "share": {""},
    "act": {"", "share"},
    "live": {"", "act", "monitors", "share"},
}

# And for the wrapper layer. "" is preload/pmpi itself: the interface of observers, and how they are called.
PMPI = {
    "": set(),
    "calls": set(),
    "comms": {"", "calls"},
    "requests": {"", "calls", "comms"},
    "record": {"calls", "comms", "requests"},
    "layer": {"", "calls", "comms", "requests", "record"},
}


def folder_in(room: Path, path: Path) -> str:
    """The folder of `room` that contains the file; "" is the room itself."""
    return path.relative_to(room).as_posix().rpartition("/")[0].partition("/")[0]


def arrows_between_rooms(room: Path, files: dict[Path, str] | None = None) -> set[tuple[str, str, str]]:
    """(file, its folder, included file) for every include that leaves a folder."""
    files = c_files() if files is None else files
    found = set()
    for path, text in files.items():
        for name in re.findall(r'^\s*#\s*include "([^"]+)"', text if path.is_relative_to(room) else "", re.M):
            places = (path.parent, ROOT / "preload" / "pmpi", ROOT / "preload" / "steer")
            paths = (Path(os.path.normpath(place / name)) for place in places)
            header = next((file for file in paths if file in files), None)
            if header is None or not header.is_relative_to(room):
                continue  # generated, or outside of `room`
            if folder_in(room, path) != folder_in(room, header):
                found.add((named(path), folder_in(room, path), header.relative_to(room).as_posix()))
    return found


ROOMS = {"preload": PRELOAD, "preload/pmpi": PMPI, "preload/steer": STEER}


def wrong_arrows(room: str, files: dict[Path, str] | None = None) -> list[str]:
    """The includes that the arrows between the folders of a room don't allow."""
    return [
        f"{path} includes {header}"
        for path, of, header in arrows_between_rooms(ROOT / room, files)
        if folder_in(ROOT / room, ROOT / room / header) not in ROOMS[room][of]
    ]


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_of_the_preload_library_include_only_those_below(room):
    assert wrong_arrows(room) == []


@pytest.mark.parametrize("room", ROOMS)
def test_an_include_that_is_turned_round_is_found(room):
    turned = 0
    for path, of, header in arrows_between_rooms(ROOT / room):
        to = folder_in(ROOT / room, ROOT / room / header)
        if of not in ROOMS[room][to]:  # those of a room may point both ways
            back = {ROOT / room / header: f'#include "{os.path.relpath(path, (Path(room) / header).parent)}"'}
            assert wrong_arrows(room, c_files() | back) == [
                f"{room}/{header} includes {Path(path).relative_to(room)}"
            ]
            turned += 1
    assert turned > 3


def test_only_one_folder_of_the_core_knows_hwloc():
    readers = {path for path, header in included("core") if header.startswith("hwloc")}
    assert all(path.startswith("core/src/topology/hwloc_") for path in readers), readers


ACTS = (
    r"(?<![\w.:>])(?:std::)?(?:f?printf|puts|getenv|setenv|system|fork|exit|abort)\s*\("
    r"|std::c(?:out|err|log)\b"
)


def test_the_core_never_prints_exits_or_reads_the_environment():
    for path in repository_files():
        parts = path.relative_to(ROOT).parts
        if parts[0] == "core" and parts[1] in ("src", "include") and path.suffix in (".cpp", ".hpp"):
            code = re.sub(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"', "", path.read_text())
            assert not re.search(ACTS, code), f"{named(path)}: {re.search(ACTS, code)[0]}"


def test_the_affinity_library_never_prints_or_exits_and_reads_one_environment_variable():
    found = []
    for path in (ROOT / "affinity" / "src").rglob("*.[ch]"):
        code = re.sub(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', "", path.read_text(), flags=re.S)
        found += [(named(path), act.group()) for act in re.finditer(ACTS, code)]
    assert found == [("affinity/src/override.c", "getenv(")]


def test_steering_decides_in_c_without_mpi_the_environment_or_a_clock():
    for path in (ROOT / "preload" / "steer").rglob("*"):
        parts = path.relative_to(ROOT).parts
        acts = {"act", "live", "monitors", "nodes", "share", "tests"} & set(parts)
        if not acts and path.suffix in {".c", ".cpp", ".h", ".hpp"}:
            code = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
            assert path.suffix in {".c", ".h"}, f"{named(path)}: a C++ runtime would enter the job"
            assert not re.search(r"mpi\.h|getenv|clock_gettime|\btime\(", code), named(path)


def test_only_one_file_of_the_runtime_calls_mpi():
    assert {path for path, header in included("pgas") if header == "mpi.h"} == {"pgas/src/mpi_transport.cpp"}


def test_format_headers_hold_constants_and_structs_only():
    for path in (ROOT / "formats").rglob("*.h"):
        code = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        code = re.sub(r"^\s*#(?:.*\\\n)*.*$", "", code, flags=re.M)
        code = code.replace("_Static_assert(", "").replace("static_assert(", "")
        assert not re.search(r"\b\w+\s*\([^()]*\)\s*[;{]", code), f"{named(path)} declares a function"
