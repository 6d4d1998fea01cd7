# make setup: install everything into .venv.  make demo: the main job on a real program.  make test: all tests but those on clusters.
# make docs: the documentation site, build/docs/html.  make test-lab: tests on clusters and machines that this machine emulates.  Each does the set-up that it needs.
.PHONY: setup demo docs test test-lab lint clean

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

test-lab:
	@scripts/setup --lab
	@scripts/test clusters

lint:
	@scripts/setup --test
	@scripts/lint

clean:
	rm -rf build .venv demo-out
