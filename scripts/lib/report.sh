# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What the scripts say: steps with their times, and refusals with their exit codes.

# Exit codes, one for each reason, so that a caller need not read the text.
# shellcheck disable=SC2034 # used by the files that source this one
readonly EXIT_USAGE=2 EXIT_PRIVILEGES=10 EXIT_NETWORK=11 EXIT_DISK=12 EXIT_HOST=13 \
	EXIT_BUILD=14 EXIT_COMPILER=15 EXIT_UNFIT=16 EXIT_MISSING=17 EXIT_IN_USE=18

# die CODE TEXT...: one line on stderr and out.
die() {
	local code=$1
	shift
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit "$code"
}

note() {
	printf '%s\n' "$*"
}

# step LABEL TEXT LOG COMMAND...: runs COMMAND with its output in LOG and prints how long it took.
# When COMMAND fails the end of LOG is shown, because that is where the reason stands, and the script
# ends: with COMMAND's exit code when that is one of the reasons above. Not to be called in a
# condition, where bash would let COMMAND go on after an error.
step() {
	local label=$1 text=$2 log=$3 started=$SECONDS status
	shift 3
	printf '[%s] %s...' "$label" "$text"
	mkdir -p "$(dirname "$log")"
	set +e
	(
		set -e
		"$@"
	) >"$log" 2>&1
	status=$?
	set -e
	if ((status != 0)); then
		printf '  failed after %ss\n' "$((SECONDS - started))"
		tail -n 25 "$log" >&2
		printf 'The whole log: %s\n' "$log" >&2
		((status >= EXIT_PRIVILEGES && status <= EXIT_IN_USE)) || status=$EXIT_BUILD
		exit "$status"
	fi
	printf '  done in %ss\n' "$((SECONDS - started))"
}
