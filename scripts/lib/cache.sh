# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The cache folder: who may build in it, and what is removed from it. The folder may be one that a
# user has named, so nothing is touched but what carries the names given here.

readonly PARTIAL_PREFIX=.partial-toolbox
readonly KEY_PATTERN='[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'

# One builder at a time; a second one waits, and then finds the work done. The descriptor closes
# with the process, however that ends.
lock_cache() {
	local cache=$1
	mkdir -p "$cache"
	exec 8>"$cache/.lock"
	if ! flock -n 8; then
		note "something is being built in $cache already, waiting for it"
		flock 8
	fi
}

toolboxes_in() {
	compgen -G "$1/toolbox-$KEY_PATTERN" || true
}

kernels_in() {
	compgen -G "$1/kernel-[0-9]*-$KEY_PATTERN" || true
}

partials_in() {
	compgen -G "$1/$PARTIAL_PREFIX-*" || true
}

# In a mount namespace of its own and on one file system: whatever is mounted below stays whole.
remove_root() {
	become_root unshare --mount rm -rf --one-file-system "$1"
}

remove_partials() {
	local partial
	for partial in $(partials_in "$1"); do
		remove_root "$partial"
	done
}

remove_kernels() {
	local kernel
	for kernel in $(kernels_in "$1"); do
		rm -rf "$kernel"
	done
}

# All who work inside a root hold a shared lock on it.
is_in_use() {
	! flock -n -x "$1" true
}

# Toolboxes of other definitions, unless someone still works in them.
remove_outdated() {
	local cache=$1 root=$2 old
	for old in $(toolboxes_in "$cache"); do
		if [[ $old != "$root" ]] && ! is_in_use "$old"; then
			remove_root "$old"
		fi
	done
}

remove_everything() {
	local cache root
	cache=$(cache_folder)
	[[ -d $cache ]] || return 0
	lock_cache "$cache"
	for root in $(toolboxes_in "$cache"); do
		! is_in_use "$root" || die "$EXIT_IN_USE" "someone still works in $root"
	done
	for root in $(toolboxes_in "$cache"); do
		remove_root "$root"
	done
	remove_partials "$cache"
	remove_kernels "$cache"
	rm -rf "$cache/cargo" "$cache/log" "$cache/.lock"
	rmdir --ignore-fail-on-non-empty "$cache"
}
