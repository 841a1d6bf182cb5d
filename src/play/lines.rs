//! The plain terminal: a session line by line, for pipes, screen readers and simple terminals.

mod input;
mod tables;
mod typed;
mod writer;

use std::io::{self, IsTerminal, Write};
use std::thread;
use std::time::Duration;

use newmarket_engine::Choice;
use newmarket_env::{CardSet, Event, View};

use super::narrator::{self, Narrator};
use super::question::{Edit, Question};
use super::session::Step;
use super::table_view::{TableView, is_own};
use super::{Ending, Setup, final_standing, help, hint, values};
use crate::failure::Result;
use crate::table_args::stoppable;
use crate::wording::Wording;
use input::{Input, Stop};
use writer::LineWriter;

/// What can be typed at a question.
const KEYS: &str = "h hint   v values   r table   u undo   ? help   q quit";

/// Milliseconds after a line, in a session without a person.
const DELAY: u64 = 500;

/// Plays the session on standard input and output.
pub(super) fn run(setup: Setup) -> Result {
    let mut out = LineWriter::stdout();
    let game = setup.session.game();
    let title = format!("{}, {} players, {}", game.rules().title(), game.players(), setup.luck);
    out.line(&title)?;
    out.line(&format!("  {}", setup.introduction))?;
    let plays = setup.session.viewer().is_some();
    let input = if plays { Some(Input::start()?) } else { None };
    if plays {
        out.line(&format!("  At any question: {KEYS}"))?;
    }
    let watched = !plays && io::stdout().is_terminal();
    let delay = if watched { setup.delay.unwrap_or(DELAY) } else { 0 };
    let lines = Lines::new(out, input, setup, Duration::from_millis(delay));
    stoppable(|| lines.run())?
}

/// A session in lines.
struct Lines<W> {
    out: LineWriter<W>,
    /// `None` if nobody plays.
    input: Option<Input>,
    setup: Setup,
    table: TableView,
    narrator: Narrator,
    /// All events of the deal, for undo.
    events: Vec<Event>,
    /// The last sentence, as long as it may go on.
    sentence: String,
    /// Whether the next event is a lead that the person has just chosen, which does not wait.
    chosen: bool,
    /// Whether the person is between two deals.
    between: bool,
    /// The pause after each line.
    delay: Duration,
}

impl<W: Write> Lines<W> {
    fn new(out: LineWriter<W>, input: Option<Input>, setup: Setup, delay: Duration) -> Self {
        let table = TableView::new(setup.session.game().clone(), &setup.session.opening());
        let narrator = Narrator::default();
        let (events, sentence, chosen, between) = (Vec::new(), String::new(), false, false);
        Self { out, input, setup, table, narrator, events, sentence, chosen, between, delay }
    }

    /// Plays the session to its end, or until the person leaves.
    fn run(mut self) -> Result {
        let ending = match self.play() {
            Ok(()) => Ending::Over,
            Err(Stop::Failed(failure)) => return Err(failure),
            Err(Stop::Left) => {
                self.table = self.table.before_deal();
                if self.between { Ending::LeftBefore } else { Ending::LeftWithin }
            }
        };
        self.out.rule(&ending.title(self.table.number))?;
        for line in final_standing(&self.wording(), &self.table) {
            self.out.line(&line)?;
        }
        Ok(())
    }

    fn wording(&self) -> Wording<'_> {
        self.setup.wording()
    }

    fn play(&mut self) -> Result<(), Stop> {
        let mut title = narrator::title(&self.wording(), &self.setup.session.opening());
        loop {
            self.out.rule(&title)?;
            self.deal()?;
            match self.setup.session.next_deal() {
                Ok(opening) => {
                    self.table = TableView::new(self.setup.session.game().clone(), &opening);
                    self.narrator = Narrator::default();
                    self.events.clear();
                    for change in narrator::changes(&self.wording(), &opening) {
                        self.line(&format!("  {change}"))?;
                    }
                    title = narrator::title(&self.wording(), &opening);
                    if self.input.is_some() {
                        self.between = true;
                        self.answer("  Enter for the next deal")?;
                        self.between = false;
                    }
                }
                Err(closing) => {
                    self.tell(&closing.leftovers, None)?;
                    self.end_sentence()?;
                    self.table.left_alone = closing.left_alone;
                    if closing.early {
                        self.line("  The session ends here: the next stake cannot be paid.")?;
                    }
                    return Ok(());
                }
            }
        }
    }

    fn deal(&mut self) -> Result<(), Stop> {
        let hands = loop {
            match self.setup.session.step().map_err(Stop::Failed)? {
                Step::Events(events, why) => self.tell(&events, why.as_deref())?,
                Step::Question => {
                    self.end_sentence()?;
                    self.ask()?;
                }
                Step::DealOver(hands) => break hands,
            }
        };
        self.end_sentence()?;
        self.line("")?;
        self.lines(&tables::settlement(&self.wording(), &self.table, self.out.columns))?;
        self.table.open(&hands);
        // Those who look on have seen the dead hand.
        let dead = if self.input.is_some() { self.table.dead } else { CardSet::EMPTY };
        self.lines(&tables::open_hands(&self.wording(), &self.table, dead))
    }

    fn line(&mut self, text: &str) -> Result<(), Stop> {
        self.out.line(text)?;
        thread::sleep(self.delay);
        Ok(())
    }

    fn lines(&mut self, lines: &[String]) -> Result<(), Stop> {
        lines.iter().try_for_each(|line| self.line(line))
    }

    /// Tells what happened, and shows the hands that it brings. `why` is about the first event.
    fn tell(&mut self, events: &[Event], mut why: Option<&str>) -> Result<(), Stop> {
        for event in events {
            self.wait_for(event)?;
            self.table.apply(event);
            let wording = self.setup.wording();
            for sentence in self.narrator.tell(&wording, &self.table, event, why.take()) {
                if !sentence.continues {
                    self.end_sentence()?;
                }
                self.sentence += &sentence.text;
            }
            let new_hand = match event {
                Event::Deal { .. } => true,
                Event::Exchange { hand, .. } => hand.is_some() || self.input.is_none(),
                _ => false,
            };
            // A question shows the hand anyway.
            if new_hand && !self.setup.session.asks_person() {
                self.end_sentence()?;
                self.lines(&tables::open_hands(&self.wording(), &self.table, self.table.dead))?;
            }
            if matches!(event, Event::Deal { .. }) && self.input.is_none() {
                self.line(&tables::layout(&self.wording(), &self.table, &[]))?;
            }
        }
        self.events.extend_from_slice(events);
        if self.narrator.may_continue() { Ok(()) } else { self.end_sentence() }
    }

    /// Lets a card of the person wait for Enter, if it is to.
    fn wait_for(&mut self, event: &Event) -> Result<(), Stop> {
        let chosen = std::mem::take(&mut self.chosen);
        let person = self.setup.session.viewer().filter(|_| self.setup.wait && !chosen);
        if !person.is_some_and(|person| is_own(event, person)) {
            return Ok(());
        }
        self.end_sentence()?;
        let prompt = format!("  {} >", narrator::waits(&self.wording(), event));
        self.answer(&prompt).map(drop)
    }

    fn end_sentence(&mut self) -> Result<(), Stop> {
        let sentence = std::mem::take(&mut self.sentence);
        // A question may have ended the first part of the sentence.
        let text = sentence.trim_start_matches([' ', '·', ',']);
        if text.is_empty() { Ok(()) } else { self.line(&format!("  {text}")) }
    }

    /// Waits for a line of the person.
    fn answer(&mut self, prompt: &str) -> Result<String, Stop> {
        self.out.prompt(prompt)?;
        let input = self.input.as_ref().ok_or(Stop::Left)?;
        let answer = input.line();
        match &answer {
            Ok(line) if input.echo => self.out.line(line)?,
            Ok(_) => {}
            Err(_) => self.out.line("")?,
        }
        let answer = answer?;
        let leaves = matches!(answer.to_lowercase().as_str(), "q" | "quit" | "exit");
        if leaves { Err(Stop::Left) } else { Ok(answer) }
    }

    /// Asks the person until there is a decision, or until the last one is taken back.
    fn ask(&mut self) -> Result<(), Stop> {
        let mut question = self.with_view(|_, view| Question::of(view));
        // A choice between actions has no usual answer: Enter takes nothing before a hint.
        let mut enter = !matches!(question, Question::Pick { .. });
        self.with_view(|_, view| drop(question.edit(Edit::Usual, view)));
        self.line("")?;
        self.lines(&self.table_lines())?;
        self.lines(&self.with_view(|wording, view| typed::question(&question, wording, view)))?;
        if self.setup.hints {
            let hint = self.hint(&mut question);
            self.lines(&hint)?;
            enter = true;
        }
        loop {
            let prompt = self.with_view(|wording, view| match question.choice(view) {
                Ok(choice) if enter => format!("  Enter for {} >", wording.choice(view, &choice)),
                _ => "  >".into(),
            });
            let answer = self.answer(&prompt)?.to_lowercase();
            let again =
                || self.with_view(|wording, view| typed::question(&question, wording, view));
            let lines = match answer.as_str() {
                "h" | "hint" => {
                    enter = true;
                    self.hint(&mut question)
                }
                "v" | "values" => self.with_view(values::lines),
                "r" | "table" => {
                    [self.table_lines(), self.with_view(tables::record), again()].concat()
                }
                "?" | "help" => [help::lines(&self.wording()), again()].concat(),
                "u" | "undo" => return self.undo(),
                text => match self.read(&question, text, enter) {
                    Ok(choice) => {
                        self.chosen = matches!(choice, Choice::Lead { .. });
                        self.setup.session.decide(&choice).expect("a legal choice");
                        return Ok(());
                    }
                    Err(problem) => vec![format!("  {problem}")],
                },
            };
            self.lines(&lines)?;
        }
    }

    /// The decision that a typed text makes. An empty text keeps the current answer if `enter`.
    fn read(&self, question: &Question, text: &str, enter: bool) -> Result<Choice, String> {
        let mut answer = question.clone();
        self.with_view(|wording, view| {
            if !(enter && text.is_empty()) {
                typed::read(&mut answer, text, wording, view)
                    .map_err(|problem| format!("No: {problem}."))?;
            }
            answer.choice(view)
        })
    }

    /// Computes something from the view of the person, who is asked.
    fn with_view<T>(&self, look: impl FnOnce(&Wording, &View) -> T) -> T {
        let view = self.setup.session.view().expect("the person is asked");
        look(&self.wording(), &view)
    }

    fn table_lines(&self) -> Vec<String> {
        let columns = self.out.columns;
        self.with_view(|wording, view| tables::question(wording, &self.table, view, columns))
    }

    /// Makes the adviser's choice the answer, and says why.
    fn hint(&mut self, question: &mut Question) -> Vec<String> {
        let Setup { session, adviser, .. } = &mut self.setup;
        let Some(adviser) = adviser else { return Vec::new() };
        let Some(advice) = session.advice(adviser) else { return Vec::new() };
        self.with_view(|wording, view| {
            question.set(&advice.choice, view);
            vec![format!("  {}", hint::hint(wording, view, &advice))]
        })
    }

    fn undo(&mut self) -> Result<(), Stop> {
        let Some(events) = self.setup.session.undo() else {
            return self.line("  There is nothing of this deal to take back.");
        };
        self.events.truncate(events);
        self.table = self.table.before_deal();
        self.narrator = Narrator::default();
        self.events.iter().for_each(|event| self.table.apply(event));
        self.line("  Your last decision is taken back.")
    }
}

/// Plays a session with these answers. Returns all that it prints.
#[cfg(test)]
pub(super) fn typed<'a>(setup: Setup, answers: impl Iterator<Item = &'a str>) -> String {
    let mut out = Vec::new();
    let writer = LineWriter::new(&mut out);
    let lines = Lines::new(writer, Some(Input::of_lines(answers)), setup, Duration::ZERO);
    lines.run().expect("a vector takes all");
    String::from_utf8(out).expect("text")
}
