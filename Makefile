# SPDX-License-Identifier: GPL-2.0
#
# Everything is built and run inside the toolbox (scripts/toolbox), on whatever machine this is.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help toolbox prepare module bench-module tools demo bench check fmt clean

CLONE   := $(realpath $(dir $(lastword $(MAKEFILE_LIST))))
DRIVER  := $(CLONE)/drivers/cpufreq/amd_pstate_rs
TOOLBOX := $(CLONE)/scripts/toolbox run
# The crates that give programs, or the platform's plugin.
PROGRAMS := cppc-qemu pstatectl vmtest vmtest-agent
# Known only when the toolbox is there, so it is asked for when it is used.
KERNEL   = $(shell $(CLONE)/scripts/prepare-kernel path)

help: ## List the targets
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

toolbox: ## Make the Debian 13 that everything runs in
	@scripts/toolbox make

prepare: toolbox ## Prepare the kernel tree that modules are built against
	@scripts/prepare-kernel

module: prepare ## Build amd_pstate_rs.ko for the stock kernel
	@scripts/step module "amd_pstate_rs.ko" \
		$(TOOLBOX) make -C $(KERNEL) --no-print-directory M=$(DRIVER) MO=$(CLONE)/build/module

# No target for people: it has no text for the list.
bench-module: prepare
	@scripts/step bench-module "pstate_bench.ko" \
		$(TOOLBOX) make -C $(KERNEL) --no-print-directory M=$(CLONE)/bench MO=$(CLONE)/build/bench

tools: toolbox ## Build the simulated platform, the harness and pstatectl
	@cd tools && ../scripts/step tools "platform, harness, pstatectl" \
		$(TOOLBOX) cargo build --locked --release $(addprefix -p ,$(PROGRAMS))

demo: module tools ## All of it from nothing, then the driver at work in a virtual machine
	@scripts/vmtest demo

bench: module bench-module tools ## Count what the fast paths cost, against the C driver
	@scripts/vmtest bench --json build/bench.json --svg build/bench.svg
	@scripts/text-size

check: prepare ## Run every check and every test
	@scripts/check

fmt: prepare ## Format the Rust sources
	@$(TOOLBOX) rustfmt --config-path $(KERNEL)/.rustfmt.toml $(DRIVER)/amd_pstate_rs_main.rs
	@cd tools && $(TOOLBOX) cargo fmt --all

clean: ## Remove what was built here (scripts/toolbox remove removes the rest)
	@rm -rf build
