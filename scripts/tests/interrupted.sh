# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2016,SC2317
# A build that was killed leaves nothing that the next one trusts. mmdebstrap is played by a fake.

# How long the fake hangs, a number of this test alone: so its process is found by it.
readonly HANGS=8765.$BASHPID$RANDOM

# Makes a part of a root and then hangs.
hanging_mmdebstrap() {
	export HANGS
	fake mmdebstrap <<-'EOS'
		for root in "$@"; do [[ $root != */.partial-toolbox-* ]] || break; done
		mkdir -p "$root/etc" && touch "$root/etc/half"
		exec sleep "$HANGS"
	EOS
}

working_mmdebstrap() {
	fake mmdebstrap <<-'EOS'
		for root in "$@"; do [[ $root != */.partial-toolbox-* ]] || break; done
		echo made >>"$AMD_PSTATE_RS_CACHE/calls"
		sleep "${SLOWNESS:-0}"
		mkdir -p "$root/etc" && touch "$root/etc/whole"
	EOS
}

half_made() {
	compgen -G "$AMD_PSTATE_RS_CACHE/.partial-toolbox-*/etc/half" >/dev/null
}

# By a file, so that grep does not find itself.
builder_is_gone() {
	echo "$HANGS" >hangs
	! grep -qsFf hangs /proc/[0-9]*/cmdline
}

# interrupt SIGNAL: starts a build and ends it in the middle.
interrupt() {
	fake_mirror
	fake df <<<'printf "Avail\n%s\n" 99999999'
	hanging_mmdebstrap
	# In a process group of its own, as a terminal would give it.
	set -m
	"$SCRIPTS/toolbox" make &>first.log &
	local builder=$!
	set +m
	until_true half_made
	kill "-$1" "$builder"
	wait "$builder" || true
	until_true builder_is_gone
}

check_that_the_next_build_starts_over() {
	local root
	root=$("$SCRIPTS/toolbox" path)
	[[ ! -e $root ]] || fail "the interrupted build left a toolbox: $(find "$root")"
	working_mmdebstrap
	"$SCRIPTS/toolbox" make
	[[ -e $root/etc/whole && ! -e $root/etc/half ]] || fail "built upon the rest: $(find "$root")"
	! compgen -G "$AMD_PSTATE_RS_CACHE/.partial-*" || fail "a partial root was left"
}

test_a_killed_build_leaves_nothing_that_is_trusted() {
	interrupt KILL
	check_that_the_next_build_starts_over
}

test_a_terminated_build_leaves_nothing_that_is_trusted() {
	interrupt TERM
	check_that_the_next_build_starts_over
}

test_a_failed_build_leaves_nothing_and_shows_the_reason() {
	fake_mirror
	fake df <<<'printf "Avail\n%s\n" 99999999'
	fake mmdebstrap <<<'echo "E: package rustc is gone" >&2; exit 25'
	local status=0
	"$SCRIPTS/toolbox" make &>log || status=$?
	((status == 14)) || fail "exit code $status: $(cat log)"
	grep -q 'package rustc is gone' log || fail "$(cat log)"
	! compgen -G "$AMD_PSTATE_RS_CACHE/*toolbox-*" || fail "a root was left"
}

test_two_builds_at_a_time_make_one_toolbox() {
	fake_mirror
	fake df <<<'printf "Avail\n%s\n" 99999999'
	working_mmdebstrap
	SLOWNESS=2 "$SCRIPTS/toolbox" make &>first.log &
	until_true test -e "$AMD_PSTATE_RS_CACHE/calls"
	"$SCRIPTS/toolbox" make >second.log
	wait
	grep -q 'waiting for it' second.log || fail "the second did not wait: $(cat second.log)"
	[[ $(cat "$AMD_PSTATE_RS_CACHE/calls") == made ]] || fail "made more than once"
}

test_a_changed_definition_is_not_served_by_the_old_toolbox() {
	cp -r "$SCRIPTS" changed
	mkdir -p clone && mv changed clone/scripts
	local before after
	before=$(clone/scripts/toolbox path)
	[[ $before == "$("$SCRIPTS/toolbox" path)" ]] || fail "the key depends on more than the definition"
	echo cowsay >>clone/scripts/toolbox.d/packages
	after=$(clone/scripts/toolbox path)
	[[ $before != "$after" ]] || fail "one more package, and still $after"
}
