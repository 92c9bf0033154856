# The developer interface; CI calls the same targets. Needs Python 3.11 or newer, nothing else.
#   make run      install if needed, then serve the app at http://localhost:8501
#   make test     install if needed, a real Chromium included, then lint and all tests, shuffled
#                 (SEED=17 for the order of a run that said so in its first lines)
#   make lint     only the style and the types of the code, and that scripts and styles can be parsed
#   make bench    speed, each figure beside the thing it is compared with
#   make load     a class of thirty through all lessons, a hundred openings, nginx, an attack: 19
#                 minutes (LOAD=class for one; LOAD="class seconds=30 n_learners=8" for a try)
#                 LOAD=room: 60 learners in one room, guesses, votes and sentences counted exactly: 5 minutes
#                 LOAD=faults: full disk, killed processes, read-only folder, another Streamlit:
#                 what the page says, what was lost; 4 minutes (LOAD="faults disk" for one)
#                 LOAD=memory: which class dies within a container of 690 or 1,000 MB, and what its
#                 learners find afterwards; 25 minutes (LOAD="memory trains_690" for one)
#   make pocket   the first hour of the course as one HTML file, in dist/: docs/pocket.md
#                 (APP=https://our.example for links to the lessons of that app)
#   make site     a static site for readers and search engines, in dist/site: a page a lesson, docs
#                 and the pocket edition (APP= the course to link to, SITE= its own address)
#   make release VERSION=1.9.0   tag it, and build what is handed out with it, in dist/1.9.0: the
#                 wheel, the pocket edition, the source and their SHA256SUMS; pushes nothing
#   make pictures the pictures of the README, taken anew; make film its film of 20 seconds
#   make newest   all tests with the newest versions of all packages, in an environment of its own
#   make licences the licences of all packages that the app installs; LICENSES.md has our own
#   make audit    known vulnerabilities of these packages, asked of osv.dev (OSV= another address)
#   make lock     requirements-lock.txt anew: the hashes of what requirements.txt installs
#   make lesson NAME=my_topic   a lesson of your own to begin with, in ../my_lessons (LESSONS=...):
#                 docs/a_lesson_of_your_own.md
#   make stored   all results that the lessons have in store, computed anew (hours)
#   make clean    remove what the other targets made

PYTHON ?= python3
PORT ?= 8501
TESTS ?=
SEED ?=
BENCH ?=
LOAD ?=
STORED ?=
HASHES ?=
OSV ?=
NAME ?=
APP ?=
SITE ?=
VERSION ?=
LESSONS ?= ../my_lessons

VENV := .venv
PY := $(VENV)/bin/python
# Each server that a test starts finds the app compiled by the one before, whatever is set here.
ALL_TESTS := PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(PY) -m pytest -n 3 --dist worksteal
ORDER := $(if $(SEED),--random-order-seed=$(SEED))
# pip's progress bars fill a log with thousands of lines.
PIP_INSTALL := $(PY) -m pip install --disable-pip-version-check --progress-bar off --quiet

.PHONY: run test lint bench load pocket site release pictures film newest licences audit lock lesson stored clean install install-dev
.PHONY: chromium nginx redis

run: install
	$(PY) -m streamlit run app.py --server.port $(PORT)

# Three processes share two cores: each keeps neighbouring tests, so that what a module makes for
# all its tests is made once, and torch starts no second thread to wait for the first. One begins
# with the tests of servers, which wait a lot, one opens all pages, one computes, and each takes a
# share of what is left (tests/collecting.py). A plug-in shuffles modules and the tests of each
# (pyproject.toml).
test: install-dev chromium nginx redis lint
	$(if $(TESTS),$(PY) -m pytest $(TESTS),$(ALL_TESTS)) $(ORDER)

lint: install-dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m ty check
	$(PY) -m tools.browser_code

bench: install-dev chromium
	$(PY) -m bench.run $(BENCH)

load: install-dev nginx redis
	$(PY) -m bench.load.run $(LOAD)

pocket: install
	$(PY) -m pocket.build --app "$(APP)"

site: install-dev
	$(PY) -m tools.site --app "$(APP)" --site "$(SITE)"

release: install-dev
	$(PY) -m tools.release "$(VERSION)"

pictures: install-dev chromium
	$(PY) -m bench.pictures

licences: install
	@$(PY) -m tools.licences

film: install-dev chromium
	$(PY) -m bench.pictures film

newest:
	$(PYTHON) -m tools.newest

# In an environment of its own: the app needs none of it.
audit:
	@test -x .audit/bin/pip-audit || { $(PYTHON) -m venv .audit && .audit/bin/python -m pip install \
	  --disable-pip-version-check --progress-bar off --quiet pip-audit==2.10.1; }
	@grep -oh '^[A-Za-z][^ ]*==[^ ]*' requirements-lock.txt > .audit/pins.txt
	@grep -o '^torch==[^ ]*' requirements.txt >> .audit/pins.txt
	.audit/bin/pip-audit --no-deps --disable-pip -s osv $(if $(OSV),--osv-url $(OSV)) -r .audit/pins.txt

lock: install
	$(PY) tools/lock.py

lesson: install
	@$(PY) -m tools.new_lesson "$(NAME)" "$(LESSONS)"

# STORED="maps figures" does these steps alone, STORED="--skip finetuned" all others.
stored: install
	$(PY) -m tools.stored_results $(STORED)

clean:
	rm -rf $(VENV) .newest .audit .pytest_cache .ruff_cache .hypothesis
	find app.py mlm_core pages tests bench -name __pycache__ -prune -exec rm -rf {} +

# A copy of the installed requirements lies in the environment, so that nothing is asked of the
# network when nothing changed. Time stamps would not do: a checkout touches every file. On the
# lock file's platform its wheels are taken by their hashes first (tools/lock.py); only where the
# index lacks one of these versions does requirements.txt alone decide. umap-learn is compiled
# here, in half a minute that a learner's first map need not wait for.
install: $(VENV)/bin/pip
	@cat requirements.txt requirements-lock.txt | cmp -s - $(VENV)/installed.txt || { \
	  echo "Installing what the app needs (minutes the first time) ..." && \
	  if [ "$(HASHES)" != no ] && $(PY) tools/lock.py --fits; then \
	    $(PIP_INSTALL) --no-deps --require-hashes -r requirements-lock.txt \
	        2> $(VENV)/by-hashes.txt || { \
	      cat $(VENV)/by-hashes.txt >&2; \
	      grep -q "No matching distribution found" $(VENV)/by-hashes.txt || { \
	        echo "Stopped: pip did not install requirements-lock.txt by its hashes (see above). If" \
	          "you trust a package index that has other files: make install HASHES=no" >&2; \
	        exit 1; }; \
	      echo "NOT by the hashes of requirements-lock.txt (see above): by requirements.txt"; }; \
	  fi && \
	  $(PIP_INSTALL) -r requirements.txt && \
	  $(PY) -c "from mlm_core.embeddings import umap_fit; umap_fit.compile_umap_learn()" && \
	  cat requirements.txt requirements-lock.txt > $(VENV)/installed.txt; }

install-dev: install
	@cat requirements.txt requirements-dev.txt | cmp -s - $(VENV)/installed-dev.txt || { \
	  echo "Installing what the tests need ..." && $(PIP_INSTALL) -r requirements-dev.txt && \
	  cat requirements.txt requirements-dev.txt > $(VENV)/installed-dev.txt; }

chromium: install-dev
	@sh tests/browser/install_chromium.sh $(PY)

nginx: install-dev
	@sh tests/deploy/unpack_server.sh nginx $(VENV)/nginx

redis: install-dev
	@sh tests/deploy/unpack_server.sh redis $(VENV)/redis

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$(PYTHON) is missing or older than 3.11: install Python 3.11 or newer, or name one:" \
	    "make PYTHON=/path/to/python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "Python could not make an environment; on Debian and Ubuntu first:" \
	    "apt-get install python3-venv"; exit 1; }
