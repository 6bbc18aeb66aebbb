# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2317
# A kernel tree that was not finished is not trusted. The long steps are played by functions.

for library in report definition preflight cache kernel-checks kernel-recipe kernel-tree; do
	# shellcheck disable=SC1090 # each is checked with the program that uses it
	source "$SCRIPTS/lib/$library.sh"
done

stock_folder() {
	echo "$PWD/stock"
}

play_the_steps() {
	mkdir -p stock
	echo 7.3.4+test >stock/release
	echo 'CONFIG_RUST=y' >stock/config
	echo '0x0	_RNvNtCsb5MLIFMWygY_6kernel5print	vmlinux	EXPORT_SYMBOL_GPL' >stock/Module.symvers
	check_compilers() { :; }
	check_space() { :; }
	configure() { cp stock/config "$1/.config"; }
	unpack_source() {
		mkdir -p "$1"/{rust,include/config,include/generated}
		[[ ! -e interrupt ]] || exit 9
	}
	kbuild() { echo '_RNvNtCsb5MLIFMWygY_6kernel5print' >"$1/rust/exports_kernel_generated.h"; }
}

test_an_unfinished_tree_is_made_again() {
	play_the_steps
	touch interrupt
	! (make_kernel_tree &>first.log) || fail "it was not interrupted"
	local tree
	tree=$(kernel_tree)
	touch "$tree/rest"
	rm interrupt
	(make_kernel_tree) || fail "the second attempt failed"
	[[ ! -e $tree/rest ]] || fail "built upon the rest"
	[[ $(cat "$tree/include/config/kernel.release") == 7.3.4+test ]] || fail "not the stock release"
	[[ $( (make_kernel_tree)) == "kernel: ready in $tree" ]] || fail "made a third time"
}

test_a_tree_that_does_not_fit_is_not_trusted_later() {
	play_the_steps
	kbuild() { echo '_RNvNtCs1XYZabcdef1_6kernel5print' >"$1/rust/exports_kernel_generated.h"; }
	local status=0 tree
	(make_kernel_tree &>first.log) || status=$?
	((status == 16)) || fail "exit code $status: $(cat first.log)"
	tree=$(kernel_tree)
	[[ ! -e $tree/.complete ]] || fail "marked as complete"
}

test_a_configuration_that_changes_stops_the_build() {
	play_the_steps
	configure() { echo 'CONFIG_RUST=n' >"$1/.config"; }
	local status=0
	(make_kernel_tree &>first.log) || status=$?
	((status == 16)) || fail "exit code $status: $(cat first.log)"
	grep -q 'the first is: < CONFIG_RUST=y' first.log || fail "$(cat first.log)"
}
