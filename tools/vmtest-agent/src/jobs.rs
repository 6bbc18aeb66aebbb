// SPDX-License-Identifier: GPL-2.0
//! Commands that run beside the requests, and orphans that only the first process can bury.

use std::collections::BTreeMap;
use std::io;
use std::process::{Child, Stdio};

use rustix::process::{waitid, WaitId, WaitIdOptions};
use vmtest_proto::Reply;

use crate::command;
use crate::serve::{refusal, Answer};

/// All commands that were started and not yet killed.
#[derive(Default)]
pub struct Jobs {
    running: BTreeMap<u32, Child>,
    last: u32,
}

impl Jobs {
    /// Starts a command.
    pub fn start(&mut self, argv: &[String]) -> Answer {
        let child = command::prepare(argv).and_then(|mut command| {
            command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
        });
        let child = child.map_err(|error| refusal("start", &argv.join(" "), &error))?;
        self.last = self.last.wrapping_add(1);
        self.running.insert(self.last, child);
        Ok(Reply::Job(self.last))
    }

    /// Kills a command and waits for its end.
    pub fn kill(&mut self, job: u32) -> Answer {
        let Some(mut child) = self.running.remove(&job) else {
            let unknown = io::Error::new(io::ErrorKind::NotFound, "no such job");
            return Err(refusal("kill", &job.to_string(), &unknown));
        };
        command::kill(&mut child);
        Ok(Reply::Done)
    }

    /// Buries every process that has ended. To be called only when no command is being waited for.
    pub fn reap(&mut self) {
        for child in self.running.values_mut() {
            // Ended jobs keep their entry: the host will still want to kill them by number.
            let _ = child.try_wait();
        }
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        while let Ok(Some(_)) = waitid(WaitId::All, ended) {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_killed_once() {
        let mut jobs = Jobs::default();
        let Ok(Reply::Job(job)) = jobs.start(&["sleep".to_owned(), "60".to_owned()]) else {
            panic!("not started");
        };
        assert_eq!(jobs.kill(job).unwrap(), Reply::Done);
        assert!(jobs.kill(job).unwrap_err().text.contains("no such job"));
    }
}
