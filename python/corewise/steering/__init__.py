"""Steering: ranks change cores while a job runs, and logs explain the decisions."""
