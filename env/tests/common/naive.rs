//! The encoding once more, entry by entry, as the table of spans describes it.

use std::collections::BTreeSet;

use newmarket_env::encode::SPANS;
use newmarket_env::poker::Strength;
use newmarket_env::rules::{Bankroll, Exchange, FirstLead, Stage, Timing};
use newmarket_env::{Action, ActionMask, Card, CardSet, Observation, Phase, Suit, View};

struct Naive(Vec<f32>);

impl Naive {
    /// Entry `at` of a span: a count, scaled as the span says.
    fn put(&mut self, span: &str, at: usize, count: i32) {
        let span = SPANS.iter().find(|s| s.name == span).unwrap_or_else(|| panic!("no {span}"));
        assert!(at < span.len, "{} has no entry {at}", span.name);
        assert!(self.0[span.start + at].to_bits() == 0, "{} {at} twice", span.name);
        self.0[span.start + at] = count as f32 * span.scale;
    }

    fn flag(&mut self, span: &str, at: usize, fact: bool) {
        self.put(span, at, i32::from(fact));
    }

    fn plane(&mut self, span: &str, is_in: impl Fn(Card) -> bool) {
        for index in 0..52 {
            self.flag(span, index, is_in(Card::from_index(index)));
        }
    }
}

/// What [`Observation::write`] should write of a view.
pub(crate) fn encode(view: &View) -> Vec<f32> {
    let mut naive = Naive(vec![0.0; Observation::LEN]);
    let pack = view.game().pack();
    naive.plane("absent", |card| !pack.contains(card));
    what_is_played(&mut naive, view);
    session(&mut naive, view);
    decision(&mut naive, view);
    for relative in 0..view.game().players() {
        seat(&mut naive, view, relative);
    }
    for (cell, &chips) in view.layout().iter().enumerate() {
        naive.put("cell chips", cell, chips);
    }
    if view.is_dealt() {
        cards(&mut naive, view);
        cells(&mut naive, view);
        leads(&mut naive, view);
    }
    if !view.game().rules().stages.is_empty() {
        stages(&mut naive, view);
    }
    naive.0
}

fn what_is_played(naive: &mut Naive, view: &View) {
    let rules = view.game().rules();
    naive.flag("players", view.game().players() - 2, true);
    naive.flag("change of suit", rules.change_suit as usize, true);
    let (kind, price) = match rules.exchange {
        Exchange::None => (None, 0),
        Exchange::Dealer { fee } => (Some(0), fee),
        Exchange::DealerOrAuction { max_bid } => (Some(1), max_bid),
        Exchange::OfferChain { price } => (Some(2), price),
    };
    if let Some(kind) = kind {
        naive.flag("exchange", kind, true);
    }
    naive.put("per card, price", 0, rules.per_card);
    naive.put("per card, price", 1, price);
    naive.flag("options", 0, rules.kitty_to_winner);
    naive.flag("options", 1, rules.first_lead != FirstLead::Eldest);
    naive.flag("options", 2, rules.timing == Timing::AfterLook);
    naive.flag("options", 3, view.credit());
    naive.flag("options", 4, rules.has(Stage::Collect));
    naive.flag("options", 5, rules.has(Stage::Poker) && !rules.has(Stage::Collect));
    for (cell, rule) in rules.cells.iter().enumerate() {
        naive.flag("cell present", cell, true);
        if let Some(card) = rule.claiming_card() {
            naive.flag("cell suit", 4 * cell + card.suit().index(), true);
            naive.put("cell rank", cell, 1 + card.rank().index() as i32);
        }
    }
}

fn session(naive: &mut Naive, view: &View) {
    let rules = view.game().rules();
    if let FirstLead::LowestOf(suit) = rules.first_lead {
        naive.flag("first lead's suit", suit.index(), true);
    }
    naive.flag("poker winner leads", 0, rules.first_lead == FirstLead::PokerWinner);
    naive.put("starting chips, cap", 1, rules.cell_cap.unwrap_or(0));
    let players = view.game().players();
    for relative in 1..players {
        let seat = (view.seat() + relative) % players;
        let ahead = view.stack(seat) - view.stack(view.seat());
        naive.put("ahead of the viewer", relative - 1, ahead);
    }
    let Some(left) = view.deals_left() else { return };
    naive.flag("session", 0, true);
    naive.put("deals left", 0, left as i32);
    if let Bankroll::Chips { start, on_bust } = rules.session.bankroll {
        naive.put("starting chips, cap", 0, start);
        naive.flag("bust", on_bust as usize, true);
    }
    naive.flag("leftover", rules.session.leftover as usize, true);
}

fn decision(naive: &mut Naive, view: &View) {
    let phases =
        [Phase::Ante, Phase::DeadHand, Phase::Auction, Phase::Lead, Phase::SetApart, Phase::Bet];
    for (at, phase) in phases.into_iter().enumerate() {
        naive.flag("phase", at, view.phase() == phase);
    }
    let legal: ActionMask = view.legal();
    for suit in Suit::ALL {
        naive.flag("stopped suit", suit.index(), view.stopped() == Some(suit));
        naive.flag("legal leads", suit.index(), legal.contains(Action::lead(suit)));
    }
    for cell in 0..8 {
        naive.flag("legal cells", cell, legal.contains(Action::chip(cell)));
    }
    let others = [
        Action::KEEP,
        Action::EXCHANGE,
        Action::AUCTION,
        Action::BID,
        Action::PASS,
        Action::CHECK,
        Action::BET,
        Action::CALL,
        Action::RAISE,
        Action::FOLD,
    ];
    for (at, action) in others.into_iter().enumerate() {
        naive.flag("legal dead hand, bids and bets", at, legal.contains(action));
    }
    naive.put("kitty, bid, chips to place", 0, view.kitty());
    naive.put("kitty, bid, chips to place", 1, view.bid());
    naive.put("kitty, bid, chips to place", 2, view.chips_left() as i32);
    let eldest = view.seats_in().from_left_of(view.dealer()).next();
    let price = match view.game().rules().exchange {
        Exchange::Dealer { fee } => fee,
        Exchange::OfferChain { price } if view.actor() != eldest => price,
        _ => 0,
    };
    naive.put("price now", 0, if view.phase() == Phase::DeadHand { price } else { 0 });
}

fn seat(naive: &mut Naive, view: &View, relative: usize) {
    let seat = (view.seat() + relative) % view.game().players();
    let facts = [
        ("seat in", view.seats_in().contains(seat)),
        ("dealer", view.dealer() == seat),
        ("eldest", view.seats_in().from_left_of(view.dealer()).next() == Some(seat)),
        ("actor", view.actor() == Some(seat)),
        ("exchanger", view.exchanger() == Some(seat)),
        ("bidder", view.bidder() == Some(seat)),
        ("passed", view.passed().contains(seat)),
    ];
    for (span, fact) in facts {
        naive.flag(span, relative, fact);
    }
    naive.put("hand size", relative, view.hand_size(seat) as i32);
    if !view.credit() {
        naive.put("stack", relative, view.stack(seat));
    }
    for cell in 0..8 {
        naive.put("staked", 8 * relative + cell, view.staked(seat, cell));
    }
    if relative == 0 || !view.is_dealt() {
        return;
    }
    let possible = view.infer_apart().possible[seat];
    for suit in Suit::ALL {
        let at = 4 * (relative - 1) + suit.index();
        let lowest = possible.lowest(suit).map(|card| card.rank().index());
        naive.flag("seat void in suit", at, lowest.is_none());
        naive.put("seat lowest in suit", at, lowest.map_or(0, |lowest| 1 + lowest as i32));
    }
}

fn cards(naive: &mut Naive, view: &View) {
    let (sure, hand, played) = (view.infer_apart(), view.hand(), view.played());
    let located = |card| {
        let others = (0..view.game().players()).filter(|&seat| seat != view.seat());
        others.into_iter().any(|seat| sure.certain[seat].contains(card))
    };
    let hidden = |card| {
        let seen = hand | played | sure.dead | !view.game().pack();
        !seen.contains(card) && !located(card)
    };
    let gone = |card| sure.dead.contains(card) || played.contains(card);
    naive.plane("hand", |card| hand.contains(card));
    naive.plane("played", |card| played.contains(card));
    naive.plane("dead", |card| sure.dead.contains(card));
    naive.plane("located", located);
    naive.plane("live", |card| hidden(card) && !sure.may_be_dead.contains(card));
    naive.plane("apart", |card| view.apart().contains(card));
    naive.put("dead hand", 0, view.dead_size() as i32);
    for suit in Suit::ALL {
        let at = suit.index();
        let lane: Vec<Card> = CardSet::suit(suit).iter().collect();
        let count =
            |of: &dyn Fn(Card) -> bool| lane.iter().filter(|&&card| of(card)).count() as i32;
        naive.put("suit cards held", at, count(&|card| hand.contains(card)));
        naive.put("suit cards hidden", at, count(&hidden));
        let from_lowest = lane.iter().skip_while(|&&card| !hand.contains(card));
        let run: Vec<Card> = from_lowest.copied().take_while(|&card| hand.contains(card)).collect();
        let cells = run.iter().filter_map(|&card| view.claims().cell_claimed_by(card));
        naive.put("own run", at, run.len() as i32);
        naive.put("own run chips", at, cells.map(|cell| view.layout()[cell]).sum());
        let stops = run.last().is_some_and(|last| {
            let next = lane.iter().find(|card| card.rank().index() == last.rank().index() + 1);
            next.is_none_or(|&next| gone(next) || !view.game().pack().contains(next))
        });
        naive.flag("own run stops", at, stops);
    }
}

fn cells(naive: &mut Naive, view: &View) {
    let (sure, game) = (view.infer_apart(), view.game());
    let mut claimed = [0; 52];
    for (cell, rule) in game.rules().cells.iter().enumerate() {
        let chips = view.layout()[cell];
        if let Some(card) = rule.claiming_card() {
            naive.flag("cell held", cell, view.hand().contains(card));
            let gone = (view.played() | sure.dead).contains(card);
            naive.flag("cell gone", cell, gone);
            claimed[card.index()] += chips;
            continue;
        }
        let own = view.hand() | view.played_by(view.seat());
        let sets = view.claims().sets().filter(|&(at, set)| at == cell && own.is_superset(set));
        // What completes a set is the last card of it that is still in the hand.
        let last: BTreeSet<Card> = sets.filter_map(|(_, set)| (set & view.hand()).last()).collect();
        naive.flag("cell held", cell, !last.is_empty());
        for card in last {
            claimed[card.index()] += chips;
        }
    }
    for (index, chips) in claimed.into_iter().enumerate() {
        naive.put("card chips", index, chips);
    }
}

/// What leads bring in the mean over all ways in which cards that may be dead are, each on its own
/// with the same chance.
fn leads(naive: &mut Naive, view: &View) {
    let span = |name| SPANS.iter().find(|span| span.name == name).expect("a span");
    let chips = {
        let span = span("card chips");
        naive.0[span.start..span.start + 52]
            .iter()
            .map(|chips| chips / span.scale)
            .collect::<Vec<_>>()
    };
    let planes = naive.0.clone();
    let is = |plane, card: Card| planes[span(plane).start + card.index()] > 0.0;
    let comes = |card| is("located", card) || is("live", card);
    let gone = |card| ["played", "dead", "absent"].into_iter().any(|plane| is(plane, card));
    let may_be_dead = |card| !comes(card) && !gone(card) && !is("hand", card);
    let pack = || (0..52).map(Card::from_index);
    let known_dead = pack().filter(|&card| is("dead", card)).count();
    let open = pack().filter(|&card| may_be_dead(card)).count();
    let chance = view.dead_size().saturating_sub(known_dead) as f64 / open.max(1) as f64;
    for suit in Suit::ALL {
        let lane: Vec<Card> = CardSet::suit(suit).iter().collect();
        let Some(lowest) = lane.iter().position(|&card| is("hand", card)) else { continue };
        let open: Vec<Card> = lane.iter().copied().filter(|&card| may_be_dead(card)).collect();
        let mut means = [0.0; 6];
        for dead in 0..1_usize << open.len() {
            let is_dead = |card| {
                open.iter().position(|&at| at == card).is_some_and(|nth| dead >> nth & 1 == 1)
            };
            let number = dead.count_ones() as i32;
            let weight = chance.powi(number) * (1.0 - chance).powi(open.len() as i32 - number);
            let missing = |card: Card| gone(card) || is_dead(card);
            let run: Vec<Card> =
                lane[lowest..].iter().copied().take_while(|&card| !missing(card)).collect();
            let (own, others): (Vec<Card>, Vec<Card>) =
                run.iter().copied().partition(|&card| is("hand", card));
            let claim = |cards: &[Card]| {
                cards.iter().map(|card| f64::from(chips[card.index()])).sum::<f64>()
            };
            let again = run.last().is_some_and(|&last| is("hand", last));
            let first = |&at: &usize| is("hand", lane[at]) && (at == 0 || missing(lane[at - 1]));
            let needed = (0..lane.len()).filter(first).count();
            let values = [
                own.len() as f64,
                others.len() as f64,
                f64::from(u8::from(again)),
                claim(&own),
                claim(&others),
                needed as f64,
            ];
            for (mean, value) in means.iter_mut().zip(values) {
                *mean += weight * value;
            }
        }
        let names = [
            "lead: own cards",
            "lead: others' cards",
            "lead: leads again",
            "lead: own chips",
            "lead: others' chips",
            "leads needed",
        ];
        for (name, mean) in names.into_iter().zip(means) {
            let span = span(name);
            naive.0[span.start + suit.index()] = mean as f32 * span.scale;
        }
    }
}

fn stages(naive: &mut Naive, view: &View) {
    let record = view.record();
    let poker = view.game().rules().has(Stage::Poker);
    for relative in 0..view.game().players() {
        let seat = (view.seat() + relative) % view.game().players();
        let stays = view.seats_in().contains(seat) && !view.folded().contains(seat);
        naive.flag("stays in the betting", relative, poker && stays);
        naive.put("bets", relative, view.put(seat));
        for cell in 0..8 {
            let took = record.collected[cell].contains(seat);
            naive.flag("collected", 8 * relative + cell, took);
        }
    }
    for cell in 0..8 {
        naive.flag("cell judged", cell, record.judged >> cell & 1 == 1);
    }
    naive.put("raises, own poker hand", 0, view.raises() as i32);
    if view.apart().len() == 5 {
        let strength = Strength::of(view.apart(), view.game().rules().aces);
        naive.put("raises, own poker hand", 1, 1 + strength.class() as i32);
        naive.put("raises, own poker hand", 2, 1 + strength.leading_rank() as i32);
    }
}
