# Footfall. `make demo` and `make test` do everything on a fresh Debian machine with Swift.

SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
SECONDS := 60
PACKAGES := libgsl-dev libsqlite3-dev zlib1g-dev
# One optimized build serves the tests, which see internal declarations, and what is installed: sources are compiled once.
# It has no tables for a debugger, which take a tenth of the compiler's time.
FLAGS := -c release -Xswiftc -enable-testing -debug-info-format none
FOOTFALL := .build/release/footfall
LIBRARY := .build/release/libFootfallC.so
PREFIX ?= /usr/local
RESOURCES := Sources/FootfallReport/FootfallReport.docc

.PHONY: help build build-tests install deb test-deb image test-image wheel test-wheel demo test quick test-python test-r test-accuracy test-cohort test-package mutants r docs bench check fuzz soak notebooks peers lint format packages traces pictures clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

demo: build ## Analyze a shipped trace, record the results and query them
	@./Demo/run.sh $(FOOTFALL)

# The Swift runtime is linked statically: what is built also runs where Swift is not installed.
build: packages ## Build the command and the library for C (release)
	FOOTFALL_STATIC=1 swift build $(FLAGS) --product footfall
	FOOTFALL_STATIC=1 swift build $(FLAGS) --product FootfallC

# The command ends the longest chain of modules. It is built first, so that the tests are compiled side by side. `--build-tests` would
# also build the tools of other packages, and the argument parser a second time for them.
build-tests: packages # Builds all targets and the tests, without running them
	swift build $(FLAGS) --product footfall
	swift build $(FLAGS) --product FootfallC
	swift build $(FLAGS) --product footfallPackageTests

install: build ## Install the command, man pages, completions and licenses under PREFIX (/usr/local)
	rm -rf .build/manual
	Documentation/manual.py $(FOOTFALL) .build/manual
	install -D -m 755 -s $(FOOTFALL) $(DESTDIR)$(PREFIX)/bin/footfall
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 .build/manual/*.1
	$(FOOTFALL) --generate-completion-script bash | install -D -m 644 /dev/stdin \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/footfall
	$(FOOTFALL) --generate-completion-script zsh | install -D -m 644 /dev/stdin \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_footfall
	$(FOOTFALL) --generate-completion-script fish | install -D -m 644 /dev/stdin \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/footfall.fish
	Documentation/notices.sh .build/checkouts $(DESTDIR)$(PREFIX)/share/doc/footfall

deb: ## Build a Debian package in .build
	rm -rf .build/deb
	$(MAKE) install DESTDIR=$(CURDIR)/.build/deb PREFIX=/usr
	Packaging/deb.sh .build/deb .build

test-deb: deb ## Install, run, upgrade and remove the Debian package in a new Debian root (as root)
	Tests/Debian/test.sh .build/deb

# The time of the last commit is that of all files, so that a commit has one image.
image: build .build/notices ## Build a container image in .build, without a container engine
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) Packaging/image.py $(FOOTFALL) .build/notices .build/footfall-image.tar

test-image: build .build/notices ## Build the image twice, compare, and run it with runc (as root)
	Tests/Image/test.sh $(FOOTFALL) .build/notices

.build/notices: build
	rm -rf $@
	Documentation/notices.sh .build/checkouts $@

wheel: build ## Build the Python wheel in .build; needs no Swift where it is installed
	Packaging/wheel.sh $(FLAGS)

test-wheel: wheel ## Install the wheel in a new Debian root without Swift, and run the tests of the package there (as root)
	$(SUDO) Tests/Debian/wheel.sh .build/footfall-*.whl

test: build-tests ## Run all tests, or those whose names contain TESTS
	Tests/run.sh $(if $(TESTS),--filter $(TESTS))

# What computes, without recordings and without the tests that take seconds each.
quick: build-tests ## Run the tests of signal, steps, activities, readers and measures, in 40 s after a build
	FOOTFALL_SHARED=/nowhere Tests/run.sh --filter '^Footfall(Readers|Measures|Evaluation|Simulator)?Tests\.' \
		--skip 'SuspensionTests|NoiseTests|NonWearTests|ImpulseTests|RecognitionTests'

mutants: packages ## Show that a test fails for each error of Tests/Mutants/mutants.toml
	Tests/Mutants/run.py $(MUTANTS)

# The package in Python/ loads the library for C. FOOTFALL_LIBRARY names the one of this build.
test-python: build .build/python/ready ## Test the C interface and the Python package
	Tests/C/run.sh .build/release
	cd Python && ../.build/python/bin/mypy footfall
	cd Python && FOOTFALL_LIBRARY=$(CURDIR)/$(LIBRARY) FOOTFALL_COMMAND=$(CURDIR)/$(FOOTFALL) \
		../.build/python/bin/python -m pytest -q --numprocesses auto

test-r: build r ## Check the R package, run the code of its vignette, and count steps inside GGIR where it is installed
	Tests/R/run.sh .build/release

test-accuracy: build ## Evaluate the recordings of people, and name those whose result has moved
	Tests/Accuracy/guard.py $(FOOTFALL)

# The folder first, then an object store, which is the server of moto.
test-cohort: build .build/cohort/ready ## Kill jobs of the Snakemake workflow and Snakemake itself, and compare the tables
	.build/cohort/bin/python Notebooks/cohort/proof.py $(FOOTFALL)
	.build/cohort/bin/python Notebooks/cohort/proof.py $(FOOTFALL) 30 --store

.build/cohort/ready:
	@command -v python3 >/dev/null && python3 -c 'import ensurepip' 2>/dev/null || { \
		$(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq python3-venv >/dev/null; }
	python3 -m venv --clear .build/cohort
	.build/cohort/bin/pip install --quiet --disable-pip-version-check snakemake==9.27.1 snakemake-storage-plugin-s3==0.3.6 \
		'moto[server]==5.2.5'
	@touch $@

# knitr and markdown make the HTML of the vignette. A user of the package needs neither.
r: # Installs R and what builds and checks a package of it (Debian and derivatives)
	@dpkg -s r-base-dev r-cran-jsonlite r-cran-knitr r-cran-markdown >/dev/null 2>&1 || { $(SUDO) apt-get update -qq && \
		$(SUDO) apt-get install -y -qq --no-install-recommends r-base-dev r-cran-jsonlite r-cran-knitr r-cran-markdown >/dev/null; }

# Modules are compiled when they are imported: most never are.
.build/python/ready: Python/pyproject.toml
	@command -v python3 >/dev/null && python3 -c 'import ensurepip' 2>/dev/null || { \
		$(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq python3-venv >/dev/null; }
	python3 -m venv --clear .build/python
	.build/python/bin/pip install --quiet --disable-pip-version-check --no-compile numpy pytest pytest-xdist mypy==2.4.1 \
		duckdb joblib matplotlib pandas polars pyarrow pingouin==0.7.0 scipy==1.17.1 statsmodels==0.15.0 paho-mqtt==2.2.0 \
		fhir.resources==8.3.0 jsonschema==4.26.0
	@touch $@

test-package: packages ## Compare the packages with the tested versions; build the README's program as a package that depends on this one
	Tests/Package/versions.py
	Tests/Package/run.sh

docs: packages ## Build the documentation of all products into .build/docs and check it
	swift build $(FLAGS)
	Documentation/build.py .build/release/Modules .build/docs

check: ## Run the outer checks whose files have changed since they passed, and record those that pass
	.ci/check

bench: build ## Measure analysis, reading, memory and history; compare with the last run and pandas
	swift run -c release --package-path Tests/Benchmarks --scratch-path .build/benchmarks benchmarks \
		$(FOOTFALL) .build/benchmarks.json

# The scripts that repeat cases; each has --count, --seed and --only. SEED chooses other random numbers.
# A link of what is built: a build beside it changes nothing.
SOAKED := .build/soak/footfall
SOAKS := logs kills disks errors devices hangups histories sessions companions refusals results names drafts races clocks
soak: build .build/soak/ready ## Damage, kill, fill, unplug, hang up: each script for SECONDS (60), or all its cases with FULL=1
	ln -f $(FOOTFALL) $(SOAKED)
	set -e; for name in $(SOAKS); do \
		Tests/Soak/$$name.py $(SOAKED) $(if $(FULL),,--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED)); done
	Tests/Soak/replays.py $(SOAKED) $(if $(FULL),,--count 3) $(if $(SEED),--seed $(SEED))
	Tests/Soak/memory.py $(SOAKED)
	Tests/Soak/metamorphic.py $(SOAKED) $(if $(FOOTFALL_SHARED),$(FOOTFALL_SHARED)/corpus,none) $(if $(FULL),,--count 100)
	Tests/Soak/clients.py $(SOAKED)
	Tests/Soak/api.py $(SOAKED) .build/soak/bin/schemathesis $(if $(FULL),,--count 150)
	.build/soak/bin/python Tests/Soak/automation.py $(SOAKED)

# schemathesis derives requests from the OpenAPI document of the server; jinja2 evaluates the templates of Home Assistant.
.build/soak/ready:
	@command -v python3 >/dev/null && python3 -c 'import ensurepip' 2>/dev/null || { \
		$(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq python3-venv >/dev/null; }
	python3 -m venv --clear .build/soak
	.build/soak/bin/pip install --quiet --disable-pip-version-check schemathesis==4.32.5 jinja2==3.1.6
	@touch $@

fuzz: build build-tests ## Fuzz each reader and the C interface for SECONDS (60), then read 200 variants of each of 20 real logs
	Tests/Fuzz/run.sh $(SECONDS)
	Tests/C/run.sh .build/release $(SECONDS)
	FOOTFALL_VARIANTS=200 Tests/run.sh --filter LogVariantTests

# The programs of the field that run on the same samples. They take minutes to install, so no other target needs them.
peers: build .build/peers/ready ## Compare days with pandas, counts with agcounts, LOGS with actipy and skdh, and BACK with mobgap and kielmat
	.build/peers/bin/python Tests/Peers/days_by_hand.py $(FOOTFALL)
	.build/peers/bin/python Tests/Peers/counts.py $(FOOTFALL) $(filter-out %/gaps.csv,$(wildcard SensorTraces/*.csv))
	$(if $(LOGS),.build/peers/bin/python Tests/Peers/compare.py $(FOOTFALL) $(LOGS))
	$(if $(BACK),.build/peers/bin/python Tests/Peers/gait.py $(FOOTFALL) .build/peers/kielmat/bin/python $(BACK))

.build/peers/ready: Tests/Peers/requirements.txt Tests/Peers/requirements-kielmat.txt
	@command -v python3 >/dev/null && python3 -c 'import ensurepip' 2>/dev/null || { \
		$(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq python3-venv >/dev/null; }
	python3 -m venv --clear .build/peers
	.build/peers/bin/pip install --quiet --disable-pip-version-check --requirement $<
	python3 -m venv .build/peers/kielmat
	.build/peers/kielmat/bin/pip install --quiet --disable-pip-version-check --requirement Tests/Peers/requirements-kielmat.txt
	@touch $@

notebooks: build .build/notebooks/ready ## Run all notebooks
	FOOTFALL=$(CURDIR)/$(FOOTFALL) FOOTFALL_LIBRARY=$(CURDIR)/$(LIBRARY) \
		.build/notebooks/bin/python Notebooks/run.py

# The Python packages of the notebooks, in a virtual environment, and Java for Spark.
.build/notebooks/ready: Notebooks/requirements.txt
	@if ! { command -v java && python3 -c 'import ensurepip'; } >/dev/null 2>&1; then \
		echo "Installing openjdk-17-jre-headless python3-venv"; \
		$(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq openjdk-17-jre-headless python3-venv >/dev/null; \
	fi
	python3 -m venv --clear .build/notebooks
	.build/notebooks/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

lint: ## Check the formatting, the doc comments of public symbols, the structure of Sources and its spelling
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
	Tests/Lint/structure.py
	Tests/Lint/prose.py

format: ## Format all sources in place
	swift format --in-place --recursive --parallel Package.swift Sources Tests

traces: build ## Write the traces in SensorTraces/
	$(FOOTFALL) simulate --shipped SensorTraces --force

pictures: build ## Draw the pictures of the documentation (the one of a report with Chromium)
	$(FOOTFALL) analyze SensorTraces/commute.csv --plot $(RESOURCES)/commute.svg >/dev/null
	$(FOOTFALL) analyze SensorTraces/commute.csv --plot $(RESOURCES)/why.svg --why >/dev/null
	rm -rf .build/pictures && mkdir -p .build/pictures
	$(FOOTFALL) simulate day --rate 12.5 --out .build/pictures/day.csv
	$(FOOTFALL) analyze .build/pictures/day.csv --start 2026-11-16 --tz UTC --history .build/pictures/day.sqlite \
		--source pocket >/dev/null
	$(FOOTFALL) report --history .build/pictures/day.sqlite --out .build/pictures/day.html --plot $(RESOURCES)/day.svg
	$(FOOTFALL) simulate week --rate 12.5 --out .build/pictures/week.csv
	$(FOOTFALL) analyze .build/pictures/week.csv --start 2026-11-16 --tz UTC --history .build/pictures/week.sqlite \
		--source pocket >/dev/null
	for span in '2026-11-18 2026-11-19T12:00' '2026-11-20T14:00 2026-11-20T16:00'; do \
		$(FOOTFALL) history delete --history .build/pictures/week.sqlite --source pocket \
			--since "$${span% *}" --until "$${span#* }" --tz UTC; done
	$(FOOTFALL) report --history .build/pictures/week.sqlite --since 2026-11-16 --until 2026-11-23 --tz UTC \
		--out .build/pictures/week.html
	chromium --headless --no-sandbox --hide-scrollbars --window-size=1060,1390 \
		--screenshot=$(RESOURCES)/report.png file://$(CURDIR)/.build/pictures/week.html

packages: # Installs missing C libraries (Debian and derivatives)
	@if command -v dpkg >/dev/null && ! dpkg -s $(PACKAGES) >/dev/null 2>&1; then \
		echo "Installing $(PACKAGES)"; \
		$(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq $(PACKAGES) >/dev/null; \
	fi

clean: ## Remove all build products
	rm -rf .build .build-mutants
