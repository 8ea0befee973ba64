# clipview: the commands a person, a script or the continuous integration needs. `make help` lists them.
#
# `make deps` is the one place that installs packages; build, demo and test call it, and it costs
# nothing when everything is there. All other work is done by the Swift package manager and by the
# scripts in Scripts/.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
DESTDIR ?=
# Where what starts with every session stands.
SYSCONFDIR ?= /etc
export SWIFT ?= swift

BINARY := .build/release/clipview
DAEMON := .build/release/clipd

# Debug builds for the tests live apart from the release build: the flags of one never make the
# package manager rebuild the other.
TEST_SCRATCH := .build/test

# What `make chaos` does: its failures name the seed.
CHAOS_SECONDS ?= 60
CHAOS_SEED ?= $(shell date +%s)

.PHONY: help deps build demo test test-asan test-tsan chaos test-apps test-compositors test-ext test-mime conformance fuzz bench bench-x11 bench-wayland bench-clipd bench-registry bench-text bench-model lint install clean

help: ## lists the targets
	@sed -n 's/^\([a-z][a-z0-9-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

deps: ## installs the packages that are missing (apt-get, with sudo where not root)
	@Scripts/install-packages

build: deps ## the release build: .build/release/clipview and clipd, Swift, X and Wayland libraries linked statically
	@Scripts/build-release

demo: build ## copies a Markdown file, shows it, reads it back with xclip
	@Scripts/demo $(BINARY)

test: deps ## all tests (debug build)
	@$(SWIFT) test --disable-xctest --scratch-path $(TEST_SCRATCH)

test-asan: deps ## all tests, and the program under test, with AddressSanitizer
	@Scripts/test-sanitized address

test-tsan: deps ## all tests, and the program under test, with ThreadSanitizer
	@Scripts/test-sanitized thread

chaos: deps ## readers and owners that stall, die and lie, a clipd that is killed (CHAOS_SECONDS, CHAOS_SEED)
	@CLIPVIEW_CHAOS_SECONDS=$(CHAOS_SECONDS) CLIPVIEW_CHAOS_SEED=$(CHAOS_SEED) \
	  $(SWIFT) test --disable-xctest --scratch-path $(TEST_SCRATCH) --filter ChaosTests

test-apps: build ## copies into and out of real file managers, browsers, editors, GIMP and xterm (installs them)
	@Scripts/test-apps $(BINARY)
	@Scripts/test-browsers $(BINARY)
	@Scripts/test-editors $(BINARY)
	@Scripts/test-saving $(BINARY) $(DAEMON)
	@Scripts/test-kept $(BINARY)

test-compositors: build ## clipview in Weston, Mutter, KWin, and in sway without data-control (installs them)
	@Scripts/test-compositors $(BINARY)

test-ext: build ## clipview against an ext-data-control server that is none of ours (fetches pywayland)
	@Scripts/test-ext $(BINARY)

test-mime: deps ## the detection list of shared-mime-info (fetches its source package)
	@Scripts/test-mime $(TEST_SCRATCH)

conformance: deps ## the tests that others wrote for Markdown and HTML (fetches html5lib's; CONFORMANCE_SUITES)
	@Scripts/conformance $(TEST_SCRATCH)

fuzz: deps ## random bytes for what reads foreign bytes, under AddressSanitizer (FUZZ_SECONDS each, FUZZ_SUBJECTS)
	@Scripts/fuzz

bench: bench-x11 bench-wayland bench-clipd bench-registry bench-text bench-model ## all figures

bench-x11: build ## figures beside xclip and xsel, paired (BENCH_RUNS, BENCH_LARGE_RUNS, BENCH_LARGE_MIB)
	@Scripts/bench $(BINARY)

bench-wayland: build ## figures beside wl-copy and wl-paste, paired, in a headless sway
	@Scripts/bench-wayland $(BINARY)

bench-text: build ## figures of the conversions beside pandoc's, 1 MB each (BENCH_RUNS; installs pandoc)
	@Scripts/bench-text $(BINARY)

bench-model: deps ## figures of attributed text: look-ups and edits in 10,000 and in 100,000 runs
	@Scripts/bench-model

bench-clipd: build ## what clipd costs behind each copy, when idle, and over 100,000 changes (BENCH_CHANGES)
	@Scripts/bench-clipd $(BINARY) $(DAEMON)

bench-registry: deps ## figures of the type registry beside GLib's (BENCH_RUNS)
	@Scripts/bench-registry

lint: ## formatting and style, strictly; changes nothing (Scripts/format formats)
	@Scripts/format --check

# Not a dependency on `build`: `sudo make install` after `make build` compiles nothing as root.
$(BINARY) $(DAEMON):
	@$(MAKE) build

install: $(BINARY) $(DAEMON) ## puts the programs, units and papers under DESTDIR and PREFIX (/usr/local)
	@install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/doc/clipview" \
	  "$(DESTDIR)$(PREFIX)/lib/systemd/user" "$(DESTDIR)$(SYSCONFDIR)/xdg/autostart"
	@install -m 755 $(BINARY) "$(DESTDIR)$(PREFIX)/bin/clipview"
	@install -m 755 $(DAEMON) "$(DESTDIR)$(PREFIX)/bin/clipd"
	@install -m 644 LICENSE README.md CHANGELOG.md Documentation/clipd.md \
	  "$(DESTDIR)$(PREFIX)/share/doc/clipview/"
	@Scripts/install-licences "$(DESTDIR)$(PREFIX)/share/doc/clipview/licences"
	@for unit in clipd.service clipd.socket; do \
	  sed 's|@PREFIX@|$(PREFIX)|g' "data/service/$$unit" >"$(DESTDIR)$(PREFIX)/lib/systemd/user/$$unit"; \
	done
	@sed 's|@PREFIX@|$(PREFIX)|g' data/service/clipd.desktop \
	  >"$(DESTDIR)$(SYSCONFDIR)/xdg/autostart/clipd.desktop"
	@echo "installed $(DESTDIR)$(PREFIX)/bin/clipview and clipd"

clean: ## removes everything that was built
	@rm -rf .build
