//! Whether this processor has the instructions that the program was compiled for.
//!
//! On x86 that is more than every such processor has (`.cargo/config.toml`). Without this check the
//! program would be ended by the first instruction that is missing, without a word.

/// What the program needs and this processor does not have, as one line; `None` if nothing is missing,
/// as wherever the program was compiled for every processor of its kind.
pub fn lacks() -> Option<String> {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    return missing(x86::registers()).map(|name| {
        format!(
            "this processor has no {name}, which the program was compiled for: build it with \
             RUSTFLAGS=\"-C target-cpu=x86-64\""
        )
    });
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    None
}

/// What tells of instructions: `ecx` of leaf 1, `ebx` of leaf 7, `ecx` of leaf `0x8000_0001` of `CPUID`.
#[cfg(any(test, all(target_arch = "x86_64", target_feature = "avx2")))]
type Registers = [u32; 3];

/// The first that is missing of what x86-64-v3 has beyond x86-64 (System V's ABI, section 3.1.1): name,
/// register, bit.
#[cfg(any(test, all(target_arch = "x86_64", target_feature = "avx2")))]
fn missing(registers: Registers) -> Option<&'static str> {
    const NEEDED: [(&str, usize, u32); 9] = [
        ("SSE4.2", 0, 20),
        ("POPCNT", 0, 23),
        ("AVX", 0, 28),
        ("FMA", 0, 12),
        ("MOVBE", 0, 22),
        ("AVX2", 1, 5),
        ("BMI1", 1, 3),
        ("BMI2", 1, 8),
        ("LZCNT", 2, 5),
    ];
    let lacking = NEEDED.iter().find(|&&(_, at, bit)| registers[at] >> bit & 1 == 0);
    lacking.map(|&(name, ..)| name)
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
        // A Haswell of 2013, a Sandy Bridge of 2011, and what some virtual machines have.
        let haswell = [0x7ffa_fbff, 0x0000_27ab, 0x21];
        assert_eq!(missing(haswell), None);
        assert_eq!(missing([0x1fba_e3ff, 0, 1]), Some("FMA"));
        assert_eq!(missing([haswell[0], haswell[1] & !(1 << 5), 0x21]), Some("AVX2"));
        assert_eq!(missing([haswell[0], haswell[1], 1]), Some("LZCNT"));
        assert_eq!(missing([0x8098_2201, 0, 1]), Some("AVX"));
        assert_eq!(lacks(), None, "the tests run here");
    }
}
