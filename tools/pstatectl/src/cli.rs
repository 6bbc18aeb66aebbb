// SPDX-License-Identifier: GPL-2.0
//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use cpufreq_sysfs::CpuSelection;

use crate::exit::Exit;

/// Heading of the options that every command takes.
const GLOBAL: &str = "Options of every command";

const EXAMPLES: &str = "\
Examples:
  pstatectl info                        the whole machine on one screen
  pstatectl frequency-info              CPU 0, in the layout of cpupower
  pstatectl -c 0-3 frequency-info -p    limits and governor of four CPUs
  pstatectl -c all frequency-info -mf   frequency of every CPU, readable
  pstatectl info --json                 for programs";

const FREQUENCY_INFO_EXAMPLES: &str = "\
One output option at a time; without one, everything is shown. Without --cpu it is CPU 0.

Examples:
  pstatectl frequency-info              everything about CPU 0
  pstatectl -c 4-7 frequency-info -l    limits of the hardware, kHz
  pstatectl frequency-info -fm          current frequency, readable
  pstatectl frequency-info -o           one line for each CPU
  pstatectl --json frequency-info       everything, for programs";

const INFO_EXAMPLES: &str = "\
CPUs with the same values share a line.

Examples:
  pstatectl info                        the whole machine
  pstatectl info -c 0-7                 some CPUs
  pstatectl info --json                 for programs, a record for each CPU";

/// Shows how Linux drives the frequency of AMD processors.
#[derive(Debug, Parser)]
#[command(
    name = "pstatectl",
    version,
    disable_version_flag = true,
    max_term_width = 80
)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
pub struct Cli {
    /// CPUs to look at: 0-3 or 1,3,5-7 or 0-7:2 or all; before the command, as with cpupower
    #[arg(short, long, value_name = "LIST")]
    pub cpu: Option<CpuSelection>,

    /// Print JSON of a documented version in place of text
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub json: bool,

    /// When to use colour
    #[arg(long, global = true, help_heading = GLOBAL, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,

    /// Directory that stands for /, to look at a recorded machine
    #[arg(long, global = true, help_heading = GLOBAL, env = "PSTATECTL_ROOT", default_value = "/", value_name = "DIR")]
    pub root: PathBuf,

    /// Print version
    #[arg(short = 'v', long, short_alias = 'V', action = ArgAction::Version)]
    version: Option<bool>,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, and not with NO_COLOR set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show frequencies, limits and governor in the layout of cpupower
    #[command(after_help = FREQUENCY_INFO_EXAMPLES)]
    FrequencyInfo(FrequencyInfo),
    /// Show driver, mode, capabilities, ranking and limits of all CPUs on one screen
    #[command(after_help = INFO_EXAMPLES)]
    Info(Info),
}

/// Options of `frequency-info`; all but the last two choose what is shown.
#[derive(Args, Clone, Debug, Default)]
pub struct FrequencyInfo {
    /// What to show.
    #[command(flatten)]
    pub section: SectionFlags,
    /// Readable units with -f, -w, -s, -y and -l
    #[arg(short = 'm', long)]
    pub human: bool,
    /// Exact frequencies where units are readable
    #[arg(short, long)]
    pub no_rounding: bool,
}

/// What `frequency-info` shows: at most one of these.
#[derive(Args, Clone, Debug, Default)]
#[group(multiple = false)]
pub struct SectionFlags {
    /// Everything (the default)
    #[arg(short = 'e', long)]
    pub debug: bool,
    /// Boost: supported, active
    #[arg(short, long)]
    pub boost: bool,
    /// Current frequency as the kernel knows it
    #[arg(short, long)]
    pub freq: bool,
    /// Current frequency as the hardware says (root only)
    #[arg(short = 'w', long)]
    pub hwfreq: bool,
    /// Lowest and highest frequency of the hardware
    #[arg(short = 'l', long)]
    pub hwlimits: bool,
    /// Driver
    #[arg(short, long)]
    pub driver: bool,
    /// Governor and limits in force
    #[arg(short, long)]
    pub policy: bool,
    /// Governors that can be chosen
    #[arg(short, long)]
    pub governors: bool,
    /// CPUs that share a clock
    #[arg(short, long)]
    pub related_cpus: bool,
    /// CPUs that software has to steer together
    #[arg(short, long)]
    pub affected_cpus: bool,
    /// Time at each frequency
    #[arg(short, long)]
    pub stats: bool,
    /// Longest time of a change
    #[arg(short = 'y', long)]
    pub latency: bool,
    /// One line for each CPU, as the old /proc/cpufreq had it; not with --cpu
    #[arg(short = 'o', long)]
    pub proc: bool,
    /// Performance levels of CPPC
    #[arg(short = 'c', long)]
    pub performance: bool,
    /// Energy performance preference
    #[arg(short = 'z', long)]
    pub epp: bool,
}

/// Options of `info`.
#[derive(Args, Clone, Debug, Default)]
pub struct Info {
    /// CPUs to look at; the same as before the command
    #[arg(short, long, value_name = "LIST")]
    pub cpu: Option<CpuSelection>,
}

impl Cli {
    /// Reads the command line.
    ///
    /// # Errors
    /// What clap says, also when help or the version was asked for.
    pub fn read(args: impl IntoIterator<Item = OsString>) -> Result<Self, UsageError> {
        let args: Vec<OsString> = args.into_iter().collect();
        let json = args.iter().any(|arg| arg == "--json");
        let cli = Self::try_parse_from(args).map_err(|error| UsageError { error, json })?;
        cli.check().map_err(|error| UsageError { error, json })?;
        Ok(cli)
    }

    /// Refuses what the parts of the command line allow each for itself, but not together.
    fn check(&self) -> Result<(), clap::Error> {
        let conflict = match &self.command {
            Command::FrequencyInfo(args) if args.section.proc && self.cpu.is_some() => {
                "--proc always shows all CPUs and cannot be used with --cpu"
            }
            Command::Info(args) if args.cpu.is_some() && self.cpu.is_some() => {
                "--cpu can stand before or after the command, not both"
            }
            _ => return Ok(()),
        };
        let mut command = <Self as clap::CommandFactory>::command();
        Err(command.error(clap::error::ErrorKind::ArgumentConflict, conflict))
    }
}

/// A command line that cannot be run, or one that asks for help.
#[derive(Debug)]
pub struct UsageError {
    /// What clap says.
    pub error: clap::Error,
    /// Whether the answer was to be JSON.
    pub json: bool,
}

/// The long help also lists the exit codes.
fn long_help() -> String {
    let codes = Exit::TABLE
        .iter()
        .fold(String::new(), |lines, (_, code, text)| {
            format!("{lines}\n  {code}  {text}")
        });
    format!("{EXAMPLES}\n\nExit codes:{codes}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn read(line: &str) -> Result<Cli, UsageError> {
        Cli::read(line.split_whitespace().map(OsString::from))
    }

    fn refusal(line: &str) -> String {
        let usage = read(line).unwrap_err();
        assert_eq!(usage.error.exit_code(), 2);
        usage.error.to_string()
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn c_is_the_cpu_before_the_command_and_performance_after_it() {
        let cli = read("pstatectl -c 0-3 frequency-info -c").unwrap();
        assert_eq!(cli.cpu, Some("0-3".parse().unwrap()));
        let Command::FrequencyInfo(args) = cli.command else {
            panic!("another command")
        };
        assert!(args.section.performance);
    }

    #[test]
    fn short_options_can_be_joined_as_with_getopt() {
        let Command::FrequencyInfo(args) = read("pstatectl frequency-info -mnf").unwrap().command
        else {
            panic!("another command")
        };
        assert!(args.human && args.no_rounding && args.section.freq);
    }

    #[test]
    fn two_sections_or_a_repeated_one_are_refused() {
        assert!(refusal("pstatectl frequency-info -d -p").contains("cannot be used with"));
        assert!(refusal("pstatectl frequency-info -d -d").contains("cannot be used multiple times"));
        assert!(refusal("pstatectl frequency-info -m -m").contains("cannot be used multiple times"));
    }

    #[test]
    fn the_table_of_all_cpus_takes_no_list() {
        assert!(refusal("pstatectl -c 0 frequency-info -o").contains("--proc"));
        assert!(read("pstatectl frequency-info -o").is_ok());
    }

    #[test]
    fn a_bad_list_is_refused_with_its_reason() {
        assert!(refusal("pstatectl -c 3-1 frequency-info").contains("backwards"));
    }

    #[test]
    fn json_can_stand_anywhere() {
        assert!(read("pstatectl --json info").unwrap().json);
        assert!(read("pstatectl info --json").unwrap().json);
        assert!(read("pstatectl --json").unwrap_err().json);
    }
}
