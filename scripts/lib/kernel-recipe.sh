# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# How the tree is made from the source. What is written here is part of the tree's key: a change
# makes a new tree.

unpack_source() {
	local tree=$1 archive
	archive=$(stock_folder)/linux-source-$KERNEL_SERIES.tar.xz
	list_entries "$CLONE/scripts/kernel.d/left-out" | sed "s#^#linux-source-$KERNEL_SERIES/#" >"$tree.left-out"
	xz -dc -T0 "$archive" |
		tar -x -C "$tree" --strip-components=1 --no-same-owner --wildcards --exclude-from="$tree.left-out"
	rm "$tree.left-out"
}

kbuild() {
	make -C "$1" --no-print-directory "-j$(nproc)" "${@:2}"
}

configure() {
	cp "$(stock_folder)/config" "$1/.config"
	kbuild "$1" olddefconfig
}

# Last: what the modules are linked against and checked by is the stock kernel's own.
take_stock_identity() {
	local tree=$1 release
	release=$(kernel_release)
	cp "$(stock_folder)/Module.symvers" "$tree/Module.symvers"
	echo "$release" >"$tree/include/config/kernel.release"
	echo "#define UTS_RELEASE \"$release\"" >"$tree/include/generated/utsrelease.h"
}

# Objects of the crates belong into a kernel image, a module's build reads only their metadata.
drop_objects() {
	find "$1/rust" -name '*.o' -delete
}
