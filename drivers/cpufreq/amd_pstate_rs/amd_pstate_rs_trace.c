// SPDX-License-Identifier: GPL-2.0
/*
 * The trace events of <trace/events/amd_pstate_rs.h>: TRACE_EVENT() is a macro of C, so that a C
 * file has to hold what it makes.  CREATE_RUST_TRACE_POINTS adds the functions that Rust calls,
 * rust_do_trace_<event>().
 */
#define CREATE_TRACE_POINTS
#define CREATE_RUST_TRACE_POINTS
#include <trace/events/amd_pstate_rs.h>
