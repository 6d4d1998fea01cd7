# make setup: install everything into .venv.  make demo: the main job on a real program.  make test: the quick tests.
# make docs: the documentation site, build/docs/html.  make test-all: every tier, on emulated clusters too (40 minutes).  Each does the set-up that it needs.
.PHONY: setup demo docs test test-all lint clean

setup:
	@scripts/setup

demo: setup
	@scripts/demo

docs:
	@scripts/setup --docs
	@scripts/docs

test:
	@scripts/setup --test
	@scripts/test

test-all:
	@scripts/setup --lab
	@scripts/test lint unit asan tsan mpi lab clusters

lint:
	@scripts/setup --test
	@scripts/lint

clean:
	rm -rf build .venv demo-out
