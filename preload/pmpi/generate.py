"""Writes the MPI wrappers of the preload library from calls.toml: the same bytes every time.

    generate.py calls.toml --family openmpi|mpich --prototypes mpi.i -o FOLDER

`mpi.i` is the family's preprocessed mpi.h: only calls that it declares are wrapped. FOLDER gets
calls_table.h and calls_table.c (numbers, names, layers and flows), wrappers_c.c and wrappers_fortran.c.
Standard library only.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass, replace
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

# How each family names the Fortran entry points that do not arrive in C, and what they forward to.
# Open MPI: mpif.h and `use mpi` call mpi_x_, mpi_f08 calls mpi_x_f08_; neither passes MPI_X.
# MPICH: all but the calls of mpi_f08 without a buffer arrive in MPI_X (tried on 4.0.2).
# The last is what the other family names it: where its library is the loaded one, calls are forwarded there.
FORTRAN_NAMES = {
    "openmpi": [("mpi_{}_", "pmpi_{}_", "pmpi_{}_"), ("mpi_{}_f08_", "pmpi_{}_f08_", "pmpir_{}_f08_")],
    "mpich": [("mpi_{}_f08_", "pmpir_{}_f08_", "pmpi_{}_f08_")],
}
COUNTS = {"count", "sendcount", "recvcount", "sendcounts", "recvcounts"}
COUNTS |= {"origin_count", "target_count", "result_count"}
DISPLACEMENTS = {"displs", "sdispls", "rdispls"}
FLOWS = {"none", "from_root", "to_root", "all_pairs", "through_first", "chain"}
HANDLES = {f"MPI_{kind}" for kind in ("Comm", "Datatype", "Group", "Info", "Message", "Op", "Request", "Win")}
HEADER = "/* Written by generate.py from calls.toml. */\n"


@dataclass(frozen=True)
class Argument:
    """One parameter of a C prototype: `type name` or `type name[]`."""

    type: str
    name: str
    is_array: bool

    @classmethod
    def parse(cls, text: str) -> Argument:
        """Raises ValueError for what is no parameter."""
        match = re.fullmatch(r"\s*(.*?[\s*])(\w+)(\[\])?\s*", text)
        if match is None:
            raise ValueError(f"{text!r} is no C parameter; expected 'type name'")
        return cls(match[1].strip(), match[2], match[3] is not None)

    @property
    def declaration(self) -> str:
        space = "" if self.type.endswith("*") else " "
        return f"{self.type}{space}{self.name}{'[]' if self.is_array else ''}"

    @property
    def is_handle(self) -> bool:
        """An MPI object passed by value."""
        return self.type in HANDLES and not self.is_array

    @property
    def is_buffer(self) -> bool:
        """A choice buffer of Fortran; MPI_Win_allocate's `baseptr` is an address instead."""
        return self.type in ("void *", "const void *") and self.name != "baseptr"

    def widened(self) -> Argument:
        """The parameter of the large-count form (MPI 4.0, 19.2)."""
        if self.name in COUNTS:
            return replace(self, type=re.sub(r"\bint\b", "MPI_Count", self.type))
        if self.name in DISPLACEMENTS:
            return replace(self, type=re.sub(r"\bint\b", "MPI_Aint", self.type))
        return self

    def in_c(self) -> str:
        """What a recorder gets from a C wrapper."""
        if self.is_buffer:
            return f"{self.name} == MPI_IN_PLACE"
        if self.is_array:
            kind, second = _array(self.type)
            return f"(struct {kind}){{{self.name}, {second or 'false'}}}"
        if self.type.removesuffix(" *") in HANDLES and not self.is_handle:
            return f"*{self.name}"
        return self.name

    def in_fortran(self) -> str:
        """What a recorder gets from a Fortran wrapper, whose arguments are all addresses."""
        if self.is_buffer:
            return f"cw_fortran_in_place({self.name})"
        if self.is_array:
            kind, second = _array(self.type)
            return f"(struct {kind}){{{self.name}, {second or 'true'}}}"
        if self.type == "MPI_Count":  # INTEGER(KIND=MPI_COUNT_KIND), of partitioned calls
            return f"*(const MPI_Count *){self.name}"
        value = f"*(const MPI_Fint *){self.name}"
        handle = re.fullmatch(r"MPI_(Comm|Datatype|Request|Win)( \*)?", self.type)
        if handle is None:
            return value
        return f"PMPI_{'Type' if handle[1] == 'Datatype' else handle[1]}_f2c({value})"


def _array(element: str) -> tuple[str, str]:
    """The struct that carries an array to a recorder, and its second field unless the language decides it."""
    element = element.removeprefix("const ")
    if element in ("int", "MPI_Count"):
        return "cw_counts", "true" if element == "MPI_Count" else "false"
    return {"MPI_Datatype": "cw_types", "MPI_Request": "cw_requests"}[element], ""


# A function cw_record_<name> and the arguments of the call that it reads.
Recorder = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Call:
    """One wrapped call. `record` and `before` are a recorder's name and the arguments it reads."""

    name: str
    layer: str
    args: tuple[Argument, ...]
    record: Recorder
    before: Recorder | None = None
    flow: str = "none"
    persistent: str = ""

    @property
    def number(self) -> str:
        return f"CW_{self.name.upper()}"

    @property
    def watched(self) -> list[Recorder]:
        """What observers see: functions cw_watch_<name>, from the names that the standard gives arguments."""
        names = [arg.name for arg in self.args]
        comms = [arg.name for arg in self.args if arg.type == "MPI_Comm" and arg.is_handle]
        found: list[Recorder] = [("comm", (comms[0],))] if comms else []
        count = "partitions*count" if "partitions" in names else "count"
        for peer, side, name in (("dest", "send", "sends"), ("source", "recv", "receives")):
            if peer not in names:
                continue
            tag = f"{side}tag" if f"{side}tag" in names else "tag"
            if "probe" in self.name.lower():
                found.append(("probes", (peer, tag)))
            elif f"{side}count" in names:
                found.append((name, (peer, tag, f"{side}count", f"{side}type")))
            else:
                found.append((name, (peer, tag, count, "datatype")))
        return found

    def large_count_form(self) -> Call:
        """MPI_X_c, with the counts and displacements of MPI 4."""
        return replace(self, name=f"{self.name}_c", args=tuple(arg.widened() for arg in self.args))

    def nonblocking_form(self) -> Call:
        stem = self.name.removeprefix("MPI_")
        request = Argument("MPI_Request *", "request", False)
        return replace(self, name=f"MPI_I{stem[0].lower()}{stem[1:]}", args=(*self.args, request))

    def persistent_form(self) -> Call:
        added = (Argument("MPI_Info", "info", False), Argument("MPI_Request *", "request", False))
        record = ("nothing", ()) if self.record[0] == "time" else self.record
        args = (*self.args, *added)
        return replace(self, name=f"{self.name}_init", args=args, record=record, persistent="request")


def parse_recorder(text: str) -> Recorder:
    """`"send(count, dest)"` -> `("send", ("count", "dest"))`. Raises ValueError for anything else."""
    match = re.fullmatch(r"(\w+)\(([\w, ]*)\)", text)
    if match is None:
        raise ValueError(f"{text!r} is no recorder; expected 'name(argument, ...)'")
    return match[1], tuple(word.strip() for word in match[2].split(",") if word.strip())


def parse_row(name: str, layer: str, row: dict) -> list[Call]:
    """A row and its other forms. Raises ValueError for unknown keys, arguments or flows."""
    unknown = set(row) - {"args", "record", "flow", "persistent", "before", "forms"}
    if unknown:
        raise ValueError(f"{name}: unknown key {min(unknown)!r}")
    args = tuple(Argument.parse(text) for text in row["args"].split(",")) if row["args"] else ()
    call = Call(
        name,
        layer,
        args,
        parse_recorder(row["record"]),
        parse_recorder(row["before"]) if "before" in row else None,
        row.get("flow", "none"),
        row.get("persistent", ""),
    )
    for argument in call.record[1]:
        if not argument.isdigit() and argument not in {arg.name for arg in args}:
            raise ValueError(f"{name}: its recorder reads {argument!r}, which is no argument of it")
    if call.flow not in FLOWS:
        raise ValueError(f"{name}: flow {call.flow!r}; expected one of {', '.join(sorted(FLOWS))}")
    forms = [call]
    if row.get("forms") == "all":
        forms += [call.nonblocking_form(), call.persistent_form()]
    return forms


def read_calls(table: dict, declared: set[str]) -> list[Call]:
    """All calls that are declared, with their large-count forms, in the order of the table."""
    calls = []
    for layer, rows in table.items():
        for name, row in rows.items():
            for call in parse_row(name, layer, row):
                forms = (
                    [call, call.large_count_form()] if {arg.name for arg in call.args} & COUNTS else [call]
                )
                calls += [form for form in forms if form.name in declared]
    return calls


def declared_functions(prototypes: str) -> set[str]:
    """Names of all functions that a preprocessed mpi.h declares."""
    return set(re.findall(r"\bint\s+(MPI_\w+)\s*\(", prototypes))


def table_header(calls: list[Call]) -> str:
    """Numbers of the calls, and the table that the profile carries."""
    numbers = "".join(f"  {call.number},\n" for call in calls)
    return (
        f"{HEADER}#ifndef COREWISE_PMPI_CALLS_TABLE_H\n#define COREWISE_PMPI_CALLS_TABLE_H\n\n"
        f"#include <corewise_formats/profile.h>\n\nenum cw_call_number {{\n{numbers}  CW_N_CALLS\n}};\n\n"
        "extern const struct cw_profile_call cw_calls[CW_N_CALLS];\n\n#endif\n"
    )


def table_source(calls: list[Call]) -> str:
    rows = "".join(
        f'    {{"{call.name}", CW_LAYER_{call.layer.upper()}, CW_FLOW_{call.flow.upper()}, {{0}}}},\n'
        for call in calls
    )
    include = '#include "calls_table.h"\n\n'
    return f"{HEADER}{include}const struct cw_profile_call cw_calls[CW_N_CALLS] = {{\n{rows}}};\n"


def _call_of(function: str, call: Call, read: tuple[str, ...], head: str, fortran: bool) -> str:
    """The statement that calls `function` with `head` and those arguments of the call that it reads.

    `a*b` is a product of two of them, and a word that is no argument stands for itself.
    """
    by_name = {arg.name: arg for arg in call.args}

    def value(word: str) -> str:
        if "*" in word:
            return " * ".join(value(factor) for factor in word.split("*"))
        argument = by_name.get(word)
        return word if argument is None else argument.in_fortran() if fortran else argument.in_c()

    return f"{function}({', '.join([head, *map(value, read)])});"


def _record(call: Call, recorder: Recorder, head: str, fortran: bool) -> str:
    """The statement that calls a recorder; `head` holds its first arguments."""
    return _call_of(f"cw_record_{recorder[0]}", call, recorder[1], head, fortran)


def _recording(call: Call, span: str, fortran: bool) -> list[str]:
    """What is done after a call that succeeded; `span` points to its span."""
    head = f"{call.number}, {span}"
    record = f"  {_record(call, call.record, head, fortran)}"
    if not call.persistent:
        return [record]
    end = ("persistent_end", (call.persistent,))
    return [f"  cw_record_persistent_begin({span});", record, f"  {_record(call, end, head, fortran)}"]


@dataclass(frozen=True)
class Wrapper:
    """A wrapper to be written: `forward` is the PMPI call, `result` the error code after it."""

    call: Call
    entry: str
    parameters: str
    forward: str
    result: str
    fortran: bool

    @property
    def kind(self) -> str:
        return "void" if self.fortran else "int"

    @property
    def forward_line(self) -> str:
        return f"{self.forward};" if self.fortran else f"const int result = {self.forward};"

    @property
    def return_lines(self) -> list[str]:
        return [] if self.fortran else ["return result;"]


def _function(head: str, lines: list[str]) -> str:
    return f"{head} {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def watched_form(wrapper: Wrapper, watched: str) -> str:
    """The function that makes the call where observers watch it."""
    call, fortran = wrapper.call, wrapper.fortran
    lines = ["struct cw_watch watch;", f"cw_watch_begin(&watch, gate, {call.number});"]
    lines += [_call_of(f"cw_watch_{name}", call, args, "&watch", fortran) for name, args in call.watched]
    lines.append("cw_watch_before(&watch);")
    if call.before:
        lines.append(_record(call, call.before, "&watch.span", fortran))
    lines += [wrapper.forward_line, f"if (cw_watch_end(&watch, {wrapper.result})) {{"]
    lines += [*_recording(call, "&watch.span", fortran), "}", "cw_watch_after(&watch);"]
    head = f"static CW_WATCHED {wrapper.kind} {watched}({wrapper.parameters}, uintptr_t gate)"
    return _function(head, lines + wrapper.return_lines)


def outer_form(wrapper: Wrapper, watched: str, names: str) -> str:
    """The function that has MPI's name."""
    lines = ["struct cw_span span;"]
    other = f"{watched}({names}, span.gate)"
    if wrapper.fortran:
        lines += ["if (!cw_enter(&span)) {", f"  {wrapper.forward};", "  return;", "}"]
        lines += ["if (cw_is_watched(&span)) {", f"  {other};", "  return;", "}"]
    else:
        lines += [f"if (!cw_enter(&span)) return {wrapper.forward};"]
        lines += [f"if (cw_is_watched(&span)) return {other};"]
    call = wrapper.call
    if call.before:
        lines.append(_record(call, call.before, "&span", wrapper.fortran))
    lines += [wrapper.forward_line, f"if (cw_succeeded(&span, {wrapper.result})) {{"]
    lines += [*_recording(call, "&span", wrapper.fortran), "}", "cw_leave(&span);"]
    return _function(
        f"CW_WRAPPER {wrapper.kind} {wrapper.entry}({wrapper.parameters})", lines + wrapper.return_lines
    )


def both_forms(wrapper: Wrapper, names: str) -> str:
    """The wrapper, behind the form of it that it goes over to where the call is watched."""
    watched = f"watched_{wrapper.entry}"
    return watched_form(wrapper, watched) + outer_form(wrapper, watched, names)


def c_wrapper(call: Call, family: str) -> str:
    """The wrapper of MPI_X, which forwards to PMPI_X.

    Handles of MPICH are ints. Where the loaded MPI turns out to be one whose handles are pointers, they must
    pass whole: so the wrapper takes and passes on what fills their registers, under a name of its own in C.
    """
    names = ", ".join(arg.name for arg in call.args)
    target, entry, head = f"P{call.name}", call.name, f"#pragma weak P{call.name}\n"
    args = call.args
    if family == "mpich" and any(arg.is_handle for arg in args):
        args = tuple(replace(arg, type="intptr_t") if arg.is_handle else arg for arg in args)
        declarations = ", ".join(arg.declaration for arg in args)
        target, entry = f"cw_next_{call.name}", f"cw_{call.name}"
        head = (
            f'extern int {target}({declarations}) __asm__("P{call.name}") __attribute__((weak));\n'
            f'CW_WRAPPER int {entry}({declarations}) __asm__("{call.name}");\n'
        )
    declarations = ", ".join(arg.declaration for arg in args)
    wrapper = Wrapper(call, entry, declarations, f"{target}({names})", "result", fortran=False)
    return head + both_forms(wrapper, names)


def fortran_wrappers(call: Call, family: str) -> str:
    """One wrapper for each entry point of the family; all arguments are addresses and pass unchanged."""
    if call.name.endswith("_c") or (family == "mpich" and any(arg.is_buffer for arg in call.args)):
        return ""
    names = [arg.name for arg in call.args] + ["ierror"]
    parameters = ", ".join(f"void *{name}" for name in names)
    stem = call.name.removeprefix("MPI_").lower()
    text = ""
    for entry, target, other in FORTRAN_NAMES[family]:
        entry, target, other = entry.format(stem), target.format(stem), other.format(stem)
        forward = target if other == target else f"({target} != 0 ? {target} : {other})"
        passed = ", ".join(names)
        result = "cw_fortran_result(ierror)"
        for symbol in sorted({target, other}):
            text += f"extern void {symbol}({parameters}) __attribute__((weak));\n"
        wrapper = Wrapper(call, entry, parameters, f"{forward}({passed})", result, fortran=True)
        text += both_forms(wrapper, passed)
    return text


def c_source(calls: list[Call], family: str) -> str:
    return HEADER + '#include "wrapper.h"\n\n' + "\n".join(c_wrapper(call, family) for call in calls)


def fortran_source(calls: list[Call], family: str) -> str:
    wrappers = [fortran_wrappers(call, family) for call in calls]
    return HEADER + '#include "wrapper.h"\n\n' + "\n".join(text for text in wrappers if text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", type=Path)
    parser.add_argument("--family", choices=sorted(FORTRAN_NAMES), required=True)
    parser.add_argument("--prototypes", type=Path, required=True)
    parser.add_argument("-o", dest="folder", type=Path, required=True)
    options = parser.parse_args()
    calls = read_calls(
        tomllib.loads(options.table.read_text()), declared_functions(options.prototypes.read_text())
    )
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "calls_table.h").write_text(table_header(calls))
    (options.folder / "calls_table.c").write_text(table_source(calls))
    (options.folder / "wrappers_c.c").write_text(c_source(calls, options.family))
    (options.folder / "wrappers_fortran.c").write_text(fortran_source(calls, options.family))


if __name__ == "__main__":
    main()
