"""For runs: starts programs, observes their ranks, records conditions, replays steering logs."""

from corewise.nouns.load import Load
from corewise.observe.conditions import conditions, load_now
from corewise.start.application import parse_application
from corewise.start.exchangeable import refuse_exchangeable
from corewise.start.folder import private_folder, refuse_foreign_link
from corewise.start.launching import printed_by, start, write_files
from corewise.start.process import TIMED_OUT
from corewise.start.programs import launcher_of
from corewise.start.streams import Streams
from corewise.steering.machine import LOG_FIRST_LINE
from corewise.steering.replay import intervals, replay

__all__ = [
    "LOG_FIRST_LINE",
    "TIMED_OUT",
    "Load",
    "Streams",
    "conditions",
    "intervals",
    "launcher_of",
    "load_now",
    "parse_application",
    "printed_by",
    "private_folder",
    "refuse_exchangeable",
    "refuse_foreign_link",
    "replay",
    "start",
    "write_files",
]
