# make setup: install everything into .venv.  make demo: the main job on a real program.  make test: the quick tests.
# make docs: the documentation site, build/docs/html.  make test-all: every tier, on emulated clusters too (40 minutes).  Each does the
# set-up that it needs.  make install DESTDIR= PREFIX=: for a distribution's package, without .venv.
.PHONY: setup demo docs install test test-all lint clean

setup:
	@scripts/setup

demo:
	@scripts/setup --demo
	@scripts/demo

docs:
	@scripts/setup --docs
	@scripts/docs

install:
	@scripts/install

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
