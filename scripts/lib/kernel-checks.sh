# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Whether a module built here fits the stock kernel. That kernel has no MODVERSIONS: it would load a
# module with other structure layouts and crash, so what does not fit is refused here.

# config_text CONFIG NAME: the value of a string option, without its quotes.
config_text() {
	sed -n "s/^CONFIG_$2=\"\\(.*\\)\"\$/\\1/p" "$1"
}

# check_compiler CONFIG OPTION ACTUAL: ACTUAL is the first line of the compiler's --version. Its first
# word, the name it was called by, is no part of what it is.
check_compiler() {
	local built_with
	built_with=$(config_text "$1" "$2")
	[[ ${built_with#* } == "${3#* }" ]] ||
		die "$EXIT_COMPILER" "the stock kernel was built with \"$built_with\", the compiler here is \"$3\""
}

check_compilers() {
	local config=$1
	check_compiler "$config" RUSTC_VERSION_TEXT "$(rustc --version)"
	check_compiler "$config" CC_VERSION_TEXT "$(LC_ALL=C gcc --version | head -n 1)"
}

# The hash that rustc gave the crate `kernel` stands in each of its mangled symbols:
# _RNvMNtCsb5MLIFMWygY_6kernel... It depends on source, flags and compiler. Reads symbols on stdin.
crate_hash() {
	grep -oE 'NtC(s[0-9A-Za-z]*_)?6kernel' | sort | uniq -c | sort -rn | awk 'NR == 1 {print $2}'
}

# check_crate_hash STOCK OURS: STOCK is the stock Module.symvers, OURS any text with the symbols of
# the crates that were made here.
check_crate_hash() {
	local stock ours
	stock=$(crate_hash <"$1")
	ours=$(crate_hash <"$2")
	[[ -n $stock ]] || die "$EXIT_UNFIT" "$1 names no symbol of the Rust crate kernel: was it built with CONFIG_RUST?"
	[[ $stock == "$ours" ]] ||
		die "$EXIT_UNFIT" "the crate kernel is \"$stock\" in the stock kernel, \"${ours:-not there}\" in the one made here: modules built with it would not fit"
}

# The hash follows from names, flags and compiler, not from the source: two sources of one series
# have the same. The exported symbols tell them apart.
check_symbols() {
	local missing
	missing=$(comm -23 <(rust_symbols <"$1") <(rust_symbols <"$2"))
	[[ -z $missing ]] ||
		die "$EXIT_UNFIT" "the stock kernel exports $(wc -l <<<"$missing") Rust symbols that the source here does not make, the first is $(head -n 1 <<<"$missing")"
}

rust_symbols() {
	grep -oE '\b_R[0-9A-Za-z_]+' | LC_ALL=C sort -u
}

# check_config STOCK OURS: a tool that is missing here switches options off without a word, and with
# them members of structures. Only the name that gcc is called by may differ.
check_config() {
	local changed
	changed=$(diff <(set_options "$1") <(set_options "$2") | grep '^[<>]' || true)
	[[ -z $changed ]] ||
		die "$EXIT_UNFIT" "the stock configuration came out changed, $(wc -l <<<"$changed") lines (< stock, > here), the first is: $(head -n 1 <<<"$changed")"
}

set_options() {
	grep '^CONFIG_' "$1" | grep -v '^CONFIG_CC_VERSION_TEXT=' | LC_ALL=C sort
}
