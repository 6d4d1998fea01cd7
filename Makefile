# make setup: install everything into .venv.  make demo: the main job on a real program.  make test: all tests.
# Each does the set-up it needs; run again, they cost nothing.
.PHONY: setup demo test lint clean

setup:
	@scripts/setup

demo: setup
	@scripts/demo

test:
	@scripts/setup --test
	@scripts/test

lint: setup
	@scripts/lint

clean:
	rm -rf build .venv demo-out
