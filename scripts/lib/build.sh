# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Makes the toolbox, once. The root grows under a temporary name and gets its real one by a rename at
# the very end, so that whatever carries the real name is complete.

# The root, its packages while they are unpacked, and later the prepared kernel tree.
readonly TOOLBOX_NEEDS_KIB=$((4 * 1024 * 1024))

# fill_root PARTIAL [MIRROR]
fill_root() {
	local partial=$1 mirror=${2:-} options option as_root
	bootstrap_options
	while read -r option; do
		options+=("--aptopt=$option")
	done < <(host_transport_options)
	mapfile -t as_root < <(root_words)
	# Nothing may outlive this script, neither a process nor a mount: the kernel ends unshare with its
	# parent (so: exec, no shell between), and all of the process namespace with unshare.
	exec "${as_root[@]}" setpriv --pdeathsig KILL \
		unshare --mount --propagation private --pid --fork --kill-child \
		mmdebstrap --mode=root "${options[@]}" "$SUITE" "$partial" ${mirror:+"deb $mirror $SUITE main"}
}

finish_root() {
	local partial=$1 root=$2 key=$3
	# shellcheck disable=SC2016 # expanded by the inner shell
	become_root bash -c 'mkdir -p "$1/run" && echo "$2" >"$1$3"' _ "$partial" "$key" "$INSIDE_MARK"
	# Without the sync a power cut could keep the rename and lose the files.
	sync -f "$partial"
	mv -T "$partial" "$root"
}

make_toolbox() {
	local cache root partial mirror log
	cache=$(cache_folder)
	root=$(toolbox_root)
	log=$cache/log
	if [[ -d $root ]]; then
		note "toolbox: ready in $root"
		return
	fi

	check_host
	check_privileges
	check_space "$cache" "$TOOLBOX_NEEDS_KIB"
	mirror=$(find_mirror)

	lock_cache "$cache"
	if [[ -d $root ]]; then
		return
	fi
	remove_partials "$cache"
	# shellcheck disable=SC2064 # the path of now
	trap "remove_partials '$cache'" EXIT
	partial=$(mktemp -d "$cache/$PARTIAL_PREFIX-XXXXXX")

	step "toolbox 1/3" "mmdebstrap on this machine" "$log/toolbox-host.log" install_host_tools
	step "toolbox 2/3" "Debian $SUITE with compilers, QEMU and the stock kernel $KERNEL_SERIES" \
		"$log/toolbox-root.log" fill_root "$partial" "$mirror"
	step "toolbox 3/3" "to its place" "$log/toolbox-finish.log" \
		finish_root "$partial" "$root" "$(toolbox_key)"
	trap - EXIT
	remove_outdated "$cache" "$root"
}
