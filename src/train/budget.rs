//! Warnings before a run that needs much memory or time.

use newmarket_train::Config;

/// Bytes of a parameter in training: weights, optimizer, gradients, the copy that is saved, and the player of
/// benchmarks.
const TRAINED: f64 = 120.0;
/// Bytes of a parameter in a checkpoint: the player, and the four arrays of the optimizer.
const SAVED: f64 = 20.0;
/// Bytes of the rows of a deal.
const DEAL: f64 = 32_000.0;
/// Multiplications a second of one thread that makes the initial weights orthogonal.
const ORTHOGONAL: f64 = 1e9;
/// Gigabytes of memory, seconds before the first update, and minutes of a run that are worth a warning.
const MUCH: (f64, f64, f64) = (1.0, 60.0, 366.0 * 24.0 * 60.0);

/// One line for each warning.
pub(crate) fn lines(config: &Config) -> Vec<String> {
    let (memory, wait, long) = MUCH;
    let layers = config.network.shape().layers();
    let products = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        layers.iter().map(|layer| f(layer.inputs as f64, layer.outputs as f64)).sum()
    };
    let parameters = products(&|inputs, outputs| (inputs + 1.0) * outputs);
    let drawn = products(&|a, b| 2.0 * a.min(b) * a.min(b) * a.max(b)) / ORTHOGONAL;
    let deals = config.rollout.deals as f64;
    let needed = (TRAINED * parameters + DEAL * deals) / 1e9;
    let minutes = config.run.minutes;
    let lines = [
        (needed > memory).then(|| {
            format!(
                "this run needs about {needed:.1} GB of memory, for a network of {:.0} million \
                 parameters and {deals} deals an update, and {:.1} GB for each checkpoint",
                parameters / 1e6,
                SAVED * parameters / 1e9
            )
        }),
        (drawn > wait).then(|| format!("its first weights take about {:.0} minutes", drawn / 60.0)),
        (config.run.updates == 0 && minutes > long).then(|| {
            format!("run.minutes is {minutes:e}, more than a year: the run ends when it is stopped")
        }),
    ];
    lines.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_need_nothing_to_speak_of_and_large_networks_do() {
        for preset in newmarket_train::config::PRESETS {
            let config = Config::preset(preset.name).expect("a preset");
            assert_eq!(lines(&config), Vec::<String>::new(), "{}", preset.name);
        }
        let mut config = Config::preset("quick").expect("quick");
        config.network.hidden = vec![16_384; 3];
        config.run.minutes = 1e308;
        let said = lines(&config);
        assert_eq!(said.len(), 3, "{said:?}");
        assert!(said[0].contains("GB of memory") && said[2].contains("1e308"), "{said:?}");
    }
}
