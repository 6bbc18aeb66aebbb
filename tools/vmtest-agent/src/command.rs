// SPDX-License-Identifier: GPL-2.0
//! Commands: found, started, fed, and waited for no longer than allowed.

use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{kill_process_group, Pid, Signal};
use vmtest_proto::{Bytes, Exit, Reply};

use crate::serve::{refusal, Answer};

/// Where programs are looked up.
pub const PATH: &str = "/usr/sbin:/usr/bin:/sbin:/bin";

/// How long output may still come after the command itself has ended; a process that it left
/// behind can hold the pipe open for ever.
const GRACE: Duration = Duration::from_millis(500);

/// Prepares a command in a process group of its own, so that all of it can be killed.
pub fn prepare(argv: &[String]) -> io::Result<Command> {
    let Some((program, arguments)) = argv.split_first() else {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "no program named",
        ));
    };
    let mut command = Command::new(program);
    command.args(arguments).env_clear().process_group(0);
    command
        .env("PATH", PATH)
        .env("HOME", "/")
        .env("LANG", "C")
        .env("TERM", "dumb");
    Ok(command)
}

/// Kills a command with all that it started, and waits for it.
pub fn kill(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // It may have gone by itself; then there is nothing to kill.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}

/// Runs a command to its end or its bound.
pub fn run(argv: &[String], stdin: Vec<u8>, bound: Duration) -> Answer {
    try_run(argv, stdin, bound).map_err(|error| refusal("run", &argv.join(" "), &error))
}

fn try_run(argv: &[String], stdin: Vec<u8>, bound: Duration) -> io::Result<Reply> {
    let pipe = Stdio::piped;
    let mut child = prepare(argv)?
        .stdin(pipe())
        .stdout(pipe())
        .stderr(pipe())
        .spawn()?;
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    if let Some(mut pipe) = child.stdin.take() {
        // A command that does not read its input is right to do so.
        thread::spawn(move || pipe.write_all(&stdin));
    }
    let exit = match wait(&mut child, bound)? {
        Some(status) => ended(status),
        None => {
            kill(&mut child);
            Exit::Late
        }
    };
    let [stdout, stderr] = [stdout, stderr].map(|pipe| Bytes(drain(&pipe)));
    Ok(Reply::Ran {
        exit,
        stdout,
        stderr,
    })
}

fn ended(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Code(-1),
    }
}

fn wait(child: &mut Child, bound: Duration) -> io::Result<Option<ExitStatus>> {
    let end = Instant::now() + bound;
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Reads a pipe in the background and hands over each piece.
fn collect<R: Read + Send + 'static>(pipe: Option<R>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    if let Some(mut pipe) = pipe {
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                let piece = buffer.get(..count).unwrap_or_default().to_vec();
                if sender.send(piece).is_err() {
                    break;
                }
            }
        });
    }
    receiver
}

fn drain(pipe: &Receiver<Vec<u8>>) -> Vec<u8> {
    let mut all = Vec::new();
    while let Ok(piece) = pipe.recv_timeout(GRACE) {
        all.extend(piece);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, stdin: &str, bound: Duration) -> (Exit, String, String) {
        let argv = ["sh", "-c", script].map(str::to_owned);
        match run(&argv, stdin.into(), bound).unwrap() {
            Reply::Ran {
                exit,
                stdout,
                stderr,
            } => (exit, stdout.to_text(), stderr.to_text()),
            other => panic!("{other:?}"),
        }
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn output_input_and_exit_code_come_through() {
        let ran = sh("cat; echo bad >&2; exit 3", "in\n", LONG);
        assert_eq!(ran, (Exit::Code(3), "in\n".into(), "bad\n".into()));
    }

    #[test]
    fn a_command_past_its_bound_is_killed_with_its_children() {
        let begin = Instant::now();
        let (exit, stdout, _) = sh("echo up; sleep 30 & wait", "", Duration::from_millis(300));
        assert_eq!((exit, stdout.as_str()), (Exit::Late, "up\n"));
        assert!(begin.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_child_left_behind_does_not_hold_the_answer_back() {
        let begin = Instant::now();
        let (exit, stdout, _) = sh("sleep 8 & echo done", "", LONG);
        assert_eq!((exit, stdout.as_str()), (Exit::Code(0), "done\n"));
        assert!(begin.elapsed() < Duration::from_secs(6));
    }

    #[test]
    fn a_missing_program_is_refused_by_name() {
        let refusal = run(&["no-such-program".to_owned()], Vec::new(), LONG).unwrap_err();
        assert_eq!(refusal.errno, 2);
        assert!(refusal.text.contains("no-such-program"), "{refusal}");
        assert!(run(&[], Vec::new(), LONG).is_err());
    }

    #[test]
    fn a_signal_is_told_from_an_exit_code() {
        assert_eq!(sh("kill -TERM $$", "", LONG).0, Exit::Signal(15));
    }
}
