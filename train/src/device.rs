//! The device that computes gradients: the processor, or a GPU that the program was built for.
//!
//! The device is not part of the configuration. The same run on another device has the same results
//! up to rounding; only the processor repeats a run to the bit. Play, the sum over shards and the
//! optimizer always run on the processor.

use crate::TrainError;
use burn::tensor;
use std::fmt::{Display, Formatter, Result as FmtResult};
use std::str::FromStr;

/// A kind of device, as `--device` names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Device {
    /// The processor.
    #[default]
    Cpu,
    /// A GPU through Vulkan, Metal or DirectX 12; feature `wgpu`.
    Wgpu,
    /// A GPU through CUDA; feature `cuda`.
    Cuda,
}

/// A device that was found and has computed something.
#[derive(Clone, Debug)]
pub struct Backend {
    /// The device of tensors with gradients.
    tensors: tensor::Device,
    /// Whether a minibatch is one shard. On a GPU, starting a product takes longer than computing it.
    whole: bool,
    name: String,
}

impl Device {
    /// All devices.
    const ALL: [Self; 3] = [Self::Cpu, Self::Wgpu, Self::Cuda];

    /// Finds the device and computes something on it.
    ///
    /// # Errors
    ///
    /// If this build or the machine lacks the device, or it does not compute.
    pub fn open(self) -> Result<Backend, TrainError> {
        match self {
            Self::Cpu => Ok(Backend::default()),
            #[cfg(feature = "wgpu")]
            Self::Wgpu => {
                let found = tensor::Device::enumerate(tensor::DeviceType::Wgpu);
                let best = || tensor::Device::wgpu(tensor::DeviceKind::DefaultDevice);
                self.first(&found, best, "a working driver of Vulkan, Metal or DirectX 12")
            }
            #[cfg(feature = "cuda")]
            Self::Cuda => {
                let found = tensor::Device::enumerate(tensor::DeviceType::Cuda);
                let best = || tensor::Device::cuda(0);
                self.first(&found, best, "an NVIDIA GPU and a working driver")
            }
            #[cfg(not(all(feature = "wgpu", feature = "cuda")))]
            _ => Err(self.error(format!(
                "this build lacks it; `cargo run --release --features {self} -- train …` has it"
            ))),
        }
    }

    /// The first device that was found.
    #[cfg(any(feature = "wgpu", feature = "cuda"))]
    fn first(
        self,
        found: &[tensor::Device],
        best: impl FnOnce() -> tensor::Device,
        needs: &str,
    ) -> Result<Backend, TrainError> {
        if found.is_empty() {
            return Err(self.error(format!("no adapter was found; it needs {needs}")));
        }
        let probe = || {
            let device = best();
            let ones = tensor::Tensor::<2>::ones([2, 2], &device);
            let twos = ones.clone().matmul(ones).try_into_data().ok()?;
            let name = device.identity().map_or_else(|| self.to_string(), |device| device.name);
            let computes = twos.iter::<f32>().all(|x| (x - 2.0).abs() < 1e-3);
            computes.then(|| Backend { tensors: device.autodiff(), whole: true, name })
        };
        quietly(probe).flatten().ok_or_else(|| {
            self.error(format!("an adapter was found but does not compute; it needs {needs}"))
        })
    }

    /// Its name on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Wgpu => "wgpu",
            Self::Cuda => "cuda",
        }
    }

    fn error(self, problem: String) -> TrainError {
        TrainError::Device { device: self.name(), problem }
    }
}

/// The result of `work`, or `None` if it panics. burn panics in threads of its own if it cannot open an
/// adapter.
#[cfg(any(feature = "wgpu", feature = "cuda"))]
fn quietly<R>(work: impl FnOnce() -> R) -> Option<R> {
    use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
    let hook = take_hook();
    set_hook(Box::new(|_| ()));
    let result = catch_unwind(AssertUnwindSafe(work));
    set_hook(hook);
    result.ok()
}

impl Backend {
    /// The name that the device reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The device of tensors with gradients.
    pub(crate) fn tensors(&self) -> &tensor::Device {
        &self.tensors
    }

    /// The number of shards of a minibatch: `wanted` on the processor, one on a GPU, which computes
    /// one shard after the other.
    pub(crate) fn shards(&self, wanted: usize) -> usize {
        if self.whole { 1 } else { wanted }
    }
}

/// The processor.
impl Default for Backend {
    fn default() -> Self {
        let tensors = tensor::Device::flex().autodiff();
        Self { tensors, whole: false, name: "the processor".into() }
    }
}

impl Display for Device {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        f.write_str(self.name())
    }
}

impl FromStr for Device {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|device| device.name() == text)
            .ok_or_else(|| "expected cpu, wgpu or cuda".into())
    }
}
