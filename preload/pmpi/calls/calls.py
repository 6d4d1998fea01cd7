"""Reads calls.toml: arguments of each MPI call, its other forms, and what observers need to know about it.

Uses only the standard library.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

COUNTS = {"count", "sendcount", "recvcount", "sendcounts", "recvcounts"}
COUNTS |= {"origin_count", "target_count", "result_count"}
DISPLACEMENTS = {"displs", "sdispls", "rdispls"}
FLOWS = {"none", "from_root", "to_root", "all_pairs", "through_first", "chain"}
# Calls of MPI-IO that are collective: all processes of the file make them, and may wait for each other.
IO_OF_ALL = re.compile("_(all|ordered|open|close|set_size|preallocate|set_view|seek_shared|sync)(_|$)")
HANDLES = {
    f"MPI_{kind}"
    for kind in ("Comm", "Datatype", "Errhandler", "Group", "Info", "Message", "Op", "Request", "Win")
}


@dataclass(frozen=True)
class Argument:
    """One parameter of a C prototype: `type name` or `type name[]`."""

    type: str
    name: str
    is_array: bool

    @classmethod
    def parse(cls, text: str) -> Argument:
        """Raises ValueError if the text is not a parameter."""
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
        """A choice buffer in Fortran's terms: its address is passed. MPI_Win_allocate's `baseptr` is none."""
        return self.type in ("void *", "const void *") and self.name != "baseptr"

    @property
    def is_text(self) -> bool:
        """A string. Fortran passes its length, a size_t, after all other arguments (gfortran 8 and later)."""
        return self.type in ("const char *", "char *", "char **")

    @property
    def length(self) -> str:
        """Name of the Fortran wrapper's argument with the string's length."""
        return f"{self.name}_length"

    def widened(self) -> Argument:
        """The parameter of the large-count form (MPI 4.0, 19.2)."""
        if self.name in COUNTS:
            return replace(self, type=re.sub(r"\bint\b", "MPI_Count", self.type))
        if self.name in DISPLACEMENTS:
            return replace(self, type=re.sub(r"\bint\b", "MPI_Aint", self.type))
        return self

    def in_c(self) -> str:
        """The C expression that a C wrapper passes to a recorder."""
        if self.is_buffer:
            return f"{self.name} == MPI_IN_PLACE"
        if self.is_array:
            kind, second = _array(self.type)
            return f"(struct {kind}){{{self.name}, {second or 'false'}}}"
        if self.is_text:
            return f"cw_text_in_c({self.name})"
        if self.type == "int *" or (self.type.removesuffix(" *") in HANDLES and not self.is_handle):
            return f"cw_comm_at({self.name})" if self.type == "MPI_Comm *" else f"*{self.name}"
        return self.name

    def in_fortran(self) -> str:
        """The expression that a Fortran wrapper passes to a recorder. All Fortran arguments are addresses."""
        if self.is_buffer:
            return f"cw_fortran_in_place({self.name})"
        if self.is_array:
            kind, second = _array(self.type)
            return f"(struct {kind}){{{self.name}, {second or 'true'}}}"
        if self.is_text:
            return f"(struct cw_text){{{self.name}, {self.length}}}"
        if self.type == "MPI_Count":  # INTEGER(KIND=MPI_COUNT_KIND), of partitioned calls
            return f"*(const MPI_Count *){self.name}"
        value = f"*(const MPI_Fint *){self.name}"
        handle = re.fullmatch(r"MPI_(Comm|Datatype|Message|Request|Win)( \*)?", self.type)
        if handle is None:
            return value
        return f"PMPI_{'Type' if handle[1] == 'Datatype' else handle[1]}_f2c({value})"


def _array(element: str) -> tuple[str, str]:
    """The struct that passes an array to a recorder, and its second field; "": it depends on the language."""
    element = element.removeprefix("const ")
    if element in ("int", "MPI_Count"):
        return "cw_counts", "true" if element == "MPI_Count" else "false"
    return {"MPI_Datatype": "cw_types", "MPI_Request": "cw_requests"}[element], ""


# Of the function cw_record_<name>: its name and the names of the call's arguments that it reads.
Recorder = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Call:
    """One wrapped call. `before` is the recorder that runs before the call, `record` the one after it."""

    name: str
    layer: str
    args: tuple[Argument, ...]
    record: Recorder
    before: Recorder | None = None
    flow: str = "none"
    persistent: str = ""
    is_declared: bool = True  # in the mpi.h of the build

    @property
    def number(self) -> str:
        return f"CW_{self.name.upper()}"

    @property
    def names(self) -> set[str]:
        return {arg.name for arg in self.args}

    @property
    def status(self) -> str:
        """The argument for statuses of messages; "" if there is none. Statuses of MPI-IO don't count."""
        if self.layer == "io":
            return ""
        return next((name for name in ("status", "array_of_statuses") if name in self.names), "")

    @property
    def takes_requests(self) -> str:
        """The argument with requests that the call may complete or free; "" if there is none."""
        pointers = [arg.name for arg in self.args if arg.type.startswith("MPI_Request") and not arg.is_handle]
        return pointers[0] if pointers and (self.status or self.name == "MPI_Request_free") else ""

    @property
    def n_requests(self) -> str:
        """The number of those requests and of statuses, as an argument's name or a literal."""
        if self.takes_requests != "array_of_requests":
            return "1"
        return "incount" if "incount" in self.names else "count"

    @property
    def posts(self) -> bool:
        """Does it start an operation and return its request?"""
        made = any(arg.type == "MPI_Request *" and not arg.is_array for arg in self.args)
        taken = self.takes_requests or self.persistent or self.takes_message
        return made and not taken and len(self.args) > 1

    @property
    def makes_message(self) -> bool:
        """MPI_Mprobe or MPI_Improbe? Their message can then be received only by its handle."""
        return {"message", "source"} <= self.names

    @property
    def takes_message(self) -> bool:
        """Does it receive the message of an earlier MPI_Mprobe?"""
        return "message" in self.names and not self.makes_message

    @property
    def only_counts(self) -> bool:
        """Does its recorder count only what observers can derive from the messages of the call?"""
        return self.layer == "p2p" and not self.persistent and self.record[0] in ("send", "time")

    @property
    def waits(self) -> bool:
        """Does it return only after a message has arrived or a request is complete?"""
        return self.completes is not None and "flag" not in self.names and "test" not in self.name.lower()

    @property
    def blocks(self) -> bool:
        """May it wait for other processes?"""
        makes_request = any(arg.type.startswith("MPI_Request") for arg in self.args)
        if self.waits or makes_request or "flag" in self.names:
            return self.waits
        if self.layer == "rma":
            return self.name.startswith("MPI_Win_")
        if self.layer == "io":
            return bool(IO_OF_ALL.search(self.name))
        return self.layer == "coll" or not self.names.isdisjoint({"dest", "source"})

    @property
    def completes(self) -> Recorder | None:
        """The function cw_watch_<name> that reads the statuses; its argument `flag` says if there are any."""
        flag = "flag" if "flag" in self.names else "true"
        if not self.status or "MPI_Request" in {arg.type for arg in self.args if not arg.is_array}:
            return None
        if not self.takes_requests and not self.takes_message:
            return ("got", (flag,))
        if "index" in self.names:
            return ("any_done", (flag, "index"))
        if "outcount" in self.names:
            return ("some_done", ("outcount", "array_of_indices"))
        return ("all_done", (flag,))

    @property
    def watched(self) -> list[Recorder]:
        """The functions cw_watch_<name> that describe the call to observers, by the standard's names."""
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
        """MPI_X_c, with counts and displacements as in MPI 4.0."""
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
    """`"send(count, dest)"` -> `("send", ("count", "dest"))`. Raises ValueError for other text."""
    match = re.fullmatch(r"(\w+)\(([\w, ]*)\)", text)
    if match is None:
        raise ValueError(f"{text!r} is no recorder; expected 'name(argument, ...)'")
    return match[1], tuple(word.strip() for word in match[2].split(",") if word.strip())


def parse_row(name: str, layer: str, row: dict) -> list[Call]:
    """The call of a row and its other forms. Raises ValueError for unknown keys, arguments or flows."""
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
    """All calls in the order of the table, even if not declared: a program may run with a newer MPI.

    Large-count forms are included only if they are declared.
    """
    calls = []
    for layer, rows in table.items():
        for name, row in rows.items():
            for call in parse_row(name, layer, row):
                calls.append(replace(call, is_declared=call.name in declared))
                large = call.large_count_form()
                if call.names & COUNTS and large.name in declared:
                    calls.append(large)
    return calls


def declared_functions(prototypes: str) -> set[str]:
    """Names of all functions that a preprocessed mpi.h declares."""
    return set(re.findall(r"\bint\s+(MPI_\w+)\s*\(", prototypes))
