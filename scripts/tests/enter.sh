# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2016,SC2164,SC2317
# What a command inside the toolbox sees, and that the host sees nothing of it. These tests work in
# the real toolbox.

inside() {
	AMD_PSTATE_RS_CACHE=$CALLERS_CACHE "$SCRIPTS/toolbox" run "$@"
}

test_the_exit_code_is_passed_on() {
	local status=0
	inside bash -c 'exit 42' || status=$?
	((status == 42)) || fail "exit code $status"
}

test_arguments_and_standard_input_arrive_unchanged() {
	[[ $(inside printf '<%s>' 'a b' '*' '' '$HOME') == '<a b><*><><$HOME>' ]] || fail "arguments were changed"
	[[ $(inside cat <<<'a line') == 'a line' ]] || fail "standard input was lost"
}

test_a_command_starts_in_the_callers_folder() {
	cd "$SCRIPTS/lib"
	[[ $(inside pwd) == "$SCRIPTS/lib" ]] || fail "started in $(inside pwd)"
}

test_a_folder_that_is_not_there_inside_is_replaced_by_the_clone() {
	[[ $(inside pwd) == "$(dirname "$SCRIPTS")" ]] || fail "started in $(inside pwd)"
}

test_of_the_environment_only_the_listed_is_seen() {
	SECRET=1 LD_PRELOAD='' VMTEST_BOOT_BOUND=7 inside env >seen
	grep -qx 'VMTEST_BOOT_BOUND=7' seen || fail "a listed variable was lost"
	! grep -qE '^(SECRET|LD_PRELOAD)=' seen || fail "seen inside: $(cat seen)"
}

test_a_call_from_inside_just_runs_the_command() {
	[[ $(inside "$SCRIPTS/toolbox" run echo nested) == nested ]] || fail "not run"
}

test_nothing_is_left_in_tmp() {
	inside touch /tmp/left-behind
	! inside test -e /tmp/left-behind || fail "/tmp outlives the command"
}

test_a_killed_command_leaves_no_mount_on_the_host() {
	local command root
	root=$(AMD_PSTATE_RS_CACHE=$CALLERS_CACHE "$SCRIPTS/toolbox" path)
	mkfifo up
	# Not by the function: the process to kill must be the command's own.
	AMD_PSTATE_RS_CACHE=$CALLERS_CACHE "$SCRIPTS/toolbox" run bash -c 'echo up; exec sleep 600' >up &
	command=$!
	grep -q up up
	! grep -qF "$root" /proc/self/mountinfo || fail "seen while it runs: $(grep -F "$root" /proc/self/mountinfo)"
	kill -KILL "$command"
	wait "$command" || true
	[[ ! -e /proc/$command ]] || fail "still there: $(tr '\0' ' ' </proc/$command/cmdline)"
	! grep -qF "$root" /proc/self/mountinfo || fail "left: $(grep -F "$root" /proc/self/mountinfo)"
}
