// SPDX-License-Identifier: GPL-2.0
//! The lines of the register log: one JSON object each.
//!
//! The front writes them, tests read them, both with these types. Numbers
//! that people know in hexadecimal are strings such as `"0xc00102b3"`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::cpuid::CpuidResult;
use crate::fault::Access;
use crate::register::Register;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Nanoseconds since the front started.
    pub t: u64,
    /// The CPU on which it happened.
    pub cpu: u32,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What happened, named in the field `op`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Event {
    /// `rdmsr` of an owned register.
    Read {
        /// The register's name.
        reg: Register,
        /// Its number.
        #[serde(with = "hex32")]
        msr: u32,
        /// The value read.
        #[serde(with = "hex64")]
        value: u64,
    },
    /// `wrmsr` of an owned register.
    Write {
        /// The register's name.
        reg: Register,
        /// Its number.
        #[serde(with = "hex32")]
        msr: u32,
        /// The value that the instruction carried.
        #[serde(with = "hex64")]
        value: u64,
        /// What a read gave before.
        #[serde(with = "hex64")]
        old: u64,
    },
    /// An access that the machine answered with #GP.
    Fault {
        /// Read or write.
        access: Access,
        /// The register's name.
        reg: Register,
        /// Its number.
        #[serde(with = "hex32")]
        msr: u32,
        /// The value that a write carried; 0 for a read.
        #[serde(with = "hex64")]
        value: u64,
    },
    /// `cpuid` of an owned leaf.
    Cpuid {
        /// The leaf.
        #[serde(with = "hex32")]
        leaf: u32,
        /// The answer.
        #[serde(with = "hex32")]
        eax: u32,
        /// The answer.
        #[serde(with = "hex32")]
        ebx: u32,
        /// The answer.
        #[serde(with = "hex32")]
        ecx: u32,
        /// The answer.
        #[serde(with = "hex32")]
        edx: u32,
    },
    /// A write to the marker port.
    Mark {
        /// The value written.
        value: u32,
        /// How many instructions the CPU had executed by then, the write of
        /// the marker included; only where the front counts them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instructions: Option<u64>,
    },
    /// The machine went to sleep (S3).
    Sleep,
}

impl Event {
    /// A read that gave `value`.
    pub fn read(reg: Register, value: u64) -> Self {
        let msr = reg.msr();
        Self::Read { reg, msr, value }
    }

    /// A write of `value` where a read gave `old` before.
    pub fn write(reg: Register, value: u64, old: u64) -> Self {
        let msr = reg.msr();
        Self::Write {
            reg,
            msr,
            value,
            old,
        }
    }

    /// An access that faulted; `value` is what a write carried.
    pub fn fault(access: Access, reg: Register, value: u64) -> Self {
        let msr = reg.msr();
        Self::Fault {
            access,
            reg,
            msr,
            value,
        }
    }

    /// The answer to `cpuid` with `leaf` in `eax`.
    pub fn cpuid(leaf: u32, result: CpuidResult) -> Self {
        let CpuidResult { eax, ebx, ecx, edx } = result;
        Self::Cpuid {
            leaf,
            eax,
            ebx,
            ecx,
            edx,
        }
    }
}

impl Entry {
    /// The line as it stands in the file, without the line's end.
    pub fn to_line(&self) -> Result<String, LineError> {
        serde_json::to_string(self).map_err(LineError)
    }

    /// Reads a line.
    pub fn from_line(line: &str) -> Result<Self, LineError> {
        serde_json::from_str(line).map_err(LineError)
    }
}

/// A line that is not one of the log's.
#[derive(Debug, thiserror::Error)]
#[error("not a line of the register log: {0}")]
pub struct LineError(#[source] serde_json::Error);

impl Serialize for Register {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Register {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::from_name(&name)
            .ok_or_else(|| serde::de::Error::custom(format!("{name:?} is no register's name")))
    }
}

/// Makes a serde `with` module for an integer written in hexadecimal.
macro_rules! hex {
    ($name:ident, $int:ty) => {
        mod $name {
            use serde::{Deserialize, Deserializer, Serializer};

            pub(super) fn serialize<S: Serializer>(
                value: &$int,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&format_args!("{value:#x}"))
            }

            pub(super) fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$int, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.strip_prefix("0x")
                    .and_then(|digits| <$int>::from_str_radix(digits, 16).ok())
                    .ok_or_else(|| {
                        serde::de::Error::custom(format!("{text:?} is no hexadecimal number"))
                    })
            }
        }
    };
}

hex!(hex32, u32);
hex!(hex64, u64);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_write_is_one_object_with_the_agreed_fields() {
        let entry = Entry {
            t: 12,
            cpu: 1,
            event: Event::write(Register::Req, 0x8000_00a6, 0),
        };
        assert_eq!(
            entry.to_line().unwrap(),
            r#"{"t":12,"cpu":1,"op":"write","reg":"REQ","msr":"0xc00102b3","value":"0x800000a6","old":"0x0"}"#
        );
    }

    #[test]
    fn a_line_that_is_not_of_the_log_says_what_is_wrong() {
        for (line, named) in [
            (
                r#"{"t":1,"cpu":0,"op":"write","reg":"REQ9","msr":"0x1","value":"0x1","old":"0x0"}"#,
                "REQ9",
            ),
            (
                r#"{"t":1,"cpu":0,"op":"read","reg":"REQ","msr":"0x1","value":"12"}"#,
                "12",
            ),
            (r#"{"t":1,"cpu":0,"op":"wrote"}"#, "wrote"),
        ] {
            let error = Entry::from_line(line).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }

    #[test]
    fn a_mark_has_a_count_only_where_instructions_are_counted() {
        let line = |instructions| {
            let event = Event::Mark {
                value: 7,
                instructions,
            };
            Entry {
                t: 1,
                cpu: 0,
                event,
            }
            .to_line()
            .unwrap()
        };
        assert_eq!(line(None), r#"{"t":1,"cpu":0,"op":"mark","value":7}"#);
        assert_eq!(
            line(Some(12)),
            r#"{"t":1,"cpu":0,"op":"mark","value":7,"instructions":12}"#
        );
    }

    fn event() -> impl Strategy<Value = Event> {
        let registers: Vec<_> = Register::all().collect();
        let register = prop::sample::select(registers);
        prop_oneof![
            (register.clone(), any::<u64>(), any::<u64>())
                .prop_map(|(reg, value, old)| Event::write(reg, value, old)),
            (register.clone(), any::<u64>()).prop_map(|(reg, value)| Event::read(reg, value)),
            (register.clone(), any::<u64>()).prop_map(|(reg, value)| Event::fault(
                Access::Write,
                reg,
                value
            )),
            register.prop_map(|reg| Event::fault(Access::Read, reg, 0)),
            any::<[u32; 5]>().prop_map(|[leaf, eax, ebx, ecx, edx]| {
                Event::cpuid(leaf, CpuidResult { eax, ebx, ecx, edx })
            }),
            any::<(u32, Option<u64>)>().prop_map(|(value, instructions)| Event::Mark {
                value,
                instructions
            }),
            Just(Event::Sleep),
        ]
    }

    proptest! {
        #[test]
        fn every_entry_reads_back_as_it_was_written(t: u64, cpu: u32, event in event()) {
            let entry = Entry { t, cpu, event };
            let line = entry.to_line().unwrap();
            prop_assert!(!line.contains('\n'));
            prop_assert_eq!(Entry::from_line(&line).unwrap(), entry);
        }
    }
}
