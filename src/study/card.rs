//! A card of questions as a flow chart of text boxes, which screen readers can read.

use newmarket_eval::study::{ReportCard, ReportQuestion};

use crate::report::figure;
use crate::report::page::escaped;

/// The gain of a card, in words.
pub(super) fn gain(card: &ReportCard) -> String {
    format!("gains {} chips", figure(card.gain.mean, card.gain.ci95))
}

/// The questions from top to bottom; a yes leads to the right, a no down.
pub(super) fn flow_chart(card: &ReportCard) -> String {
    let question = |ReportQuestion { asks, answer }: &ReportQuestion| {
        format!(
            "<li><span class=\"ask\">{}?</span><span class=\"yes\">yes →</span>\
             <b class=\"do\">{}</b><span class=\"no\">no ↓</span></li>\n",
            escaped(asks),
            escaped(answer)
        )
    };
    let otherwise = last(card);
    format!(
        "<figure class=\"flow\"><figcaption>{}: {}</figcaption>\n<ol>\n{}\
         <li><b class=\"do\">{otherwise} {}</b></li>\n</ol></figure>",
        escaped(&card.title),
        escaped(&gain(card)),
        card.questions.iter().map(question).collect::<String>(),
        escaped(&card.otherwise)
    )
}

/// The word before the last answer.
fn last(card: &ReportCard) -> &'static str {
    if card.questions.is_empty() { "always" } else { "otherwise" }
}

/// The questions and answers, one a line, without numbers.
pub(super) fn lines(card: &ReportCard) -> Vec<String> {
    let question = |ReportQuestion { asks, answer }: &ReportQuestion| format!("{asks}? {answer}");
    let questions = card.questions.iter().map(question);
    questions.chain([format!("{} {}", last(card), card.otherwise)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_agents::paired::Estimate;

    fn card(questions: &[(&str, &str)]) -> ReportCard {
        let question = |&(asks, answer): &(&str, &str)| ReportQuestion {
            asks: asks.into(),
            answer: answer.into(),
        };
        ReportCard {
            title: "the dealer, at a fee < 4".into(),
            questions: questions.iter().map(question).collect(),
            otherwise: "keep".into(),
            gain: Estimate { mean: 1.0, ci95: 0.1 },
        }
    }

    #[test]
    fn a_chart_has_a_box_for_each_question_and_answer() {
        let chart =
            flow_chart(&card(&[("boodles: at most 0", "take"), ("stops: at least 2", "keep")]));
        assert_eq!(chart.matches("class=\"ask\"").count(), 2);
        assert_eq!(chart.matches("class=\"do\"").count(), 3);
        assert!(chart.contains("otherwise keep") && chart.contains("fee &lt; 4"), "{chart}");
        assert!(flow_chart(&card(&[])).contains("always keep"));
    }

    #[test]
    fn a_card_can_be_read_again() {
        let card = card(&[("boodles: at most 0", "take")]);
        let json = serde_json::to_string(&card).unwrap();
        assert_eq!(serde_json::from_str::<ReportCard>(&json).unwrap(), card);
    }

    #[test]
    fn lines_are_read_from_top_to_bottom() {
        let lines = lines(&card(&[("boodles: at most 0", "take")]));
        assert_eq!(lines, ["boodles: at most 0? take", "otherwise keep"]);
    }
}
