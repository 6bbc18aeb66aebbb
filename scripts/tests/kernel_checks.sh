# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2016,SC2317
# What was not made by the stock kernel's compilers, from its source and its configuration, is
# refused with both sides named.

# shellcheck source=scripts/lib/report.sh
source "$SCRIPTS/lib/report.sh"
# shellcheck source=scripts/lib/kernel-checks.sh
source "$SCRIPTS/lib/kernel-checks.sh"

stock_config() {
	cat >stock.config <<-'EOS'
		CONFIG_CC_VERSION_TEXT="x86_64-linux-gnu-gcc-14 (Debian 14.2.0-19) 14.2.0"
		CONFIG_RUSTC_VERSION_TEXT="rustc 1.85.1 (4eb161250 2025-03-15) (built from a source tarball)"
		CONFIG_SCHED_CLASS_EXT=y
		# CONFIG_KUNIT is not set
	EOS
}

stock_symbols() {
	cat >Module.symvers <<-'EOS'
		0x00000000	_RNvMNtCsb5MLIFMWygY_6kernel5alloc4test	vmlinux	EXPORT_SYMBOL_GPL
		0x00000000	_RNvMs_NtCsb5MLIFMWygY_6kernel7cpufreqNtB4_5Table4freq	vmlinux	EXPORT_SYMBOL_GPL
		0x00000000	_RNvXsCs2lKf6AS60Zg_4core3fmt	vmlinux	EXPORT_SYMBOL_GPL
		0x00000000	cpufreq_register_driver	vmlinux	EXPORT_SYMBOL_GPL
	EOS
	sed -n 's/.*\t\(_R[^\t]*\)\t.*/EXPORT_SYMBOL_RUST_GPL(\1);/p' Module.symvers >exports.h
}

compilers_here() {
	fake rustc <<<"echo '$1'"
	fake gcc <<<"echo '$2'; echo 'Copyright'"
}

test_the_stock_compilers_pass_by_whatever_name_they_are_called() {
	stock_config
	compilers_here 'rustc 1.85.1 (4eb161250 2025-03-15) (built from a source tarball)' 'gcc (Debian 14.2.0-19) 14.2.0'
	check_compilers stock.config
}

test_another_rustc_is_refused() {
	stock_config
	compilers_here 'rustc 1.90.0 (1159e78c4 2025-09-14)' 'gcc (Debian 14.2.0-19) 14.2.0'
	refused 15 'built with "rustc 1.85.1 (4eb161250 2025-03-15) (built from a source tarball)", the compiler here is "rustc 1.90.0' \
		check_compilers stock.config
}

test_another_gcc_is_refused() {
	stock_config
	compilers_here 'rustc 1.85.1 (4eb161250 2025-03-15) (built from a source tarball)' 'gcc (Debian 12.2.0-14) 12.2.0'
	refused 15 'built with "x86_64-linux-gnu-gcc-14 (Debian 14.2.0-19) 14.2.0", the compiler here is "gcc (Debian 12.2.0-14) 12.2.0"' \
		check_compilers stock.config
}

test_the_same_crates_pass() {
	stock_symbols
	check_crate_hash Module.symvers exports.h
	check_symbols Module.symvers exports.h
}

test_another_hash_of_the_crate_is_refused() {
	stock_symbols
	sed -i 's/Csb5MLIFMWygY_6kernel/Cs1XYZabcdef1_6kernel/' exports.h
	refused 16 '"NtCsb5MLIFMWygY_6kernel" in the stock kernel, "NtCs1XYZabcdef1_6kernel" in the one made here' \
		check_crate_hash Module.symvers exports.h
}

test_a_kernel_without_rust_is_refused() {
	stock_symbols
	sed -i '/_R/d' Module.symvers
	refused 16 "built with CONFIG_RUST?" check_crate_hash Module.symvers exports.h
}

test_the_source_of_another_release_is_refused() {
	stock_symbols
	sed -i '/cpufreq/d' exports.h
	refused 16 'exports 1 Rust symbols that the source here does not make, the first is _RNvMs_NtCsb5MLIFMWygY_6kernel7cpufreqNtB4_5Table4freq' \
		check_symbols Module.symvers exports.h
}

test_a_configuration_that_changed_is_refused() {
	stock_config
	sed '/SCHED_CLASS_EXT/d' stock.config >our.config
	refused 16 '1 lines (< stock, > here), the first is: < CONFIG_SCHED_CLASS_EXT=y' check_config stock.config our.config
}

test_only_the_name_of_gcc_may_differ_in_the_configuration() {
	stock_config
	sed 's/x86_64-linux-gnu-gcc-14/gcc/' stock.config >our.config
	check_config stock.config our.config
}

test_dkms_asks_for_the_series_that_is_built_against() {
	# shellcheck source=scripts/lib/definition.sh
	source "$SCRIPTS/lib/definition.sh"
	grep -qx "BUILD_EXCLUSIVE_KERNEL_MIN=\"$KERNEL_SERIES\"" "$SCRIPTS/../dkms.conf" ||
		fail "dkms.conf does not ask for $KERNEL_SERIES"
}
