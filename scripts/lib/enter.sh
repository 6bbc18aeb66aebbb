# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Runs a command inside the root, in mount namespaces of its own: they vanish with the command,
# however it ends, and the host never sees a mount.

# The folder the command starts in: the caller's, when it exists on both sides.
working_folder() {
	local here cache
	here=$(pwd -P)
	cache=$(cache_folder)
	case $here/ in
	"$CLONE"/* | "$cache"/*) echo "$here" ;;
	*) echo "$CLONE" ;;
	esac
}

run_inside() {
	if inside_toolbox; then
		exec "$@"
	fi
	local root cache folder
	root=$(toolbox_root)
	cache=$(cache_folder)
	folder=$(working_folder)
	[[ -d $root ]] || die "$EXIT_MISSING" "there is no toolbox yet: scripts/toolbox make"
	mkdir -p "$cache/cargo"
	# Held by everything that runs inside, so that the root is not removed under it.
	exec 9<"$root"
	flock -s 9
	local enter=(unshare --mount --propagation private)
	if (($(id -u) != 0)); then
		enter+=(--map-root-user --map-auto)
	fi
	exec "${enter[@]}" "$CLONE/scripts/lib/mount-and-enter" "$root" "$CLONE" "$cache" "$folder" "$@"
}
