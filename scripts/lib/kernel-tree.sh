# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The prepared kernel tree: where it lies, and its making step by step with the checks between.

readonly KERNEL_NEEDS_KIB=$((1536 * 1024))
# Everything in it (generated paths, .cmd files) names the folder it was made in, so it grows under
# its final name; this file, written last, is what makes it trusted.
readonly COMPLETE_MARK=.complete

# Where the toolbox keeps what it has of the stock kernel.
stock_folder() {
	local folder=/opt/kernel
	inside_toolbox || folder=$(toolbox_root)/opt/kernel
	[[ -d $folder ]] || die "$EXIT_MISSING" "there is no toolbox yet: scripts/toolbox make"
	echo "$folder"
}

kernel_release() {
	cat "$(stock_folder)/release"
}

# The stock configuration names the compilers, so they are part of the key.
kernel_key() {
	local stock
	stock=$(stock_folder)
	(
		cd "$CLONE/scripts"
		cat lib/kernel-recipe.sh kernel.d/* "$stock/config" "$stock/Module.symvers"
	) | sha256sum | cut -c1-12
}

kernel_tree() {
	local release key
	release=$(kernel_release)
	key=$(kernel_key)
	echo "$(cache_folder)/kernel-$release-$key"
}

make_kernel_tree() {
	local cache tree log
	cache=$(cache_folder)
	tree=$(kernel_tree)
	log=$cache/log
	if [[ -e $tree/$COMPLETE_MARK ]]; then
		note "kernel: ready in $tree"
		return
	fi
	check_compilers "$(stock_folder)/config"
	check_space "$cache" "$KERNEL_NEEDS_KIB"
	lock_cache "$cache"
	[[ ! -e $tree/$COMPLETE_MARK ]] || return 0
	remove_kernels "$cache"
	mkdir "$tree"

	step "kernel 1/4" "source of $(kernel_release)" "$log/kernel-source.log" unpack_source "$tree"
	step "kernel 2/4" "stock configuration" "$log/kernel-config.log" configure_like_stock "$tree"
	step "kernel 3/4" "Rust crates and build tools" "$log/kernel-prepare.log" kbuild "$tree" prepare modules_prepare
	step "kernel 4/4" "fits the stock one?" "$log/kernel-check.log" check_and_finish "$tree"
}

configure_like_stock() {
	configure "$1"
	check_config "$(stock_folder)/config" "$1/.config"
}

check_and_finish() {
	local tree=$1 stock symbols
	stock=$(stock_folder)
	symbols=$tree/rust/exports.all
	cat "$tree"/rust/exports_*_generated.h >"$symbols"
	check_crate_hash "$stock/Module.symvers" "$symbols"
	check_symbols "$stock/Module.symvers" "$symbols"
	take_stock_identity "$tree"
	drop_objects "$tree"
	sync -f "$tree"
	: >"$tree/$COMPLETE_MARK"
}
