# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What the tests share. A test runs in an empty folder, which is removed after it.

SCRIPTS=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034 # used by the tests
readonly SCRIPTS
# The cache that the caller works with, empty for the default one, and the one of this test.
# shellcheck disable=SC2034 # used by the tests
readonly CALLERS_CACHE=${AMD_PSTATE_RS_CACHE:-}
export AMD_PSTATE_RS_CACHE=$PWD/cache

fail() {
	printf '%s\n' "$*" >&2
	exit 1
}

# refused CODE TEXT COMMAND...: COMMAND ends with CODE and one line on stderr that has TEXT in it.
refused() {
	local code=$1 text=$2 status=0
	shift 2
	("$@") >stdout 2>stderr || status=$?
	((status == code)) || fail "exit code $status instead of $code: $(cat stdout stderr)"
	(($(wc -l <stderr) == 1)) || fail "not one line: $(cat stderr)"
	grep -qF -- "$text" stderr || fail "\"$text\" is not in: $(cat stderr)"
}

nothing_made() {
	[[ ! -e $AMD_PSTATE_RS_CACHE ]] || fail "left behind: $(find "$AMD_PSTATE_RS_CACHE")"
}

# fake NAME: a program NAME, its text on stdin, found before the real one.
fake() {
	mkdir -p fakes
	{
		echo '#!/bin/bash'
		cat
	} >"fakes/$1"
	chmod +x "fakes/$1"
	[[ $PATH == "$PWD/fakes:"* ]] || export PATH=$PWD/fakes:$PATH
}

# An archive as far as the check of the mirror looks.
fake_mirror() {
	mkdir -p mirror/dists/trixie mirror/dists/trixie-backports
	touch mirror/dists/trixie/InRelease mirror/dists/trixie-backports/InRelease
	export AMD_PSTATE_RS_MIRROR=file://$PWD/mirror
}

# until_true COMMAND...: waits for it, ten seconds at most.
until_true() {
	local tries
	for ((tries = 0; tries < 100; tries++)); do
		if "$@"; then
			return
		fi
		sleep 0.1
	done
	fail "never became true: $*"
}
