"""Steering: a job's ranks change cores while it runs, and its log tells why."""
