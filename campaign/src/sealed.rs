//! Takes a checkpoint apart and seals it again. The seal is not a secret.
//!
//! This follows `checkpoints/FORMAT.md` and shares no code with the writer, so that it can write files that the writer
//! would not.

use newmarket_checkpoints::golden_input;
use newmarket_env::Rng;
use newmarket_env::seed::below;
use serde_json::{Value, json};

/// A tensor: its name, its entry in the header, its bytes.
#[derive(Clone)]
pub(crate) struct Tensor {
    pub(crate) name: String,
    pub(crate) dtype: String,
    pub(crate) shape: Vec<u64>,
    pub(crate) bytes: Vec<u8>,
}

impl Tensor {
    pub(crate) fn new(name: impl Into<String>, shape: &[usize], values: &[f32]) -> Self {
        Self {
            name: name.into(),
            dtype: "F32".into(),
            shape: shape.iter().map(|&dim| dim as u64).collect(),
            bytes: values.iter().flat_map(|x| x.to_le_bytes()).collect(),
        }
    }
}

/// The contents of a checkpoint.
#[derive(Clone)]
pub(crate) struct Sealed {
    pub(crate) manifest: Value,
    /// All tensors except the seal.
    pub(crate) tensors: Vec<Tensor>,
}

impl Sealed {
    /// Takes a whole checkpoint apart.
    pub(crate) fn open(file: &[u8]) -> Self {
        let length = u64::from_le_bytes(*file.first_chunk().expect("eight bytes")) as usize;
        let (header, data) = file[8..].split_at(length);
        let header: Value = serde_json::from_slice(header).expect("a header");
        let manifest = header["__metadata__"]["newmarket"].as_str().expect("a manifest");
        let mut tensors = Vec::new();
        for (name, entry) in header.as_object().expect("an object") {
            if name == "__metadata__" || name == "seal" {
                continue;
            }
            let end = |i: usize| entry["data_offsets"][i].as_u64().expect("an offset") as usize;
            let shape = entry["shape"].as_array().expect("a shape");
            tensors.push(Tensor {
                name: name.clone(),
                dtype: entry["dtype"].as_str().expect("a type").into(),
                shape: shape.iter().map(|dim| dim.as_u64().expect("a number")).collect(),
                bytes: data[end(0)..end(1)].to_vec(),
            });
        }
        Self { manifest: serde_json::from_str(manifest).expect("JSON"), tensors }
    }

    /// The sealed file.
    pub(crate) fn seal(&self) -> Vec<u8> {
        self.seal_with(&self.manifest.to_string())
    }

    /// The sealed file with this text as its manifest.
    pub(crate) fn seal_with(&self, manifest: &str) -> Vec<u8> {
        let mut header = json!({ "__metadata__": { "newmarket": manifest } });
        let mut data = Vec::new();
        for tensor in &self.tensors {
            let start = data.len();
            data.extend_from_slice(&tensor.bytes);
            header[&tensor.name] = json!({
                "dtype": tensor.dtype, "shape": tensor.shape, "data_offsets": [start, data.len()],
            });
        }
        let ends = [data.len(), data.len() + 32];
        header["seal"] = json!({ "dtype": "U8", "shape": [32], "data_offsets": ends });
        let mut header = header.to_string();
        header.push_str(&" ".repeat(header.len().next_multiple_of(8) - header.len()));
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(header.as_bytes());
        file.append(&mut data);
        let seal = blake3::hash(&file);
        file.extend_from_slice(seal.as_bytes());
        file
    }

    /// The hash of the weights.
    pub(crate) fn weights(&self) -> String {
        self.manifest["weights_blake3"].as_str().unwrap_or("").into()
    }

    /// Computes the hashes of weights and optimizer anew.
    pub(crate) fn hash(&mut self) {
        let layers = self.manifest["net"]["hidden"].as_array().map_or(0, Vec::len);
        let trunk = (0..layers).map(|layer| format!("trunk.{layer}"));
        let order = trunk
            .chain(["policy".into(), "value".into()])
            .flat_map(|layer| ["weight", "bias"].map(|part| format!("net.{layer}.{part}")));
        let weights: Vec<&Tensor> =
            order.filter_map(|name| self.tensors.iter().find(|it| it.name == name)).collect();
        let weights = hash(&weights, "net.");
        let mut moments: Vec<&Tensor> =
            self.tensors.iter().filter(|it| it.name.starts_with("optim.")).collect();
        moments.sort_by(|a, b| a.name.cmp(&b.name));
        let moments = hash(&moments, "optim.");
        self.manifest["weights_blake3"] = json!(weights);
        if self.manifest["optimizer"].is_object() {
            self.manifest["optimizer"]["blake3"] = json!(moments);
        }
    }

    /// Replaces the network by one of these widths with small random weights, and computes its golden pass.
    pub(crate) fn network(&mut self, widths: &[usize], actions: usize, rng: &mut Rng) {
        self.tensors.retain(|it| !it.name.starts_with("net.") && !it.name.starts_with("optim."));
        self.manifest["optimizer"] = Value::Null;
        let (inputs, hidden) = widths.split_first().expect("inputs");
        self.manifest["net"] = json!({ "inputs": inputs, "hidden": hidden, "actions": actions });
        let mut x: Vec<f32> = golden_input(*inputs, 1);
        let mut layer = |name: &str, x: &[f32], width: usize| -> Vec<f32> {
            let mut small = || (below(rng, 2_000) as f32 - 1_000.0) * 1e-5;
            let weight: Vec<f32> = (0..x.len() * width).map(|_| small()).collect();
            let bias: Vec<f32> = (0..width).map(|_| small()).collect();
            self.tensors.push(Tensor::new(
                format!("net.{name}.weight"),
                &[x.len(), width],
                &weight,
            ));
            self.tensors.push(Tensor::new(format!("net.{name}.bias"), &[width], &bias));
            let unit = |to: usize| {
                let sum = x.iter().enumerate().map(|(from, x)| x * weight[from * width + to]);
                bias[to] + sum.sum::<f32>()
            };
            (0..width).map(unit).collect()
        };
        for (index, &width) in hidden.iter().enumerate() {
            x = layer(&format!("trunk.{index}"), &x, width);
            for unit in &mut x {
                *unit = unit.max(0.0);
            }
        }
        let logits = layer("policy", &x, actions);
        let value = layer("value", &x, 1)[0];
        self.manifest["golden"] = json!({ "seed": 1, "logits": logits, "value": value });
        self.hash();
    }
}

fn hash(tensors: &[&Tensor], prefix: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for tensor in tensors {
        let name = tensor.name.strip_prefix(prefix).unwrap_or(&tensor.name);
        hasher.update(name.as_bytes()).update(&[0]);
        hasher.update(&(tensor.shape.len() as u64).to_le_bytes());
        for dim in &tensor.shape {
            hasher.update(&dim.to_le_bytes());
        }
        hasher.update(&tensor.bytes);
    }
    hasher.finalize().to_hex().to_string()
}
