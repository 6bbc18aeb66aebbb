// SPDX-License-Identifier: GPL-2.0
//! The plugin's arguments: `-plugin libcppc_qemu.so,platform=FILE,…`

use std::path::PathBuf;

use thiserror::Error;

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Args {
    /// `platform=FILE`: the description of the machine.
    pub platform: PathBuf,
    /// `cpus=N`: how many CPUs it has; without it, as many as QEMU was given.
    pub cpus: Option<usize>,
    /// `log=FILE`: where the register log goes; without it there is none.
    pub log: Option<PathBuf>,
    /// `log_reads=on`: also log reads of APERF and MPERF, which come with
    /// every scheduler tick.
    pub log_reads: bool,
    /// `tsc=off`: the time stamp counter runs at QEMU's rate and not at the
    /// described one, and the guest's kernel shows frequencies to match.
    pub tsc: bool,
    /// `count=on`: each CPU's instructions are counted, and marks carry the
    /// count. Costs time at every instruction.
    pub count: bool,
}

/// Arguments that make no sense.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ArgError {
    /// An argument without a value.
    #[error("argument {0:?} has no value (key=value is wanted)")]
    NoValue(String),
    /// A key that is not known.
    #[error("unknown argument {0:?} (known: platform, cpus, log, log_reads, tsc, count)")]
    UnknownKey(String),
    /// A key given twice.
    #[error("argument {0:?} is given twice")]
    Twice(String),
    /// A value that the key does not take.
    #[error("argument {key}: {value:?} is not {wanted}")]
    Value {
        /// The key.
        key: &'static str,
        /// The value given.
        value: String,
        /// What would do.
        wanted: &'static str,
    },
    /// No description named.
    #[error("argument platform=FILE is missing")]
    NoPlatform,
}

impl Args {
    /// Reads the arguments as QEMU passes them: one `key=value` each.
    pub fn parse<S: AsRef<str>>(args: &[S]) -> Result<Self, ArgError> {
        let (mut platform, mut cpus, mut log) = (None, None, None);
        let (mut log_reads, mut tsc, mut count) = (None, None, None);
        for arg in args {
            let arg = arg.as_ref();
            let (key, value) = arg
                .split_once('=')
                .ok_or_else(|| ArgError::NoValue(arg.to_owned()))?;
            match key {
                "platform" => once(key, &mut platform, path("platform", value)?)?,
                "cpus" => once(key, &mut cpus, number("cpus", value)?)?,
                "log" => once(key, &mut log, path("log", value)?)?,
                "log_reads" => once(key, &mut log_reads, switch("log_reads", value)?)?,
                "tsc" => once(key, &mut tsc, switch("tsc", value)?)?,
                "count" => once(key, &mut count, switch("count", value)?)?,
                _ => return Err(ArgError::UnknownKey(key.to_owned())),
            }
        }
        Ok(Self {
            platform: platform.ok_or(ArgError::NoPlatform)?,
            cpus,
            log,
            log_reads: log_reads.unwrap_or(false),
            tsc: tsc.unwrap_or(true),
            count: count.unwrap_or(false),
        })
    }
}

fn once<T>(key: &str, slot: &mut Option<T>, value: T) -> Result<(), ArgError> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(ArgError::Twice(key.to_owned())),
    }
}

fn path(key: &'static str, value: &str) -> Result<PathBuf, ArgError> {
    if value.is_empty() {
        return Err(wrong(key, value, "the name of a file"));
    }
    Ok(PathBuf::from(value))
}

fn number(key: &'static str, value: &str) -> Result<usize, ArgError> {
    value
        .parse()
        .map_err(|_| wrong(key, value, "a number of CPUs"))
}

fn switch(key: &'static str, value: &str) -> Result<bool, ArgError> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(wrong(key, value, "on or off")),
    }
}

fn wrong(key: &'static str, value: &str, wanted: &'static str) -> ArgError {
    ArgError::Value {
        key,
        value: value.to_owned(),
        wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_can_be_given() {
        let args = Args::parse(&[
            "platform=a.toml",
            "cpus=2",
            "log=b=c",
            "log_reads=on",
            "tsc=off",
            "count=on",
        ]);
        assert_eq!(
            args,
            Ok(Args {
                platform: "a.toml".into(),
                cpus: Some(2),
                log: Some("b=c".into()),
                log_reads: true,
                tsc: false,
                count: true,
            })
        );
    }

    #[test]
    fn only_the_platform_has_to_be_given() {
        let args = Args::parse(&["platform=a.toml"]).unwrap();
        assert_eq!((args.cpus, args.log), (None, None));
        assert_eq!((args.log_reads, args.tsc, args.count), (false, true, false));
        assert_eq!(Args::parse(&["cpus=2"]), Err(ArgError::NoPlatform));
    }

    #[test]
    fn each_error_names_the_argument() {
        for (args, named) in [
            (&["platform"][..], "platform"),
            (&["platform="], "platform"),
            (&["platfrom=a.toml"], "platfrom"),
            (&["platform=a", "cpus=two"], "cpus"),
            (&["platform=a", "cpus=-1"], "cpus"),
            (&["platform=a", "log="], "log"),
            (&["platform=a", "log_reads=yes"], "log_reads"),
            (&["platform=a", "platform=b"], "platform"),
            (&["platform=a", "arg=on"], "arg"),
        ] {
            let error = Args::parse(args).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }
}
