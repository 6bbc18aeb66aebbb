// SPDX-License-Identifier: GPL-2.0
//! Boots a kernel on a simulated platform and runs scenarios in it.
//!
//! A scenario is a function on the host with a [`machine::Machine`] in hand: it reads, writes and
//! runs things in the guest through an agent, looks at the register log, and knows the platform's
//! description. Its verdict is its return value; the console is kept for people to read.

#![forbid(unsafe_code)]

pub mod archive;
pub mod bench;
pub mod boot;
pub mod check;
pub mod cli;
pub mod complaints;
pub mod demo;
pub mod differential;
pub mod driver;
pub mod elf;
pub mod guest;
pub mod interrupt;
pub mod machine;
pub mod modules;
pub mod platform;
pub mod process;
pub mod qemu;
pub mod registers;
pub mod runner;
pub mod scenario;
pub mod shell;
pub mod verdict;
