// SPDX-License-Identifier: GPL-2.0
//! A QEMU plugin that lets the model of a described machine answer `rdmsr`,
//! `wrmsr`, `cpuid` and `rdtsc`.
//!
//! ```text
//! -plugin libcppc_qemu.so,platform=FILE[,cpus=N][,log=FILE][,log_reads=on][,tsc=off][,count=on]
//! ```
//!
//! Under TCG, QEMU reads the processor's frequency control registers as 0 and
//! drops what is written to them. This plugin is called before each such
//! instruction, asks [`cppc_model`], puts the answer into the guest's
//! registers and lets the guest go on behind the instruction. What the model
//! does not own is left to QEMU.
//!
//! [`front`] decides, and can be tested without QEMU. [`plugin`] and [`api`]
//! connect it to QEMU; all foreign functions stand in [`sys`].
//!
//! What the guest writes to two I/O ports is seen on the way, and still
//! reaches QEMU: markers, and the order to sleep; see [`board`]. The kind of
//! machine is written into the guest's FADT; see [`fadt`].
//!
//! A panic cannot leave the plugin: its callbacks are `extern "C"` functions,
//! out of which a panic aborts the process after its message.

#![allow(
    rustdoc::private_intra_doc_links,
    reason = "a plugin has no public items; its documentation is for who works on it"
)]

mod args;
mod board;
mod decode;
mod fadt;
mod front;
mod guest;
mod log;
mod place;

// Without QEMU around them these would not link.
#[cfg(not(test))]
mod api;
#[cfg(not(test))]
mod plugin;
#[cfg(not(test))]
mod sys;
