# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2016,SC2317
# What keeps a toolbox from being made is said in one line, with an exit code of its own, before
# anything is made.

test_another_architecture_is_refused() {
	fake uname <<<'[[ $1 == -m ]] && echo aarch64 || echo Linux'
	refused 13 "this machine is aarch64" "$SCRIPTS/toolbox" make
	nothing_made
}

test_without_root_and_user_namespaces_is_refused() {
	fake id <<<'echo 1000'
	fake unshare <<<'exit 1'
	refused 10 "not root, and no unprivileged user namespaces" "$SCRIPTS/toolbox" make
	nothing_made
}

test_root_without_mount_namespaces_is_refused() {
	fake id <<<'echo 0'
	fake unshare <<<'exit 1'
	refused 10 "root may not make mount namespaces" "$SCRIPTS/toolbox" make
	nothing_made
}

test_too_little_disk_is_refused() {
	fake df <<<'printf "Avail\n%s\n" $((1000 * 1024))'
	refused 12 "1000 MiB are free" "$SCRIPTS/toolbox" make
	nothing_made
}

test_a_mirror_that_does_not_answer_is_refused() {
	AMD_PSTATE_RS_MIRROR=http://127.0.0.1:9/debian \
		refused 11 "no network" "$SCRIPTS/toolbox" make
	nothing_made
}

test_an_archive_without_backports_is_refused() {
	fake_mirror
	rm -r mirror/dists/trixie-backports
	refused 11 "no archive with trixie and trixie-backports" "$SCRIPTS/toolbox" make
	nothing_made
}

test_the_archive_is_found_among_other_repositories() {
	fake_mirror
	local archive=$AMD_PSTATE_RS_MIRROR
	unset AMD_PSTATE_RS_MIRROR
	mkdir -p security/dists/trixie-security
	fake apt-get <<<"printf '%s\n' file://$PWD/security $archive/ $archive/"
	# shellcheck source=scripts/lib/mirror.sh
	source "$SCRIPTS/lib/mirror.sh"
	SUITE=trixie BACKPORTS=trixie-backports
	[[ $(find_mirror) == "$archive" ]] || fail "found $(find_mirror)"
}

test_run_without_a_toolbox_says_how_to_make_one() {
	refused 17 "scripts/toolbox make" "$SCRIPTS/toolbox" run true
	nothing_made
}

test_an_unknown_subcommand_shows_the_usage() {
	local status=0
	"$SCRIPTS/toolbox" mend 2>stderr || status=$?
	((status == 2)) || fail "exit code $status"
	grep -q '^Usage: scripts/toolbox make' stderr || fail "$(cat stderr)"
}
