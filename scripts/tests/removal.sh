# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2317
# The cache may be a folder that a user has named: only what was made there is removed.

test_remove_leaves_what_it_did_not_make() {
	mkdir -p cache/{toolbox-0123456789ab,kernel-7.3.4-0123456789ab,kernel-notes,toolbox-photos,.partial-toolbox-x,cargo,log}
	touch cache/letter
	"$SCRIPTS/toolbox" remove
	[[ $(cd cache && echo *) == "kernel-notes letter toolbox-photos" ]] || fail "left: $(ls -A cache)"
	[[ ! -e cache/.partial-toolbox-x ]] || fail "a partial root was left"
}

test_remove_takes_the_folder_too_when_it_is_empty() {
	mkdir -p cache/toolbox-0123456789ab
	"$SCRIPTS/toolbox" remove
	nothing_made
}

test_a_toolbox_in_use_is_not_removed() {
	mkdir -p cache/toolbox-0123456789ab
	exec 9<cache/toolbox-0123456789ab
	flock -s 9
	refused 18 "someone still works in" "$SCRIPTS/toolbox" remove
	[[ -d cache/toolbox-0123456789ab ]] || fail "removed under its user"
}
