// SPDX-License-Identifier: GPL-2.0
//! The description of a machine, from which its tables, its CPUID leaves and
//! its registers all come.

mod check;
mod description;
mod error;

use std::path::{Path, PathBuf};

pub use description::{
    Backend, Boost, Capabilities, Clock, Core, Features, Firmware, Initial, PmProfile, Processor,
    RequestDescription, Sleep,
};
pub use error::PlatformError;

use crate::fault::FaultRule;
use description::Description;

/// Most CPUs that a machine can be given.
pub const MAX_CPUS: usize = 255;

/// What one CPU can do, in performance levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuDescription {
    /// The highest level on the scale that nominal belongs to: what a driver
    /// computes the highest frequency from. With preferred cores it is the
    /// same for all, [`Capabilities::highest`]; without, the value of CAP1.
    pub highest: u8,
    /// The level without boost.
    pub nominal: u8,
    /// The level below which less speed saves no energy.
    pub lowest_nonlinear: u8,
    /// The lowest level.
    pub lowest: u8,
    /// The highest level that CAP1 shows: the rank among preferred cores.
    pub ranking: u8,
    /// Whether firmware gives the CPU a `_CPC` object.
    pub cpc: bool,
}

/// A P-state of the older interface (`_PSS`, PERF_CTL).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pstate {
    /// The performance level that it stands for, without boost.
    pub perf: u8,
    /// Its clock in MHz.
    pub mhz: u32,
}

/// A machine with a given number of CPUs.
#[derive(Clone, Debug, PartialEq)]
pub struct Platform {
    origin: PathBuf,
    description: Description,
    cpus: Vec<CpuDescription>,
}

impl Platform {
    /// Reads a description file. The machine has as many CPUs as the file
    /// lists cores.
    pub fn load(path: &Path) -> Result<Self, PlatformError> {
        let text = std::fs::read_to_string(path).map_err(|source| PlatformError::Read {
            path: path.to_owned(),
            source,
        })?;
        Self::parse(path, &text)
    }

    /// Reads a description from its text; errors name `origin` as the file.
    pub fn parse(origin: &Path, text: &str) -> Result<Self, PlatformError> {
        let description: Description =
            toml::from_str(text).map_err(|source| PlatformError::Syntax {
                path: origin.to_owned(),
                source: Box::new(source),
            })?;
        check::check(origin, &description)?;
        let platform = Self {
            origin: origin.to_owned(),
            cpus: Vec::new(),
            description,
        };
        let listed = platform.description.cores.len();
        platform.with_cpus(listed)
    }

    /// The same machine with `cpus` CPUs: the list of cores is cut, or begins
    /// again after its end.
    pub fn with_cpus(self, cpus: usize) -> Result<Self, PlatformError> {
        if !(1..=MAX_CPUS).contains(&cpus) {
            return Err(PlatformError::field(
                &self.origin,
                "cores",
                format!("a machine has 1 to {MAX_CPUS} CPUs, not {cpus}"),
            ));
        }
        let caps = &self.description.capabilities;
        let pattern = self.description.cores.iter().cycle().take(cpus);
        let ranked: Vec<_> = pattern
            .map(|core| (core.ranking.unwrap_or(caps.highest), core.cpc))
            .collect();
        let preferred = ranked.windows(2).any(|pair| match pair {
            [(one, _), (next, _)] => one != next,
            _ => false,
        });
        let cpus = ranked
            .into_iter()
            .map(|(ranking, cpc)| CpuDescription {
                highest: if preferred { caps.highest } else { ranking },
                nominal: caps.nominal,
                lowest_nonlinear: caps.lowest_nonlinear,
                lowest: caps.lowest,
                ranking,
                cpc,
            })
            .collect();
        Ok(Self { cpus, ..self })
    }

    /// The file that the description came from.
    pub fn origin(&self) -> &Path {
        &self.origin
    }

    /// The name of the machine.
    pub fn name(&self) -> &str {
        &self.description.name
    }

    /// What the machine is, in a sentence.
    pub fn description(&self) -> &str {
        &self.description.description
    }

    /// The number of CPUs.
    pub fn cpus(&self) -> usize {
        self.cpus.len()
    }

    /// What CPU `cpu` can do.
    pub fn cpu(&self, cpu: usize) -> Option<&CpuDescription> {
        self.cpus.get(cpu)
    }

    /// What each CPU can do, in the order of their numbers.
    pub fn each_cpu(&self) -> impl ExactSizeIterator<Item = &CpuDescription> {
        self.cpus.iter()
    }

    /// Whether the CPUs differ in rank, so that some are preferred.
    pub fn has_preferred_cores(&self) -> bool {
        self.cpus.iter().any(|cpu| cpu.ranking != cpu.highest)
            || self.cpus.windows(2).any(|pair| match pair {
                [one, next] => one.ranking != next.ranking,
                _ => false,
            })
    }

    /// The processor's identity.
    pub fn processor(&self) -> &Processor {
        &self.description.processor
    }

    /// What firmware tells of the machine.
    pub fn firmware(&self) -> &Firmware {
        &self.description.firmware
    }

    /// Core performance boost.
    pub fn boost(&self) -> &Boost {
        &self.description.boost
    }

    /// Whether a level above nominal can be had as the machine starts.
    pub fn can_boost(&self) -> bool {
        let boost = self.boost();
        boost.supported && !boost.disabled_by_firmware
    }

    /// The features that CPUID tells of.
    pub fn features(&self) -> &Features {
        &self.description.features
    }

    /// What firmware leaves in the registers.
    pub fn initial(&self) -> &Initial {
        &self.description.initial
    }

    /// What a sleep does to the registers.
    pub fn sleep(&self) -> &Sleep {
        &self.description.sleep
    }

    /// The accesses that fault.
    pub fn faults(&self) -> &[FaultRule] {
        &self.description.faults
    }

    /// The clock at the nominal level, in MHz.
    pub fn nominal_mhz(&self) -> u32 {
        self.description.clock.nominal_mhz
    }

    /// The clock at the lowest level as `_CPC` tells it, in MHz.
    pub fn lowest_mhz(&self) -> u32 {
        self.description.clock.lowest_mhz
    }

    /// The clock at a performance level in kHz, rounded up as the kernel's
    /// driver does; none if the nominal level is 0.
    pub fn khz_at(&self, perf: u8) -> Option<u64> {
        let nominal = u64::from(self.description.capabilities.nominal);
        let khz = u64::from(self.nominal_mhz()) * 1000 * u64::from(perf);
        (nominal != 0).then(|| khz.div_ceil(nominal))
    }

    /// The P-states, the fastest first: nominal, the middle, and the lowest
    /// nonlinear level. How many and which is an invention; real parts have
    /// two or three.
    pub fn pstates(&self) -> [Pstate; 3] {
        let caps = &self.description.capabilities;
        let step = u64::from(self.processor().pstate_step_mhz());
        let middle = caps.nominal.midpoint(caps.lowest_nonlinear);
        [caps.nominal, middle, caps.lowest_nonlinear].map(|perf| {
            let mhz = u64::from(self.nominal_mhz()) * u64::from(perf);
            let mhz = mhz
                .checked_div(u64::from(caps.nominal))
                .unwrap_or(u64::from(self.nominal_mhz()));
            Pstate {
                perf,
                mhz: u32::try_from(mhz - mhz % step).unwrap_or(u32::MAX),
            }
        })
    }

    /// The emulator's `-cpu` argument. Features that the emulator or the
    /// guest would only warn about are left out.
    pub fn qemu_cpu(&self) -> String {
        let processor = self.processor();
        let mut cpu = format!(
            "EPYC-Milan,vendor={},family={},model={},stepping={}",
            processor.vendor, processor.family, processor.model, processor.stepping
        );
        for feature in LEFT_OUT {
            cpu.push_str(",-");
            cpu.push_str(feature);
        }
        cpu
    }

    /// What the kernel's command line must hold for this machine.
    ///
    /// The emulator's clocks are right but may stand still while its host is
    /// busy with something else. The kernel's tests of the timer interrupt and
    /// of the time stamp counter take that for broken hardware.
    pub fn kernel_args(&self) -> Vec<String> {
        ["no_timer_check", "tsc=reliable"].map(str::to_owned).into()
    }
}

/// Features of the base model that the emulator does not have, and two more:
/// `rdseed`, which the kernel finds broken on family 1Ah without the microcode
/// that the emulator does not have either, and `rdtscp`, which a front could
/// not answer, since it reads a register besides that is not the model's.
const LEFT_OUT: [&str; 17] = [
    "pcid",
    "invpcid",
    "fxsr-opt",
    "misalignsse",
    "osvw",
    "topoext",
    "perfctr-core",
    "clzero",
    "ibpb",
    "ibrs",
    "amd-stibp",
    "amd-ssbd",
    "nrip-save",
    "xsavec",
    "xsaves",
    "rdseed",
    "rdtscp",
];

#[cfg(test)]
mod tests {
    use super::*;

    const DESKTOP: &str = include_str!("../../../platforms/zen4-desktop.toml");
    const UNIFORM: &str = include_str!("../../../platforms/zen3-uniform.toml");

    fn parse(text: &str) -> Platform {
        Platform::parse(Path::new("test.toml"), text).unwrap()
    }

    #[test]
    fn every_description_that_is_shipped_loads() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../platforms");
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let platform = Platform::load(&path).unwrap();
            assert_eq!(path.file_stem().unwrap(), platform.name());
            for cpus in [1, 2, 8] {
                assert_eq!(platform.clone().with_cpus(cpus).unwrap().cpus(), cpus);
            }
            names.push(platform.name().to_owned());
        }
        for name in [
            "caps-unordered",
            "flat-caps",
            "no-cpc",
            "no-cppc",
            "nominal-zero",
            "not-amd",
            "zen3-uniform",
            "zen4-desktop",
            "zen4-no-boost",
            "zen4-server",
            "zen5-floor",
        ] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
    }

    #[test]
    fn the_desktop_has_preferred_cores_on_one_scale() {
        let platform = parse(DESKTOP).with_cpus(4).unwrap();
        assert!(platform.has_preferred_cores());
        let scale = platform.cpu(0).unwrap().highest;
        assert!(platform.each_cpu().all(|cpu| cpu.highest == scale));
        assert_ne!(
            platform.cpu(0).unwrap().ranking,
            platform.cpu(1).unwrap().ranking
        );
    }

    #[test]
    fn with_one_cpu_nobody_is_preferred_and_the_scale_is_the_same() {
        let one = parse(DESKTOP).with_cpus(1).unwrap();
        let four = parse(DESKTOP).with_cpus(4).unwrap();
        assert!(!one.has_preferred_cores());
        assert_eq!(one.cpu(0).unwrap().highest, four.cpu(0).unwrap().highest);
    }

    #[test]
    fn the_list_of_cores_begins_again_after_its_end() {
        let listed = parse(DESKTOP).cpus();
        let more = parse(DESKTOP).with_cpus(listed + 2).unwrap();
        assert_eq!(more.cpu(listed + 1), more.cpu(1));
        assert_eq!(more.cpu(listed + 2), None);
    }

    #[test]
    fn no_cpus_and_too_many_are_refused() {
        for cpus in [0, MAX_CPUS + 1] {
            let error = parse(UNIFORM).with_cpus(cpus).unwrap_err().to_string();
            assert!(error.contains("cores"), "{error}");
        }
    }

    #[test]
    fn frequencies_round_up_as_the_kernels_driver_does() {
        let platform = parse(DESKTOP);
        assert_eq!(platform.khz_at(131), Some(4_500_000));
        assert_eq!(platform.khz_at(166), Some(5_702_291));
        assert_eq!(platform.khz_at(12), Some(412_214));
    }

    #[test]
    fn pstates_go_down_from_the_nominal_clock() {
        let [p0, p1, p2] = parse(DESKTOP).pstates();
        assert_eq!(p0.mhz, 4500);
        assert!(p0.mhz > p1.mhz && p1.mhz > p2.mhz);
    }

    #[test]
    fn the_emulator_is_told_the_same_processor() {
        let cpu = parse(DESKTOP).qemu_cpu();
        assert!(cpu.contains("vendor=AuthenticAMD,family=25,model=97,stepping=2"));
    }
}
