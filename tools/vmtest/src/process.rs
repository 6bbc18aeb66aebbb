// SPDX-License-Identifier: GPL-2.0
//! The running QEMU: lines to and from the agent, each with a bound in time, and a sure end.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{kill_process_group, Pid, Signal};

use crate::interrupt;

/// How often a wait looks whether a signal has come.
const GLANCE: Duration = Duration::from_millis(100);

/// A line longer than this is garbage.
const LONGEST_LINE: u64 = 64 << 20;

/// Why no line came.
#[derive(Debug, thiserror::Error)]
pub enum ChannelError {
    /// The bound is reached.
    #[error("no answer within {} s", bound.as_secs())]
    Late {
        /// The bound.
        bound: Duration,
    },
    /// QEMU has ended, or has closed the channel.
    #[error("the machine has ended")]
    Ended,
    /// The channel cannot be written.
    #[error("the channel to the guest: {0}")]
    Broken(#[from] io::Error),
    /// A signal asks the harness to end.
    #[error("interrupted")]
    Interrupted,
}

/// A QEMU process. It is killed when this is dropped.
pub struct Qemu {
    child: Child,
    ended: bool,
    stdin: ChildStdin,
    lines: Receiver<Vec<u8>>,
}

impl Qemu {
    /// Starts QEMU; what it has to say of itself goes to the file `stderr`.
    ///
    /// The calling thread must live as long as the machine: QEMU ends with the thread that
    /// started it.
    ///
    /// # Errors
    ///
    /// When the program cannot be started or the file cannot be made.
    pub fn start(program: &Path, arguments: &[OsString], stderr: &Path) -> io::Result<Self> {
        let mut child = Command::new(program)
            .args(arguments)
            // In a process group of its own the terminal's Ctrl-C reaches only the harness.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(stderr)?)
            .spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let (Some(stdin), Some(stdout)) = pipes else {
            return Err(io::Error::other("no pipe to QEMU"));
        };
        Ok(Self {
            child,
            ended: false,
            stdin,
            lines: read_lines(stdout),
        })
    }

    /// Sends one line.
    ///
    /// # Errors
    ///
    /// When QEMU has gone.
    pub fn send(&mut self, line: &[u8]) -> Result<(), ChannelError> {
        self.stdin.write_all(line)?;
        Ok(self.stdin.flush()?)
    }

    /// Waits for the next line.
    ///
    /// # Errors
    ///
    /// See [`ChannelError`].
    pub fn receive(&mut self, bound: Duration) -> Result<Vec<u8>, ChannelError> {
        let end = Instant::now() + bound;
        loop {
            if interrupt::came() {
                return Err(ChannelError::Interrupted);
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(ChannelError::Ended),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(ChannelError::Late { bound })
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Waits until QEMU has ended, `None` when it has not within the bound.
    pub fn wait(&mut self, bound: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + bound;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.ended = true;
                    return Some(status);
                }
                Err(_) => return None,
                Ok(None) if Instant::now() >= end => return None,
                Ok(None) => thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// Kills QEMU and all in its process group.
    pub fn kill(&mut self) {
        if self.ended {
            // Its number may belong to somebody else by now.
            return;
        }
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // It may have ended already; that is as good.
            let _ = kill_process_group(group, Signal::KILL);
        }
        self.ended = self.child.wait().is_ok();
    }
}

impl Drop for Qemu {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads lines in the background, because a pipe cannot be read with a bound.
fn read_lines(stdout: ChildStdout) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(stdout);
        loop {
            let mut line = Vec::new();
            match reader
                .by_ref()
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut line)
            {
                Ok(1..) if sender.send(line).is_ok() => {}
                _ => return,
            }
        }
    });
    receiver
}
