# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2317
# A panic, a helper or a call through a pointer on the scheduler's path is found, wherever it is on it.

# shellcheck source=scripts/lib/hot-path.sh
source "$SCRIPTS/lib/hot-path.sh"

# listing ADJUST_ANEW ANYWAY TELL: what objdump says of a driver, with these references in three
# functions. The last of them is out of the way in a section of its own.
listing() {
	cat <<-EOS

		amd_pstate_rs_main.o:     file format elf64-x86-64


		Disassembly of section .text:

		0000000000000010 <_RNvMs2_8governedE20fast_switch_callbackB4_>:
		      10:	endbr64
		      14:	jne    40 <_RNvMs2_8governedE20fast_switch_callbackB4_+0x30>
		      16:	jmp    1b <_RNvMs2_8governedE20fast_switch_callbackB4_+0xb>
					17: R_X86_64_PLT32	_RNvM8governedE11switch_anewB4_-0x4

		000000000000004b <.Ltmp7>:
		      4b:	nop

		0000000000000050 <_RNvMs2_8governedE20adjust_perf_callbackB4_>:
		      50:	jmp    90 <_RNvM8governedE11adjust_anewB4_>

		0000000000000070 <_RNvM8governedE11switch_anewB4_>:
		      70:	jmp    75 <_RNvM8governedE11switch_anewB4_+0x5>
					71: R_X86_64_PLT32	__x86_return_thunk-0x4

		0000000000000090 <_RNvM8governedE11adjust_anewB4_>:
		      90:	call   95 <_RNvM8governedE11adjust_anewB4_+0x5>
					91: R_X86_64_PLT32	${1}-0x4
		      95:	jmp    9a <_RNvM8governedE11adjust_anewB4_+0xa>
					96: R_X86_64_PLT32	.text.unlikely.+0x2c

		Disassembly of section .text.unlikely.:

		0000000000000030 <_RNvM8governedE13adjust_anywayB4_>:
		      30:	call   35 <_RNvM8governedE13adjust_anywayB4_+0x5>
					31: R_X86_64_PLT32	${2}-0x4
		      35:	call   60 <_RNvM7cpudataE12tell_requestB4_>

		0000000000000060 <_RNvM7cpudataE12tell_requestB4_>:
		      60:	call   65 <_RNvM7cpudataE12tell_requestB4_+0x5>
					61: R_X86_64_PLT32	${3}-0x4
	EOS
}

readonly PANIC=_RNvNtNtCs2lKf6AS60Zg_4core9panicking11panic_const24panic_const_add_overflow
readonly NONE=__x86_return_thunk

# found NAME FUNCTION: exactly that was found in the listing on stdin.
found() {
	local text
	if text=$(forbidden_on_hot_path); then
		fail "nothing was found"
	fi
	[[ $text == "$1 in $2" ]] || fail "found: $text"
}

test_a_clean_path_passes_whatever_tracing_does() {
	listing $NONE $NONE $NONE | forbidden_on_hot_path
	listing $NONE $NONE $PANIC | forbidden_on_hot_path
}

test_a_panic_is_found_in_the_function_itself() {
	listing $PANIC $NONE $NONE | found $PANIC _RNvM8governedE11adjust_anewB4_
}

test_a_panic_is_found_in_what_it_calls_in_another_section() {
	listing $NONE $PANIC $NONE | found $PANIC _RNvM8governedE13adjust_anywayB4_
}

test_helpers_and_calls_through_pointers_are_found() {
	local name
	for name in rust_helper_wrmsrq __x86_indirect_thunk_rax; do
		listing $NONE $name $NONE | found $name _RNvM8governedE13adjust_anywayB4_
	done
}

test_a_path_that_is_not_there_is_no_clean_one() {
	local text
	if text=$(listing $NONE $NONE $NONE | sed 's/11switch_anew/11switch_else/' | forbidden_on_hot_path); then
		fail "passed"
	fi
	[[ $text == "(there is no function switch_anew)" ]] || fail "found: $text"
}
