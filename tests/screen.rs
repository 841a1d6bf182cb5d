//! The full-screen table in tmux, if there is one.

mod tmux;

use std::path::Path;
use std::process::Command;

use tmux::{PROGRAM, SHELL, Terminal};

/// The result of a session played line by line with the first choices.
fn standing_in_lines(arguments: &[&str], folder: &Path) -> String {
    let answers = folder.join("answers");
    std::fs::write(&answers, "\n1\n".repeat(4000)).unwrap();
    let input = std::fs::File::open(&answers).unwrap();
    let output = Command::new(PROGRAM).args(arguments).stdin(input).output().unwrap();
    standing(&String::from_utf8(output.stdout).unwrap())
}

/// The text after `Final standing`.
fn standing(screen: &str) -> String {
    let lines = screen.lines().skip_while(|line| !line.contains("Final standing")).skip(1);
    let lines = lines.take_while(|line| line.starts_with("  ")).map(str::trim_end);
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_session_is_played_by_keys() {
    let arguments = ["play", "--deals", "2", "--seed", "7", "--against", "stopper", "--delay", "0"];
    let Some(terminal) = Terminal::run(&format!("'{PROGRAM}' {}", arguments.join(" "))) else {
        return;
    };
    terminal.wait("Your stake", None);
    terminal.keys(&["?"]);
    terminal.wait("Help", None);
    terminal.keys(&["Escape"]);
    terminal.wait("Enter pays", None);
    terminal.keys(&["l"]);
    terminal.wait("Log ·", None);
    terminal.keys(&["x", "v"]);
    terminal.wait("1024 sampled deals", None);
    terminal.keys(&["v", "h"]);
    terminal.wait("Hint (net:champion+pimc:200): ", None);
    // Back to the usual ante.
    terminal.keys(&["e", "Enter"]);
    terminal.wait("Your lead", None);
    terminal.keys(&["u"]);
    terminal.wait("Your stake", None);
    terminal.tmux(&["resize-window", "-x", "60", "-y", "20"]);
    terminal.wait("enlarge it to 80 × 24", None);
    terminal.tmux(&["resize-window", "-x", "120", "-y", "40"]);
    terminal.wait("╭ Log ─", None);
    let screen = terminal.wait("END 0", Some("Enter"));
    let expected = standing_in_lines(&arguments, terminal.folder.path());
    assert_eq!(standing(&screen), expected);
    assert_eq!(expected.lines().count(), 4);
}

#[test]
fn an_interrupt_gives_the_terminal_back() {
    let command = format!("'{PROGRAM}' play --seed 7 --against stopper");
    let Some(terminal) = Terminal::run(&command) else { return };
    terminal.wait("Your stake", None);
    terminal.keys(&["C-c"]);
    let screen = terminal.wait(" echo ", None);
    assert!(screen.contains("You leave in deal 1"), "{screen}");
    assert!(screen.contains("END 0") && screen.contains(" icanon"), "{screen}");
    assert_eq!(terminal.modes(), SHELL);
}

#[test]
fn what_a_program_complains_of_is_shown_at_the_table() {
    let complains = format!("(sleep 1; echo complaint $((40 + 2)) >&2) & exec '{PROGRAM}' engine");
    let agent = format!("exec:[\"sh\",\"-c\",\"{complains}\"]");
    let name = agent.replace('\'', "'\\''");
    let command = format!("'{PROGRAM}' play --players 3 --seed 7 --against '{name}'");
    let Some(terminal) = Terminal::run(&command) else { return };
    let screen = terminal.wait("complaint 42", None);
    assert!(screen.contains("deal 1 of 10"), "{screen}");
    let screen = terminal.wait("Your stake", None);
    assert!(screen.lines().next().unwrap().contains("deal 1 of 10"), "{screen}");
    terminal.keys(&["l"]);
    let screen = terminal.wait("Log ·", None);
    assert!(screen.contains("│ sh: complaint 42"), "{screen}");
}

#[test]
fn a_failure_is_told_on_the_terminal_and_not_on_the_table() {
    // A program that ends after its hello.
    let agent = format!("exec:[\"sh\",\"-c\",\"head -n 1 | {PROGRAM} engine\"]");
    let command =
        format!("'{PROGRAM}' play --players 3 --seed 7 --on-fault stop --against '{agent}'");
    let Some(terminal) = Terminal::run(&command) else { return };
    let screen = terminal.wait(" echo ", None);
    assert!(screen.contains("error: agent") && screen.contains("END 1"), "{screen}");
    assert!(screen.contains("it has ended") && screen.contains(" icanon"), "{screen}");
}

#[test]
fn narrow_terminals_and_plain_have_lines() {
    let command = format!("'{PROGRAM}' play --plain --seed 7 --against stopper");
    let Some(terminal) = Terminal::run(&command) else { return };
    let screen = terminal.wait("At any question", None);
    assert!(!screen.contains('╭'), "{screen}");
    let command =
        format!("stty cols 79\n'{PROGRAM}' watch --seed 7 --delay 0 --deals 1 --agents stopper");
    let Some(terminal) = Terminal::run(&command) else { return };
    let screen = terminal.wait("Final standing", None);
    assert!(!screen.contains('╭'), "{screen}");
}
