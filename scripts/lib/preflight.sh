# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Everything that can stop the build of a toolbox, asked before anything is made.

# Commands that act on the root must be able to own its files and to mount. Root can; others need
# a user namespace that maps the ids in /etc/subuid. Prints the words to put before such a command.
root_words() {
	printf '%s\n' env
	(($(id -u) == 0)) || printf '%s\n' unshare --map-root-user --map-auto --
}

become_root() {
	local words
	mapfile -t words < <(root_words)
	"${words[@]}" "$@"
}

check_host() {
	local arch
	arch=$(uname -m)
	[[ $arch == x86_64 ]] ||
		die "$EXIT_HOST" "this machine is $arch, the toolbox holds $TOOLBOX_ARCH programs: use an x86_64 machine"
	[[ $(uname -s) == Linux ]] || die "$EXIT_HOST" "this is $(uname -s), the toolbox needs Linux"
	command -v apt-get >/dev/null ||
		die "$EXIT_HOST" "no apt-get here: the toolbox is made with apt, use a Debian or Ubuntu machine"
}

check_privileges() {
	if (($(id -u) == 0)); then
		become_root unshare --mount true 2>/dev/null ||
			die "$EXIT_PRIVILEGES" "root may not make mount namespaces here (CAP_SYS_ADMIN is missing): give the container that right, or use another machine"
	else
		become_root unshare --mount true 2>/dev/null ||
			die "$EXIT_PRIVILEGES" "not root, and no unprivileged user namespaces here (they need newuidmap, an entry in /etc/subuid and a kernel that allows them): run as root"
	fi
}

# check_space FOLDER KIB: FOLDER need not exist yet.
check_space() {
	local folder=$1 needs=$2 free
	while [[ ! -d $folder ]]; do
		folder=$(dirname "$folder")
	done
	free=$(df --output=avail -k "$folder" | tail -n 1 | tr -d ' ')
	((free >= needs)) ||
		die "$EXIT_DISK" "$((free / 1024)) MiB are free in $folder, $((needs / 1024)) MiB are needed: free some, or name another place with AMD_PSTATE_RS_CACHE"
}

# Installs on the host what makes a root, when it is not there and we may.
install_host_tools() {
	command -v mmdebstrap >/dev/null && return
	(($(id -u) == 0)) || die "$EXIT_PRIVILEGES" "mmdebstrap is not installed and only root can: apt-get install mmdebstrap"
	local apt=(apt-get -qq -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2)
	export DEBIAN_FRONTEND=noninteractive
	"${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends mmdebstrap debian-archive-keyring
}
