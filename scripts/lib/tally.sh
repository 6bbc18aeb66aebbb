# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Counts checks and the tests in them.

passed=0
failed=0
summary=()

# check NAME COMMAND...: quiet unless it fails.
check() {
	local name=$1 log=$CLONE/build/log/check-$1.log started=$SECONDS status
	shift
	mkdir -p "${log%/*}"
	printf '[check] %s...' "$name"
	set +e
	(
		set -e
		"$@"
	) &>"$log"
	status=$?
	set -e
	((status == 0)) || printf '  FAILED:\n%s\n' "$(tail -n 60 "$log")"
	count "$name" "$status" "$log" "$((SECONDS - started))"
	((status != 0)) || printf '  done in %ss\n' "$((SECONDS - started))"
}

# The same for what takes long: its output is seen while it runs.
check_aloud() {
	local name=$1 log=$CLONE/build/log/check-$1.log started=$SECONDS status
	shift
	printf '[check] %s...\n' "$name"
	set +e
	"$@" 2>&1 | tee "$log"
	status=${PIPESTATUS[0]}
	set -e
	count "$name" "$status" "$log" "$((SECONDS - started))"
}

# Numbers of the tests in a log, "PASSED FAILED": lines of cargo ("test result: ok. 3 passed; 0
# failed; ...") and of our own runners ("3 passed, 0 failed").
tests_in() {
	sed -nE -e 's/^test result: .* ([0-9]+) passed; ([0-9]+) failed;.*/\1 \2/p' \
		-e 's/^([0-9]+) passed, ([0-9]+) failed.*/\1 \2/p' "$1" |
		awk '{passed += $1; failed += $2} END {print passed + 0, failed + 0}'
}

# A check without tests of its own counts as one, and so does a failure that no test shows.
count() {
	local name=$1 status=$2 log=$3 seconds=$4 good bad
	read -r good bad < <(tests_in "$log")
	if ((status == 0 && good + bad == 0)); then
		good=1
	elif ((status != 0 && bad == 0)); then
		bad=1
	fi
	passed=$((passed + good))
	failed=$((failed + bad))
	summary+=("$(printf '%-14s %5s passed  %3s failed  %4ss' "$name" "$good" "$bad" "$seconds")")
}

# The lines stay in a file too: make writes its own line after them when a check has failed.
close_tally() {
	{
		printf '%s\n' "${summary[@]}"
		printf '%s passed, %s failed\n' "$passed" "$failed"
	} | tee "$CLONE/build/log/check.summary"
	((failed == 0))
}
