"""Writes the MPI wrappers of the preload library from calls.toml. The output depends only on the input.

    generate.py calls.toml --family openmpi|mpich|abi --prototypes mpi.i -o FOLDER

`mpi.i` is the family's preprocessed mpi.h; large-count forms are wrapped only if it declares them. FOLDER
gets calls_table.h and calls_table.c (numbers, names, layers and flows), wrappers_c.c and wrappers_fortran.c.
Uses only the standard library.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

from calls import Call, Recorder, declared_functions, read_calls

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

# Fortran entry points that do not end up in the C function MPI_X, and so need separate wrappers:
# - Open MPI: mpif.h and `use mpi` call mpi_x_, mpi_f08 calls mpi_x_f08_; none of them calls MPI_X.
# - MPICH: only calls of mpi_f08 without a buffer do not reach MPI_X (tested with 4.0.2).
# - The standard ABI does not define any.
# Each entry: the name, the function to forward to, and that function's name in the other family, in case the
# program has loaded the other family's library.
FORTRAN_NAMES = {
    "abi": [],
    "openmpi": [("mpi_{}_", "pmpi_{}_", "pmpi_{}_"), ("mpi_{}_f08_", "pmpi_{}_f08_", "pmpir_{}_f08_")],
    "mpich": [("mpi_{}_f08_", "pmpir_{}_f08_", "pmpi_{}_f08_")],
}
HEADER = "/* Written by generate.py from calls.toml. */\n"


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
    """The statement that calls `function` with `head` and the arguments of the call named in `read`.

    `a*b` is the product of two arguments. A word that is no argument is used literally.
    """
    by_name = {arg.name: arg for arg in call.args}

    def value(word: str) -> str:
        if "*" in word:
            return " * ".join(value(factor) for factor in word.split("*"))
        argument = by_name.get(word)
        return word if argument is None else argument.in_fortran() if fortran else argument.in_c()

    return f"{function}({', '.join([head, *map(value, read)])});"


def _record(call: Call, recorder: Recorder, head: str, fortran: bool) -> str:
    """The statement that calls a recorder; `head` is its first arguments."""
    return _call_of(f"cw_record_{recorder[0]}", call, recorder[1], head, fortran)


def _recording(call: Call, span: str, fortran: bool) -> list[str]:
    """The statements after a successful call; `span` is a pointer to its span."""
    head = f"{call.number}, {span}"
    record = f"  {_record(call, call.record, head, fortran)}"
    if not call.persistent:
        return [record]
    end = ("persistent_end", (call.persistent,))
    return [f"  cw_record_persistent_begin({span});", record, f"  {_record(call, end, head, fortran)}"]


@dataclass(frozen=True)
class Wrapper:
    """One wrapper: the C function `entry`, which programs call as `symbol`. `forward` is the PMPI call,
    `result` the expression for its error code."""

    call: Call
    entry: str
    symbol: str
    parameters: str
    names: str
    forward: str
    result: str
    fortran: bool
    number: int | None = None  # of this entry point, if a Fortran call has several

    @property
    def repeats(self) -> bool:
        """Does it have a fast path for repeated calls? The most frequent C calls do."""
        call = self.call
        is_plain = not self.fortran and not call.persistent and not call.before and call.layer == "p2p"
        return is_plain and call.record[0] in ("send", "time") and not call.name.endswith("_c")

    @property
    def watched(self) -> str:
        """The function for watched calls."""
        return f"watched_{self.call.name.lower() if self.fortran else self.entry}"

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


def _watched_requests(call: Call, fortran: bool) -> list[str]:
    """The statements that save the request handles before the call and choose where statuses are written."""
    lines = []
    n = call.n_requests
    if call.takes_message:
        lines.append(
            _unless_null("message", _call_of("cw_watch_message", call, ("message",), "&watch", fortran))
        )
    if call.takes_requests:
        array = f"(struct cw_requests){{{call.takes_requests}, {str(fortran).lower()}}}"
        lines.append(_call_of("cw_watch_requests", call, (n, array), "&watch", fortran))
    if call.status:
        language = "fortran_" if fortran else ""
        function = f"{call.status} = cw_watch_{language}statuses"
        lines.append(_call_of(function, call, (n,), "&watch", fortran)[:-2] + f", {call.status});")
    return lines


def _unless_null(name: str, statement: str) -> str:
    """Guards a statement before the call: MPI has not checked its arguments yet."""
    return f"if ({name} != NULL) {statement}"


def _before(call: Call, span: str, fortran: bool) -> list[str]:
    if call.before is None:
        return []
    statement = _record(call, call.before, span, fortran)
    pointers = [name for name in call.before[1] if name in ("request", "array_of_requests")]
    return [_unless_null(pointers[0], statement) if pointers else statement]


def _completing(call: Call, fortran: bool) -> list[str]:
    """The statements after a call, failed or not, that completes operations or finds a message."""
    lines = []
    if call.completes:
        name, args = call.completes
        base = () if name in ("got", "all_done") else (str(int(fortran)),)
        statement = _call_of(f"cw_watch_{name}", call, (*args, *base), "&watch", fortran)
        pointers = [arg for arg in args if arg in call.names]
        lines.append(_unless_null(" != NULL && ".join(pointers), statement) if pointers else statement)
    if call.makes_message:
        statement = _call_of("cw_watch_probed", call, ("message",), "&watch", fortran)
        lines.append(_unless_null("message", statement))
    return lines


def _making_comm(wrapper: Wrapper) -> tuple[list[str], list[str]]:
    """The statements before and after a call that returns a communicator: they detect whether it did."""
    call = wrapper.call
    made = next(
        (arg.name for arg in call.args if arg.type == "MPI_Comm *" and arg.name in call.record[1]), None
    )
    if made is None or wrapper.fortran:
        return [], []
    return [f"const MPI_Comm before = cw_comm_unset({made});"], [f"cw_comm_restore({made}, before);"]


def watched_form(wrapper: Wrapper, forward_line: str) -> str:
    """The function for calls that observers watch. The entry points of a Fortran call share it, each with
    its number."""
    call, fortran = wrapper.call, wrapper.fortran
    lines = ["struct cw_watch watch;", f"cw_watch_begin(&watch, gate, {call.number});"]
    if call.waits:
        lines.append("cw_watch_waits(&watch);")
    if call.blocks:
        lines.append("cw_watch_blocks(&watch);")
    lines += [*_watched_requests(call, fortran), "cw_watch_before(&watch);"]
    lines += _before(call, "&watch.span", fortran)
    unset, restore = _making_comm(wrapper)
    lines += [*unset, forward_line, f"if (cw_watch_end(&watch, {wrapper.result})) {{"]
    for name, args in call.watched:
        lines.append("  " + _call_of(f"cw_watch_{name}", call, args, "&watch", fortran))
    recording = _recording(call, "&watch.span", fortran)
    lines += ["  if (cw_watch_is_counted(&watch))"] * call.only_counts + recording
    if call.posts:
        lines.append("  " + _call_of("cw_watch_posts", call, ("request",), "&watch", fortran))
    if call.takes_message and "request" in call.names:
        lines.append("  " + _call_of("cw_watch_request_of_message", call, ("request",), "&watch", fortran))
    lines += ["}", *restore, *_completing(call, fortran)]
    lines.append("cw_watch_after(&watch);")
    parameters = f"{wrapper.parameters}, uintptr_t gate{'' if wrapper.number is None else ', int entry'}"
    head = f"static CW_OTHER_FORM {wrapper.kind} {wrapper.watched}({parameters})"
    return _function(head, lines + wrapper.return_lines)


def long_form(wrapper: Wrapper, head: str) -> str:
    """The function for any call that is not watched; `head` is the text before its body."""
    lines = ["struct cw_span span;"]
    number = "" if wrapper.number is None else f", {wrapper.number}"
    other = f"{wrapper.watched}({wrapper.names}, span.gate{number})"
    if wrapper.fortran:
        lines += ["if (!cw_enter(&span)) {", f"  {wrapper.forward};", "  return;", "}"]
        lines += ["if (cw_is_watched(&span)) {", f"  {other};", "  return;", "}"]
    else:
        lines += [f"if (!cw_enter(&span)) return {wrapper.forward};"]
        lines += [f"if (cw_is_watched(&span)) return {other};"]
    call = wrapper.call
    lines += _before(call, "&span", wrapper.fortran)
    unset, restore = _making_comm(wrapper)
    lines += [*unset, wrapper.forward_line, f"if (cw_succeeded(&span, {wrapper.result})) {{"]
    lines += _recording(call, "&span", wrapper.fortran)
    if wrapper.repeats:
        name, read = call.record
        lines.append("  " + _call_of(f"cw_repeat_note_{name}", call, read, f"{call.number}, &span", False))
    lines += ["}", *restore, "cw_leave(&span);"]
    return _function(head, lines + wrapper.return_lines)


def _short_form(wrapper: Wrapper, clock: str, head: str, other: str) -> str:
    """The fast path for repeated calls if `clock` ("timed" or "counted") is the current mode; all other calls
    go to the function `other`."""
    call = wrapper.call
    sends = call.record[0] == "send"
    known = _call_of(f"cw_repeat_of_{call.record[0]}", call, call.record[1], call.number, False)
    kind, row = ("const struct cw_repeat*", "known->row, known->bytes") if sends else ROW_ALONE
    lines = [f"if (cw_is_{clock}()) {{", f"  {kind} known = {known}", "  if (known != NULL) {"]
    lines += [f"    const uint64_t begin = cw_begin_{clock}();", f"    {wrapper.forward_line}"]
    lines += [f"    cw_end_{clock}({row}, begin, result);", "    return result;", "  }", "}"]
    return _function(f"{head}({wrapper.parameters})", [*lines, f"return {other}({wrapper.names});"])


ROW_ALONE = ("struct cw_profile_row*", "known, 0")


def short_forms(wrapper: Wrapper, long: str) -> str:
    """Both fast paths. The one without a clock has MPI's name and calls the one with a clock."""
    timed = f"timed_{wrapper.entry}"
    return _short_form(wrapper, "timed", f"static CW_OTHER_FORM int {timed}", long) + _short_form(
        wrapper, "counted", f"CW_WRAPPER int {wrapper.entry}", timed
    )


def other_forms(wrapper: Wrapper) -> str:
    """The wrapper with all forms but the watched one, and its entry in the table of names."""
    parameters = wrapper.parameters
    row = f'CW_NAME({wrapper.entry}, "{wrapper.symbol}")\n'
    if not wrapper.repeats:
        head = f"CW_WRAPPER {wrapper.kind} {wrapper.entry}({parameters})"
        return long_form(wrapper, head) + row
    long = f"long_{wrapper.entry}"
    head = f"static CW_OTHER_FORM int {long}({parameters})"
    return long_form(wrapper, head) + short_forms(wrapper, long) + row


def c_wrapper(call: Call, family: str) -> str:
    """The wrapper of MPI_X, which forwards to PMPI_X.

    In MPICH handles are ints, but the loaded MPI may have pointers as handles. The wrapper for MPICH declares
    handles as intptr_t, which passes the whole register, and so needs another name in C than MPI_X.
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
    forward = f"{target}({names})"
    if not call.is_declared:
        head = f"extern int {target}({declarations});\n" + head
    wrapper = Wrapper(call, entry, call.name, declarations, names, forward, "result", fortran=False)
    return head + watched_form(wrapper, wrapper.forward_line) + other_forms(wrapper)


def fortran_wrappers(call: Call, family: str) -> str:
    """A wrapper for each Fortran entry point of the family. All arguments are addresses."""
    if call.name.endswith("_c") or (family == "mpich" and any(arg.is_buffer for arg in call.args)):
        return ""
    lengths = [arg.length for arg in call.args if arg.is_text]
    names = [*(arg.name for arg in call.args), "ierror", *lengths]
    parameters = ", ".join(f"{'size_t ' if name in lengths else 'void *'}{name}" for name in names)
    stem = call.name.removeprefix("MPI_").lower()
    passed = ", ".join(names)
    head, wrappers, entries = "", [], FORTRAN_NAMES[family]
    for number, (entry, target, other) in enumerate(entries):
        entry, target, other = entry.format(stem), target.format(stem), other.format(stem)
        forward = target if other == target else f"({target} != 0 ? {target} : {other})"
        for symbol in sorted({target, other}):
            head += f"extern void {symbol}({parameters}) __attribute__((weak));\n"
        wrapper = Wrapper(
            call,
            entry,
            entry,
            parameters,
            passed,
            f"{forward}({passed})",
            "cw_fortran_result(ierror)",
            fortran=True,
            number=number if len(entries) > 1 else None,
        )
        wrappers.append(wrapper)
    if not wrappers:
        return ""
    # Direct calls: the address of a weak function would be resolved when this library is loaded, which may be
    # before MPI is.
    *conditional, last = [wrapper.forward_line for wrapper in wrappers]
    forward_line = "".join(f"if (entry == {i}) {line} else " for i, line in enumerate(conditional)) + last
    return head + watched_form(wrappers[0], forward_line) + "".join(map(other_forms, wrappers))


def c_source(calls: list[Call], family: str) -> str:
    return HEADER + '#include "layer/wrapper.h"\n\n' + "\n".join(c_wrapper(call, family) for call in calls)


def fortran_source(calls: list[Call], family: str) -> str:
    wrappers = [fortran_wrappers(call, family) for call in calls]
    return HEADER + '#include "layer/wrapper.h"\n\n' + "\n".join(text for text in wrappers if text)


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
