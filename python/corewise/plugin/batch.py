"""For commands that run as jobs of a batch system: their options, submitting, and the queue."""

from corewise.batch.submitting import QueuedTask, queued_tasks, submit
from corewise.cli.submit_options import SubmitTo, submit_options, this_command

__all__ = ["QueuedTask", "SubmitTo", "queued_tasks", "submit", "submit_options", "this_command"]
