# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Where the packages come from: the host's own apt configuration decides.

# The repositories that the host's apt knows, in its order.
host_repositories() {
	# shellcheck disable=SC2016 # a word of apt's own language
	apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | awk 'NF && !seen[$0]++'
}

# A host also has security and third-party repositories; only an archive that serves both suites is
# of use.
serves_suites() {
	local uri=${1%/} suite copy
	for suite in "$SUITE" "$BACKPORTS"; do
		copy=$(mktemp -d)
		if ! /usr/lib/apt/apt-helper -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 \
			-o APT::Sandbox::User=root download-file "$uri/dists/$suite/InRelease" "$copy/InRelease" &>/dev/null; then
			rm -rf "$copy"
			return 1
		fi
		rm -rf "$copy"
	done
}

# Prints the archive to use, or nothing when the host's apt names none at all: then mmdebstrap's
# own default is right. AMD_PSTATE_RS_MIRROR overrides.
find_mirror() {
	local uri uris=()
	if [[ -n ${AMD_PSTATE_RS_MIRROR:-} ]]; then
		uris=("$AMD_PSTATE_RS_MIRROR")
	else
		mapfile -t uris < <(host_repositories)
	fi
	for uri in "${uris[@]}"; do
		if serves_suites "$uri"; then
			echo "${uri%/}"
			return
		fi
	done
	((${#uris[@]} == 0)) ||
		die "$EXIT_NETWORK" "no network, or no archive with $SUITE and $BACKPORTS: tried ${uris[*]}"
}

# How the host's apt reaches its archives (proxies, CA files, dates of a snapshot), as options for
# the apt that fills the root.
host_transport_options() {
	apt-config dump 2>/dev/null |
		grep -E '^Acquire::(https?::(Proxy|CaInfo|Verify-Peer|Verify-Host)|Check-(Valid-Until|Date))[ :]' || true
}
