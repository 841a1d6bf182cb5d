//! The host: deals, asks, carries decisions out, and tells what everybody may see.

use std::io::Write;
use std::thread;
use std::time::Duration;

use newmarket_agents::Agent;
use newmarket_env::{Action, CardSet, DealDriver, Decision, Phase, Session, State, View};

use super::ask::Stop;
use super::events::left_within;
use super::paint::{say, wrap};
use super::pen::Pen;
use super::person::Person;
use super::players::{Players, advice};
use crate::failure::Result;

/// A session in progress, with its players and its reader.
pub(super) struct Host<'g, 'o> {
    pen: Pen<'g>,
    out: &'o mut dyn Write,
    person: Option<Person>,
    players: Players,
    session: Session,
    state: State,
    /// Bids or bets that have not been printed yet.
    bids: Vec<String>,
    /// The pause after each line.
    delay: Duration,
}

impl<'g, 'o> Host<'g, 'o> {
    /// Opens a session for these players. A person, if there is one, takes the seat that is left
    /// empty.
    pub(super) fn new(
        pen: Pen<'g>,
        out: &'o mut dyn Write,
        players: Players,
        session: Session,
        delay: Duration,
    ) -> Self {
        let state = State::new(pen.game, session.deal_start());
        Self { pen, out, person: None, players, session, state, bids: Vec::new(), delay }
    }

    /// Seats a person at the keyboard, with somebody to ask for advice.
    pub(super) fn seat_person(
        &mut self,
        adviser: Box<dyn Agent>,
        seed: u64,
        hints: bool,
    ) -> Result {
        let rng = advice(seed);
        self.seat(Person { input: super::ask::Input::start()?, adviser, rng, hints });
        Ok(())
    }

    pub(super) fn seat(&mut self, person: Person) {
        self.person = Some(person);
    }

    /// Plays the session to its end, or until the person leaves.
    pub(super) fn run(mut self) -> Result {
        let played = self.play();
        let mut stacks: &[i32] = self.state.stacks();
        let before = match played {
            Ok(()) => "Final standing".to_string(),
            Err(Stop::Left) if self.state.is_over() => {
                format!("You leave before deal {}", self.session.deal_number())
            }
            Err(Stop::Left) => {
                stacks = &self.session.deal_start().stacks[..self.pen.game.players()];
                left_within(self.session.deal_number())
            }
            Err(Stop::Failed(error)) => return Err(error),
        };
        let credit = self.session.deal_start().credit;
        writeln!(
            self.out,
            "{}\n{}",
            self.pen.rule(&before),
            self.pen.final_standing(
                stacks,
                self.session.bought(),
                credit,
                self.session.left_alone()
            )
        )?;
        Ok(())
    }

    fn play(&mut self) -> Result<(), Stop> {
        loop {
            self.deal()?;
            let after = self.state;
            let gifts = self.session.close(self.pen.game, &mut self.state);
            if self.session.is_over() {
                if let Some(text) = self.pen.gifts(&gifts) {
                    self.tell(&text)?;
                }
                if self.session.deal_number() < self.pen.game.rules().session.deals {
                    let sentence = "The session ends here: the next ante cannot be paid.";
                    self.tell(&say(sentence))?;
                }
                return Ok(());
            }
            for line in self.pen.changes(&self.session, &view_of(&self.pen, &after)) {
                self.tell(&line)?;
            }
            if let Some(person) = &self.person {
                person.pause(self.out, &self.pen)?;
            }
        }
    }

    /// What the reader may see, the hand that is theirs included.
    fn view(&self) -> View<'_> {
        view_of(&self.pen, &self.state)
    }

    fn tell(&mut self, text: &str) -> Result<(), Stop> {
        if !text.is_empty() {
            writeln!(self.out, "{text}")?;
            self.out.flush()?;
            thread::sleep(self.delay);
        }
        Ok(())
    }

    fn deal(&mut self) -> Result<(), Stop> {
        let game = self.pen.game;
        let deal_start = *self.session.deal_start();
        self.state = State::new(game, &deal_start);
        self.players.begin();
        self.tell(&self.pen.deal_title(&self.session))?;
        if !self.pen.looks_first() {
            self.tell(&self.pen.fixed_antes())?;
        }
        let mut last = self.state;
        loop {
            match (self.next(), self.state.phase()) {
                (None, Phase::Deal) => self.give_cards()?,
                (None, _) => break,
                (Some(_), Phase::Ante) => self.antes()?,
                (Some(_), Phase::SetApart) => self.set_apart()?,
                (Some(decision), _) => {
                    last = self.state;
                    self.decide(decision)?;
                }
            }
        }
        self.players.over(game, &self.session, &self.state);
        let text =
            self.pen.settlement(&view_of(&self.pen, &last), &self.view(), &deal_start.stacks);
        self.tell(&format!("\n{text}"))?;
        if self.pen.person.is_none() {
            let left = self.state.hands();
            self.tell(&self.pen.open_hands(&left.seats, CardSet::EMPTY))?;
        }
        Ok(())
    }

    /// The decision that is due, forced ones included: what happens is told step by step.
    fn next(&mut self) -> Option<Decision> {
        DealDriver::ALL.next_or_cards(self.pen.game, &mut self.state)
    }

    /// The decision that is due if it belongs to this phase, and to this seat if one is given.
    fn next_in(&mut self, phase: Phase, seat: Option<usize>) -> Option<Decision> {
        let decision = self.next()?;
        let due = self.state.phase() == phase && seat.is_none_or(|seat| seat == decision.seat);
        due.then_some(decision)
    }

    fn give_cards(&mut self) -> Result<(), Stop> {
        let game = self.pen.game;
        let pack = self.session.pack(game);
        let hands = game.deal(pack.cards(), self.state.dealer(), self.state.seats_in());
        let before = self.state;
        self.state.deal(game, &hands);
        if self.person.is_none() {
            let text = self.pen.open_hands(&hands.seats, hands.dead);
            self.tell(&text)?;
            let layout = self.pen.layout(&self.view(), CardSet::EMPTY);
            self.tell(&layout)?;
        } else if !self.asks_person_next() && !self.view().hand().is_empty() {
            let hand = self.pen.hand("dealt", self.view().hand(), CardSet::EMPTY);
            self.tell(&hand)?;
        }
        if self.pen.looks_first() {
            self.tell(&self.pen.fixed_antes())?;
        }
        self.tell_collected(&before)
    }

    /// Who takes cells for the cards that they hold, if that is what has just happened.
    fn tell_collected(&mut self, before: &State) -> Result<(), Stop> {
        let judged = |state: &State| state.view(self.pen.game, 0).record().judged;
        if judged(before) == judged(&self.state) {
            return Ok(());
        }
        self.tell(&self.pen.collected(before, &self.state))
    }

    /// Everybody sets five cards apart.
    fn set_apart(&mut self) -> Result<(), Stop> {
        let game = self.pen.game;
        while let Some(decision) = self.next_in(Phase::SetApart, None) {
            let seat = decision.seat;
            match &mut self.person {
                Some(person) if self.players.is_person(seat) && decision.forced().is_none() => {
                    let five = person.set_apart(&self.pen, self.out, &self.state)?;
                    self.take(five)?;
                }
                _ => self.take_all(Phase::SetApart, seat)?,
            }
            if self.pen.person.is_none_or(|person| person == seat) {
                let five = self.pen.five(self.state.view(game, seat).apart());
                let sets = self.pen.does(seat, "set", "sets");
                self.tell(&say(&format!("{sets} apart {five}.")))?;
            }
        }
        Ok(())
    }

    /// Whether the next thing is a question that shows the person their hand anyway.
    fn asks_person_next(&self) -> bool {
        let person = self.state.actor().is_some_and(|seat| self.players.is_person(seat));
        let choice = !self.state.legal(self.pen.game).is_forced();
        person && choice && self.state.phase() != Phase::Ante
    }

    /// All free antes, seat by seat.
    fn antes(&mut self) -> Result<(), Stop> {
        self.tell(&self.pen.ante_head(&self.view()))?;
        while let Some(Decision { seat, .. }) = self.next_in(Phase::Ante, None) {
            let layout = self.state;
            match &mut self.person {
                Some(person) if self.players.is_person(seat) => {
                    let chips = person.stake(&self.pen, self.out, &self.state)?;
                    self.take(chips)?;
                }
                _ => self.take_all(Phase::Ante, seat)?,
            }
            let row = self.pen.ante(&self.view(), seat);
            self.tell(&row)?;
            if self.state.phase() != Phase::Ante
                && let Some(text) = self.pen.spill(&view_of(&self.pen, &layout), &self.view())
            {
                self.tell(&text)?;
            }
            self.tell_collected(&layout)?;
        }
        Ok(())
    }

    /// All decisions of a seat in a phase.
    fn take_all(&mut self, phase: Phase, seat: usize) -> Result<(), Stop> {
        while let Some(decision) = self.next_in(phase, Some(seat)) {
            let action = self.choose(decision)?;
            self.take([action])?;
        }
        Ok(())
    }

    /// Takes actions, each of the seat that is to act.
    fn take(&mut self, actions: impl IntoIterator<Item = Action>) -> Result<(), Stop> {
        for action in actions {
            let legal = self.state.legal(self.pen.game);
            self.state.apply(self.pen.game, action)?;
            self.players.took(legal, action);
        }
        Ok(())
    }

    fn decide(&mut self, decision: Decision) -> Result<(), Stop> {
        let (seat, forced) = (decision.seat, decision.forced().is_some());
        let before = self.state;
        let action = self.choose(decision)?;
        self.take([action])?;
        let after = self.state;
        let (was, is) = (view_of(&self.pen, &before), view_of(&self.pen, &after));
        if was.phase() == Phase::Bet {
            self.bids.push(self.pen.bet(seat, action, &was));
            if is.phase() != Phase::Bet {
                self.tell_bids()?;
                let text = self.pen.showdown(seat, action, &before, &after);
                self.tell(&text)?;
            }
        } else if was.phase() == Phase::Auction {
            self.bids.push(self.pen.bid(seat, action, &was));
            if is.phase() != Phase::Auction {
                self.tell_bids()?;
                self.tell(&self.pen.sale(&is))?;
            }
        } else {
            let text = self.pen.decision(seat, action, forced, &was, &is);
            self.tell(&text)?;
        }
        if was.exchanger() != is.exchanger() {
            // A new hand, for those who may see it.
            if let Some(taker) = is.exchanger()
                && self.pen.person.is_none_or(|person| person == taker)
            {
                let hand = self.state.hands().seats[taker];
                let text = self.pen.hand("taken", hand, CardSet::EMPTY);
                self.tell(&text)?;
            }
        }
        self.tell_collected(&before)
    }

    fn tell_bids(&mut self) -> Result<(), Stop> {
        let bids = std::mem::take(&mut self.bids);
        let bids = bids.iter().enumerate();
        let pieces = bids.map(|(nth, bid)| if nth == 0 { bid.clone() } else { format!("· {bid}") });
        let text = wrap(pieces, 6);
        self.tell(text.trim_end())
    }

    /// The action of the seat, which is asked only if it has a choice.
    fn choose(&mut self, decision: Decision) -> Result<Action, Stop> {
        if let Some(only) = decision.forced() {
            return Ok(only);
        }
        let seat = decision.seat;
        if self.players.is_person(seat) {
            self.tell_bids()?;
        }
        let game = self.pen.game;
        match (self.players.act(game, &self.session, &self.state, seat), &mut self.person) {
            (Some(action), _) => Ok(action),
            (None, Some(person)) => {
                person.decide(&self.pen, self.out, &self.state.view(game, seat))
            }
            (None, None) => Err(Stop::Left),
        }
    }
}

/// The reader's view: the person's, or without one what any seat sees in the open.
fn view_of<'a>(pen: &Pen<'a>, state: &'a State) -> View<'a> {
    state.view(pen.game, pen.person.unwrap_or(0))
}
