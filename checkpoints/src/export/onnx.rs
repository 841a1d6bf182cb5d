//! A player as an ONNX model: opset 17, any number of rows at once.
//!
//! | input or output | type | |
//! | --- | --- | --- |
//! | `observation` | f32 `[batch, inputs]` | |
//! | `legal` | bool `[batch, actions]` | |
//! | `logits` | f32 `[batch, actions]` | of all actions, legal or not |
//! | `value` | f32 `[batch]` | |
//! | `policy` | f32 `[batch, actions]` | the softmax of the legal actions' logits over the temperature; 1 for `action` where a kind of decision is not drawn |
//! | `action` | i64 `[batch]` | the legal action of the largest logit, the lowest of equals |
//!
//! The numbers of messages and fields are those of <https://github.com/onnx/onnx/blob/main/onnx/onnx.proto>.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use newmarket_net::{NamedArray, QuantisedNet};

use super::protobuf::Message;
use super::{Export, Precision, about, onnx_exact, policy};
use crate::format_error::FormatError;
use crate::hash::bytes as singles;
use crate::manifest::KEY;

/// ONNX 1.12, the first with opset 17.
const IR_VERSION: u64 = 8;
const OPSET: u64 = 17;

/// What tensors hold.
#[derive(Clone, Copy)]
pub(super) enum Type {
    Float = 1,
    Int16 = 5,
    Int32 = 6,
    Int64 = 7,
    Bool = 9,
    Float16 = 10,
    Double = 11,
}

/// Stands in the place of the logits of actions that are not legal: `exp` of it is 0.
const NEVER: f32 = f32::MIN;
/// The dimension that is the number of rows.
const BATCH: &str = "batch";

pub(super) fn bytes(export: &Export) -> Result<Vec<u8>, FormatError> {
    let manifest = export.manifest()?;
    let model = Message::of(|model| {
        model.int(1, IR_VERSION);
        model.text(2, "newmarket");
        model.text(3, env!("CARGO_PKG_VERSION"));
        model.text(6, about::BY_RULE);
        model.message(7, |it| graph(export, it));
        model.message(8, |opset| {
            opset.text(1, "");
            opset.int(2, OPSET);
        });
        model.message(14, |entry| {
            entry.text(1, KEY);
            entry.text(2, &manifest);
        });
    });
    Ok(model.into_bytes())
}

/// A graph that is being written: nodes and initializers are fields that may be mixed.
pub(super) struct Graph<'m> {
    message: &'m mut Message,
    /// How many outputs have a number for a name.
    numbered: usize,
}

fn graph(export: &Export, message: &mut Message) {
    message.text(2, "newmarket");
    let net = export.weights.config();
    let graph = &mut Graph { message, numbered: 0 };
    if export.precision == Precision::Exact {
        onnx_exact::network(&QuantisedNet::new(&export.weights).arrays(), graph);
    } else {
        network(export, graph);
    }
    graph.constant("one", Type::Int64, &[1], &1i64.to_le_bytes());
    graph.node("Squeeze", &["value.column", "one"], "value", &[]);

    graph.constant("never", Type::Float, &[], &NEVER.to_le_bytes());
    graph.node("Where", &["legal", "logits", "never"], "logits.legal", &[]);
    let first = [("axis", 1), ("keepdims", 0)];
    graph.node("ArgMax", &["logits.legal"], "action", &first);
    policy::nodes(export, graph);

    let (inputs, actions) = (Some(net.inputs), Some(net.actions));
    graph.signature(11, "observation", Type::Float, inputs, "a seat's view: see the spans");
    graph.signature(11, "legal", Type::Bool, actions, "by action: whether it is legal");
    graph.signature(12, "logits", Type::Float, actions, "by action, legal or not");
    graph.signature(12, "value", Type::Float, None, "an estimate of what is gained");
    graph.signature(12, "policy", Type::Float, actions, "probabilities of the legal actions");
    graph.signature(12, "action", Type::Int64, None, "the legal action of the largest logit");
}

/// The layers in 32 bits, from `observation` to `logits` and `value.column`.
fn network(export: &Export, graph: &mut Graph) {
    for array in export.weights.arrays() {
        graph.weights(array, export.is_half());
    }
    let mut from = "observation".to_string();
    for layer in 0..export.weights.config().hidden.len() {
        let (name, to) = (format!("trunk.{layer}"), format!("trunk.{layer}.out"));
        let sum = graph.dense(&name, &from, &format!("{name}.sum"));
        graph.node("Relu", &[&sum], &to, &[]);
        from = to;
    }
    graph.dense("policy", &from, "logits");
    graph.dense("value", &from, "value.column");
}

impl Graph<'_> {
    /// A number that no other output of this graph has.
    pub(super) fn fresh(&mut self) -> usize {
        self.numbered += 1;
        self.numbered
    }

    /// Weights of a layer, and what makes numbers of 32 bits of them.
    fn weights(&mut self, array: &NamedArray, half: bool) {
        let NamedArray { name, shape, data } = array;
        if half {
            let stored = format!("{name}.f16");
            self.constant(&stored, Type::Float16, shape, &super::safetensors::halves(data));
            let to = [("to", Type::Float as u64)];
            self.node("Cast", &[&stored], name, &to);
        } else {
            self.constant(name, Type::Float, shape, &singles(data));
        }
    }

    /// `from · weight + bias`.
    fn dense(&mut self, layer: &str, from: &str, to: &str) -> String {
        let (weight, bias) = (format!("{layer}.weight"), format!("{layer}.bias"));
        self.node("Gemm", &[from, &weight, &bias], to, &[]);
        to.into()
    }

    /// A node of one output, which gives it its name.
    pub(super) fn node(&mut self, op: &str, from: &[&str], to: &str, attributes: &[(&str, u64)]) {
        self.message.message(1, |node| {
            for input in from {
                node.text(1, input);
            }
            node.text(2, to);
            node.text(3, to);
            node.text(4, op);
            for (name, value) in attributes {
                node.message(5, |attribute| {
                    attribute.text(1, name);
                    attribute.int(3, *value);
                    attribute.int(20, 2);
                });
            }
        });
    }

    /// An initializer.
    pub(super) fn constant(&mut self, name: &str, kind: Type, shape: &[usize], bytes: &[u8]) {
        self.message.message(5, |tensor| {
            for &dim in shape {
                tensor.int(1, dim as u64);
            }
            tensor.int(2, kind as u64);
            tensor.text(8, name);
            tensor.bytes(9, bytes);
        });
    }

    /// An input (field 11) or an output (field 12), of rows of this width.
    fn signature(&mut self, field: u64, name: &str, kind: Type, width: Option<usize>, about: &str) {
        self.message.message(field, |info| {
            info.text(1, name);
            info.message(2, |it| {
                it.message(1, |tensor| {
                    tensor.int(1, kind as u64);
                    tensor.message(2, |shape| {
                        shape.message(1, |dim| dim.text(2, BATCH));
                        if let Some(width) = width {
                            shape.message(1, |dim| dim.int(1, width as u64));
                        }
                    });
                });
            });
            info.text(3, about);
        });
    }
}
