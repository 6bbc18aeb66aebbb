# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What the toolbox is and where it lives. The only place that names the suite and the kernel series.

readonly SUITE=trixie
readonly BACKPORTS=$SUITE-backports
readonly KERNEL_SERIES=7.3
readonly TOOLBOX_ARCH=amd64

# Written into the root by the build; tells a script that it already runs inside.
readonly INSIDE_MARK=/etc/amd-pstate-rs-toolbox

CLONE=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly CLONE

cache_folder() {
	if [[ -n ${AMD_PSTATE_RS_CACHE:-} ]]; then
		realpath -ms "$AMD_PSTATE_RS_CACHE"
	elif (($(id -u) == 0)); then
		echo /var/cache/amd-pstate-rs
	else
		echo "${XDG_CACHE_HOME:-$HOME/.cache}/amd-pstate-rs"
	fi
}

# A root is trusted only under the name that carries this key: change the definition and the old
# root is no longer found.
toolbox_key() {
	(
		echo "$SUITE $BACKPORTS $KERNEL_SERIES $TOOLBOX_ARCH"
		cd "$CLONE/scripts"
		cat lib/bootstrap.sh toolbox.d/*
	) | sha256sum | cut -c1-12
}

toolbox_root() {
	echo "$(cache_folder)/toolbox-$(toolbox_key)"
}

inside_toolbox() {
	[[ -e $INSIDE_MARK ]]
}

# Lines of a list file without comments and blanks.
list_entries() {
	sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$1"
}
