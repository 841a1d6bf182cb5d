//! The layers of a player in whole numbers, as this program plays with them ([`WholeNumbers`]).
//!
//! All whole numbers are `f64` here, in which their sums and products are exact: the order in which a runtime adds
//! changes nothing. A product of an input and a weight is rounded down before it is added, so a layer holds all its
//! products at once, 2 MB a row of the batch.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use newmarket_env::Observation;
use newmarket_net::{WholeHead, WholeLayer, WholeNumbers};

use super::onnx::{Graph, Type};
use crate::hash::bytes as singles;

/// Writes the layers from `observation` to `logits` and `value.column`.
pub(super) fn network(net: &WholeNumbers, graph: &mut Graph) {
    graph.constants();
    // Facts are 0 or 1.
    let facts = graph.slice("observation", 0, Observation::FACTS);
    let facts = graph.is_not_zero(&facts);
    // Numbers become whole numbers, cut off towards zero.
    let end = Observation::FACTS + net.units.len();
    let numbers = graph.slice("observation", Observation::FACTS, end);
    let counted = graph.is_not_zero(&numbers);
    graph.constant("units", Type::Float, &[net.units.len()], &singles(&net.units));
    let scaled = graph.op("Mul", &[&numbers, "units"], &[]);
    let scaled = graph.op("Add", &[&scaled, "half.f32"], &[]);
    let scaled = graph.op("Clip", &[&scaled, "least.f32", "most.f32"], &[]);
    let cut = graph.op("Cast", &[&scaled], &[("to", Type::Int32 as u64)]);
    let values = graph.op("Cast", &[&cut], &[("to", Type::Double as u64)]);

    let mut units = String::new();
    for (nth, layer) in net.trunk.iter().enumerate() {
        let name = format!("trunk.{nth}");
        let mut start = 0;
        let mut sum = graph.whole(&format!("{name}.bias"), &[layer.bias.len()], &layer.bias);
        for &(end, of_facts) in &layer.stretches {
            let added = if of_facts {
                let weight = graph.rows(&name, layer, start..end);
                graph.op("MatMul", &[&facts, &weight], &[])
            } else if nth == 0 {
                graph.products(&values, &counted, &name, layer, start..end)
            } else {
                let part = graph.slice(&units, start, end);
                let counted = graph.is_not_zero(&part);
                graph.products(&part, &counted, &name, layer, start..end)
            };
            let added = graph.op("Clip", &[&added, "least", "most"], &[]);
            let both = graph.op("Add", &[&sum, &added], &[]);
            sum = graph.op("Clip", &[&both, "least", "most"], &[]);
            start = end;
        }
        let most = graph.whole(&format!("{name}.most"), &[layer.most.len()], &layer.most);
        let factor = graph.whole(&format!("{name}.factor"), &[layer.factor.len()], &layer.factor);
        let positive = graph.op("Max", &[&sum, "zero"], &[]);
        let clamped = graph.op("Min", &[&positive, &most], &[]);
        units = graph.op("Mul", &[&clamped, &factor], &[]);
    }
    graph.head("policy", &units, &net.policy, "logits");
    graph.head("value", &units, &net.value, "value.column");
}

impl Graph<'_> {
    fn constants(&mut self) {
        let (least, most) = (f64::from(i16::MIN), f64::from(i16::MAX));
        for (name, value) in [("least", least), ("most", most), ("zero", 0.0), ("half", 0.5)] {
            self.constant(name, Type::Double, &[], &value.to_le_bytes());
        }
        for (name, value) in [("least.f32", least), ("most.f32", most), ("half.f32", 0.5)] {
            let single = value as f32;
            self.constant(name, Type::Float, &[], &single.to_le_bytes());
        }
        // A product keeps its upper half.
        let unit = 1.0 / f64::from(1 << 16);
        self.constant("unit", Type::Double, &[], &unit.to_le_bytes());
        self.constant("axis.1", Type::Int64, &[1], &1_i64.to_le_bytes());
        self.constant("axis.2", Type::Int64, &[1], &2_i64.to_le_bytes());
    }

    /// A node of one output, which it names.
    fn op(&mut self, op: &str, from: &[&str], attributes: &[(&str, u64)]) -> String {
        let to = format!("{op}.{}", self.fresh());
        self.node(op, from, &to, attributes);
        to
    }

    /// Columns `start` to `end`.
    fn slice(&mut self, from: &str, start: usize, end: usize) -> String {
        let [start, end] = [start, end].map(|place| {
            let name = format!("place.{}", self.fresh());
            self.constant(&name, Type::Int64, &[1], &(place as i64).to_le_bytes());
            name
        });
        self.op("Slice", &[from, &start, &end, "axis.1"], &[])
    }

    /// 1 where an entry is not 0, else 0.
    fn is_not_zero(&mut self, from: &str) -> String {
        let is = self.op("Cast", &[from], &[("to", Type::Bool as u64)]);
        self.op("Cast", &[&is], &[("to", Type::Double as u64)])
    }

    /// An array of whole numbers.
    fn whole(&mut self, name: &str, shape: &[usize], numbers: &[i16]) -> String {
        let stored = format!("{name}.i16");
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.constant(&stored, Type::Int16, shape, &bytes);
        self.node("Cast", &[&stored], name, &[("to", Type::Double as u64)]);
        name.to_string()
    }

    /// The weights of these inputs.
    fn rows(&mut self, name: &str, layer: &WholeLayer, inputs: core::ops::Range<usize>) -> String {
        let width = layer.bias.len();
        let weight = &layer.weight[inputs.start * width..inputs.end * width];
        self.whole(&format!("{name}.weight.{}", inputs.start), &[inputs.len(), width], weight)
    }

    /// The sum over a stretch of numbers; `counted` is 1 for each that counts for half a unit.
    fn products(
        &mut self,
        values: &str,
        counted: &str,
        name: &str,
        layer: &WholeLayer,
        inputs: core::ops::Range<usize>,
    ) -> String {
        let weight = self.rows(name, layer, inputs);
        let weight = self.op("Mul", &[&weight, "unit"], &[]);
        let column = self.op("Unsqueeze", &[values, "axis.2"], &[]);
        let products = self.op("Mul", &[&column, &weight], &[]);
        let down = self.op("Floor", &[&products], &[]);
        let sum = self.op("ReduceSum", &[&down, "axis.1"], &[("keepdims", 0)]);
        let count = self.op("ReduceSum", &[counted, "axis.1"], &[("keepdims", 1)]);
        let halves = self.op("Mul", &[&count, "half"], &[]);
        let halves = self.op("Floor", &[&halves], &[]);
        self.op("Add", &[&sum, &halves], &[])
    }

    fn head(&mut self, name: &str, units: &str, head: &WholeHead, to: &str) {
        let (outputs, inputs) = (head.bias.len(), head.weight.len() / head.bias.len());
        let weight = self.whole(&format!("{name}.weight"), &[inputs, outputs], &head.weight);
        let sum = self.op("MatMul", &[units, &weight], &[]);
        let sum = self.op("Cast", &[&sum], &[("to", Type::Float as u64)]);
        let (unit, bias) = (format!("{name}.unit"), format!("{name}.bias"));
        self.constant(&unit, Type::Float, &[outputs], &singles(&head.unit));
        self.constant(&bias, Type::Float, &[outputs], &singles(&head.bias));
        let scaled = self.op("Mul", &[&sum, &unit], &[]);
        self.node("Add", &[&scaled, &bias], to, &[]);
    }
}
