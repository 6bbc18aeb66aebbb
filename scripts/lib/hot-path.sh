# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What the scheduler's path through the driver may not reach: a panic, whose branch would have to be
# there, a helper function in C, whose call costs more than what it does, and a call through a pointer.

# forbidden_on_hot_path: reads `objdump -dr` of the driver's object and prints each forbidden name
# with the function that refers to it; nothing, with success, if there is none. Functions that the path
# calls are followed, but for those that run only when limits have changed or somebody traces.
forbidden_on_hot_path() {
	awk '
		function hex(text,    at, value) {
			for (at = 1; at <= length(text); at++)
				value = value * 16 + index("0123456789abcdef", substr(text, at, 1)) - 1
			return value
		}
		function refer(name) {
			refers[current, ++count[current]] = name
		}
		# The assembler names a function in another section by that section and an offset, which
		# counts from the end of the four bytes that are filled in.
		function resolved(name,    parts) {
			if (split(name, parts, /\+0x/) == 2 && (parts[1], hex(parts[2]) + 4) in starts)
				return starts[parts[1], hex(parts[2]) + 4]
			sub(/[-+]0x[0-9a-f]+$/, "", name)
			return name
		}
		function follow(name,    number, next_name) {
			if (seen[name]++) return
			for (number = 1; number <= count[name]; number++) {
				next_name = resolved(refers[name, number])
				if (next_name ~ forbidden) {
					print next_name " in " name
					found++
				} else if (next_name in count && next_name !~ seldom)
					follow(next_name)
			}
		}
		BEGIN {
			split("fast_switch_callback adjust_perf_callback switch_anew adjust_anew", roots, " ")
			forbidden = "4core9panicking|4core6(option|result)13(expect|unwrap)_failed|4core5slice5index|4core3str|4core4cell|^rust_helper_|^__x86_indirect_"
			seldom = "10new_limits|[0-9]tell_"
		}
		/^Disassembly of section / { section = $4; sub(/:$/, "", section); next }
		/^[0-9a-f]+ <.*>:$/ {
			name = substr($2, 2, length($2) - 3)
			# Labels within or before functions begin with a dot.
			if (name !~ /^\./) {
				current = name
				count[current] += 0
				starts[section, hex($1)] = name
			}
			next
		}
		/R_X86_64_/ { refer($NF); next }
		/\t(call|jmp|j[a-z]+) .*<[^.].*>$/ {
			name = substr($NF, 2, length($NF) - 2)
			sub(/\+0x[0-9a-f]+$/, "", name)
			if (name != current) refer(name)
		}
		END {
			for (number = 1; number in roots; number++) {
				known = 0
				for (name in count)
					if (index(name, length(roots[number]) roots[number])) {
						known++
						follow(name)
					}
				if (!known) {
					print "(there is no function " roots[number] ")"
					found++
				}
			}
			exit found > 0
		}'
}
