//! Checks that this processor has the instructions that the program was compiled for.
//!
//! On x86 the program needs more than the oldest processors have (`.cargo/config.toml`). Without this check the
//! first missing instruction would end the program without a message. The messages are constants: code that
//! composes them could itself need the missing instructions.

/// An error line about an instruction set that this processor lacks; `None` if it lacks none.
pub fn lacks() -> Option<&'static str> {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    return missing(x86::registers());
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    None
}

/// The registers of `CPUID` that list instruction sets: `ecx` of leaf 1, `ebx` of leaf 7, `ecx` of leaf
/// `0x8000_0001`.
#[cfg(any(test, all(target_arch = "x86_64", target_feature = "avx2")))]
type Registers = [u32; 3];

/// The first missing instruction set of those that x86-64-v3 adds to x86-64-v2.
#[cfg(any(test, all(target_arch = "x86_64", target_feature = "avx2")))]
fn missing([basic, more, extended]: Registers) -> Option<&'static str> {
    macro_rules! line {
        ($name:literal) => {
            Some(concat!(
                "error: this processor, or its system, has no ",
                $name,
                ", which this program was compiled for: build it with RUSTFLAGS=\"-C \
                 target-cpu=x86-64\"\n"
            ))
        };
    }
    let has = |register: u32, bit: u32| register >> bit & 1 == 1;
    if !has(basic, 27) || !has(basic, 28) {
        line!("AVX")
    } else if !has(basic, 12) {
        line!("FMA")
    } else if !has(basic, 22) {
        line!("MOVBE")
    } else if !has(basic, 29) {
        line!("F16C")
    } else if !has(more, 5) {
        line!("AVX2")
    } else if !has(more, 3) || !has(more, 8) {
        line!("BMI")
    } else if !has(extended, 5) {
        line!("LZCNT")
    } else {
        None
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod x86 {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    pub(super) fn registers() -> super::Registers {
        [__cpuid(1).ecx, __cpuid_count(7, 0).ebx, __cpuid(0x8000_0001).ecx]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        let names = |registers, name: &str| {
            let line = missing(registers).expect("something is missing");
            assert!(
                line.contains(&format!(" no {name}, ")) && line.ends_with("x86-64\"\n"),
                "{line}"
            );
            assert!(line.starts_with("error: ") && !line.contains("  "), "{line}");
        };
        // A Haswell of 2013, and what it lacks with a bit less; a Sandy Bridge of 2011; a plain virtual
        // machine; a system that does not keep the wide registers.
        let [basic, more, extended] = [0x7ffa_fbff, 0x0000_27ab, 0x21];
        assert_eq!(missing([basic, more, extended]), None);
        names([0x1fba_e3ff, 0, 1], "FMA");
        names([0x8098_2201, 0, 1], "AVX");
        names([basic & !(1 << 27), more, extended], "AVX");
        names([basic & !(1 << 22), more, extended], "MOVBE");
        names([basic & !(1 << 29), more, extended], "F16C");
        names([basic, more & !(1 << 5), extended], "AVX2");
        names([basic, more & !(1 << 8), extended], "BMI");
        names([basic, more, 1], "LZCNT");
        assert_eq!(lacks(), None, "the tests run here");
    }
}
