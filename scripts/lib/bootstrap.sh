# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What goes into the root. What is written here is part of the toolbox's key: a change makes a
# new toolbox, so nothing stands here that does not change the result.

# The backports line has the mirror of the main line, whether that came from us or from mmdebstrap.
readonly ADD_BACKPORTS="sed -n 's/^\\(deb .*\\) $SUITE main.*/\\1 $BACKPORTS main/p' \"\$1/etc/apt/sources.list\" >\"\$1/etc/apt/sources.list.d/backports.list\""

# Sets `options`, the arguments of mmdebstrap that say what the root holds.
bootstrap_options() {
	local definition=$CLONE/scripts/toolbox.d path
	options=(
		--variant=apt --format=directory --components=main "--architectures=$TOOLBOX_ARCH"
		"--include=$(list_entries "$definition/packages" | paste -sd,)"
		--dpkgopt=force-unsafe-io
		--setup-hook="cp '$definition/pins' \"\$1/etc/apt/preferences.d/pins\""
		--setup-hook="$ADD_BACKPORTS"
		--customize-hook="'$definition/add-kernel' \"\$1\" $KERNEL_SERIES"
	)
	while read -r path; do
		options+=("--dpkgopt=path-exclude=$path")
	done < <(list_entries "$definition/left-out")
}
