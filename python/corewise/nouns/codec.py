"""The codec of all nouns: converts them to JSON documents and back, with the field's path in errors."""

from __future__ import annotations

import re
import reprlib
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, TypeVar

import msgspec
from msgspec import inspect, structs

from corewise.errors import InputError
from corewise.files.document import read_json
from corewise.files.table import MOST_INDEX, Table, check_format, shown
from corewise.files.whole_file import write_whole
from corewise.text.escaping import json_text

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")
FilePath = str | PathLike[str]

Index = Annotated[int, msgspec.Meta(ge=0, le=MOST_INDEX)]
Count = Annotated[int, msgspec.Meta(ge=1, le=MOST_INDEX)]
Number = Annotated[float, msgspec.Meta(ge=-sys.float_info.max, le=sys.float_info.max)]  # finite
Seconds = Annotated[float, msgspec.Meta(ge=0, le=sys.float_info.max)]


class WrongField(InputError, ValueError):
    """An error in a field of a noun; the codec prepends the file and the path of the field."""

    def __init__(self, field: str, what: str) -> None:
        super().__init__(f"{field}{what}", field=field)


class FieldError(WrongField):
    """A field whose value has the right type, but contradicts other fields or breaks a rule."""

    def __init__(self, field: str, found: object, expected: str) -> None:
        super().__init__(field, f" is {shown(found)}; expected {expected}")


class Noun(msgspec.Struct, frozen=True):
    """Base class of all nouns. Fields are the keys of the JSON document; unknown keys are ignored.

    * `FORMAT`: the name of the file format, for nouns that have a file.
    * `VERSION`: of the document; a reader refuses any other. The JSON schema (scripts/schemas.py) shows it.
    * `DERIVED`: properties that are written for readers of the document, and not read back.
    * `LEFT_OUT`: fields that are not written while they have their default value.
    * `FLAT`: the key of a list. The fields of a single item are written in place of the list.
    """

    FORMAT: ClassVar[str] = ""
    VERSION: ClassVar[int] = 1
    WRITTEN_BY: ClassVar[str] = "corewise"
    DERIVED: ClassVar[tuple[str, ...]] = ()
    LEFT_OUT: ClassVar[tuple[str, ...]] = ()
    FLAT: ClassVar[str] = ""

    def __repr__(self) -> str:
        """All fields; of long lists, the first entries."""
        fields = (f"{name}={_SHORT.repr(getattr(self, name))}" for name in self.__struct_fields__)
        return f"{type(self).__name__}({', '.join(fields)})"

    def to_json(self) -> dict[str, Any]:
        """The document, as the file contains it and `--json` prints it."""
        document: dict[str, Any] = {"format": self.FORMAT, "version": self.VERSION} if self.FORMAT else {}
        for key, name, default in _written(type(self)):
            value = getattr(self, name)
            if default is _NEVER or value != default:
                document[key] = plain(value)
        if self.FLAT and len(document[self.FLAT]) == 1:
            document |= document.pop(self.FLAT)[0]
        return document

    @classmethod
    def stands_in(cls, path: FilePath) -> bool:
        """Whether the file contains this noun, according to its "format"."""
        try:
            return read_json(Path(path), f"what `{cls.WRITTEN_BY}` writes").values.get("format") == cls.FORMAT
        except InputError:
            return False

    def write(self, path: FilePath) -> None:
        """Writes the file whole, one line for each field."""
        lines = [f" {json_text(key)}: {json_text(value)}" for key, value in self.to_json().items()]
        write_whole(Path(path), "{\n" + ",\n".join(lines) + "\n}\n")

    @classmethod
    def read(cls, path: FilePath) -> Self:
        """Reads the file; raises InputError naming file and field."""
        return cls.from_table(read_json(Path(path), f"what `{cls.WRITTEN_BY}` writes"))

    @classmethod
    def from_table(cls, top: Table) -> Self:
        """The noun in a document; raises InputError naming file and field."""
        if cls.FORMAT:
            check_format(top, cls.FORMAT, cls.VERSION)
        if cls.FLAT and not top.holds(cls.FLAT):
            top = replace(top, values=top.values | {cls.FLAT: [top.values]})
        return decoded(cls, top)


_SHORT = reprlib.Repr()
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 8
_SHORT.maxother = _SHORT.maxstring = _SHORT.maxlong = _SHORT.maxlevel = sys.maxsize

_NEVER = object()  # equals no value, so that the field is always written


@cache
def _written(kind: type[Noun]) -> list[tuple[str, str, Any]]:
    """(key, attribute, value that is not written) of each entry of a document, in order."""
    fields = structs.fields(kind)
    left_out = {field.name: _default(field) for field in fields if field.name in kind.LEFT_OUT}
    written = [(field.encode_name, field.name, left_out.get(field.name, _NEVER)) for field in fields]
    return written + [(name, name, _NEVER) for name in kind.DERIVED]


def _default(field: structs.FieldInfo) -> Any:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


class Wire(NamedTuple):
    """How a type that is not a noun is converted to a value of `kind` for documents, and back."""

    kind: Any
    to_kind: Callable[[Any], Any]
    from_kind: Callable[[Any], Any]


_NUMBER = inspect.IntType | inspect.FloatType
_PLAIN = {str, int, float, bool, type(None)}
WIRES: dict[type, Wire] = {}  # of types of the C++ core, and of lists that are written as text


def plain(value: Any) -> Any:
    """A field's value in the types of JSON."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Noun):
        return value.to_json()
    if wire := WIRES.get(type(value)):
        return plain(wire.to_kind(value))
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return list(value) if _PLAIN.issuperset(map(type, value)) else [plain(item) for item in value]
    return value


def decoded(kind: type[T], top: Table) -> T:
    """The table converted to a `kind`; raises InputError naming file and field."""
    try:
        return msgspec.convert(top.values, kind, dec_hook=_from_wire)
    except msgspec.ValidationError as error:
        field, what = _facts(kind, top.values, error)
        raise top.refused(field, what) from error


def _from_wire(kind: type, value: Any) -> Any:
    wire = WIRES[kind]
    try:
        return wire.from_kind(msgspec.convert(value, wire.kind, dec_hook=_from_wire))
    except msgspec.ValidationError as error:
        raise WrongField(*_facts(wire.kind, value, error)) from error
    except InputError as error:
        field = error.field or ""
        raise WrongField(field, str(error).removeprefix(field)) from error


_MESSAGE = re.compile(r"(?s)(.*?)(?: - at `(?:key in )?\$(.*)`)?")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")


def _facts(kind: Any, document: Any, error: msgspec.ValidationError) -> tuple[str, str]:
    """The field and what is wrong, as in `node[1]` and ` is -1; expected a whole number from 0 to 9`."""
    match = _MESSAGE.fullmatch(str(error))
    assert match
    message, path = match[1], match[2] or ""
    field, found, expected = "", document, inspect.type_info(kind)
    for key, index in _STEP.findall(path):
        step = key or (_wrong_key(expected, found) if index == "..." else int(index))
        found, expected = found[step], _inside(expected, step)
        field = _joined(field, f"[{step}]" if isinstance(step, int) else step)
    if missing := re.search(r"missing required field `(.*)`", message):
        expected = _inside(expected, missing[1])
        return _joined(field, missing[1]), f" is missing; expected {_expected(expected)}"
    cause = error.__cause__
    if isinstance(cause, InputError) and cause.field:
        return _joined(field, cause.field), str(cause).removeprefix(cause.field)
    if isinstance(cause, InputError):
        return field, f": {cause}" if field else str(cause)
    return field, f" is {'missing' if found is None else shown(found)}; expected {_expected(expected)}"


def _joined(field: str, inner: str) -> str:
    return f"{field}{'.' if field and not inner.startswith('[') else ''}{inner}"


def _plain_type(kind: inspect.Type, with_items: bool = False) -> inspect.Type:
    """The type without `| None` and without metadata such as bounds.

    If a field may be a value or a list of values: the type of the value, or of the list if `with_items`.
    """
    if isinstance(kind, inspect.UnionType):
        kinds = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
        return _plain_type(kinds[-1 if with_items else 0])
    if isinstance(kind, inspect.CustomType):
        return _plain_type(inspect.type_info(WIRES[kind.cls].kind))
    return _plain_type(kind.type, with_items) if isinstance(kind, inspect.Metadata) else kind


def _inside(kind: inspect.Type, step: str | int) -> inspect.Type:
    """The type of the field, entry or item `step`."""
    kind = _plain_type(kind, with_items=True)
    if isinstance(kind, inspect.StructType):
        return next(field.type for field in kind.fields if field.encode_name == step)
    if isinstance(kind, inspect.DictType):
        return kind.value_type
    if isinstance(kind, inspect.TupleType) and isinstance(step, int):
        return kind.item_types[step]
    assert isinstance(kind, inspect.ListType)
    return kind.item_type


def _wrong_key(kind: inspect.Type, values: dict[str, Any]) -> str:
    """The key of the first value of a wrong type, which msgspec's message does not name."""
    value_type = _inside(kind, "")
    return next((key for key, value in values.items() if not _fits(value_type, value)), next(iter(values)))


def _fits(kind: inspect.Type, value: Any) -> bool:
    kind = _plain_type(kind, with_items=isinstance(value, list))
    if isinstance(kind, inspect.ListType):
        return isinstance(value, list) and all(_fits(kind.item_type, item) for item in value)
    if isinstance(kind, _NUMBER):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return not isinstance(kind, inspect.StrType) or isinstance(value, str)


def _expected(kind: inspect.Type) -> str:
    kind = _plain_type(kind)
    if isinstance(kind, _NUMBER):
        word = "a whole number" if isinstance(kind, inspect.IntType) else "a finite number"
        bounds = [f"from {kind.ge}"] if kind.ge not in (None, -sys.float_info.max) else []
        bounds += [f"to {kind.le}"] if kind.le not in (None, sys.float_info.max) else []
        return " ".join([word, *bounds])
    if isinstance(kind, inspect.LiteralType):
        return f"one of {', '.join(map(str, kind.values))}"
    if isinstance(kind, inspect.ListType):
        return f"a list, each entry {_expected(kind.item_type)}"
    if isinstance(kind, inspect.TupleType):
        numbers = all(isinstance(_plain_type(one), _NUMBER | inspect.LiteralType) for one in kind.item_types)
        return f"{len(kind.item_types)} numbers" if numbers else f"a list of {len(kind.item_types)}"
    names = {inspect.StrType: "a text", inspect.BoolType: "true or false", inspect.AnyType: "a value"}
    return names.get(type(kind), "a table")
