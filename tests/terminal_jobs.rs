//! Commands on the whole screen that a shell stops, resumes and interrupts, in tmux, if there is one.
#![cfg(unix)]

mod runs;
mod tmux;

use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use runs::{finish, small};
use tmux::{PROGRAM, SCREEN, SHELL, Terminal};

/// A shell with job control in which a command runs as a job. Its process number is in the file `pid`.
fn in_a_shell(arguments: &str) -> Option<Terminal> {
    let terminal = Terminal::run("PS1='READY$ ' bash --norc --noprofile -i")?;
    terminal.wait("READY$", None);
    let pid = terminal.file("pid").display().to_string();
    let line = format!("sh -c 'echo $$ > {pid}; exec \"{PROGRAM}\" {arguments}'");
    terminal.tmux(&["send-keys", "-l", &line]);
    terminal.keys(&["Enter"]);
    Some(terminal)
}

fn signal(terminal: &Terminal, name: &str) {
    let pid = fs::read_to_string(terminal.file("pid")).unwrap();
    assert!(Command::new("kill").args(["-s", name, pid.trim()]).status().unwrap().success());
}

/// Waits for modes of the terminal.
fn becomes(terminal: &Terminal, modes: &str, why: &str) {
    let begun = Instant::now();
    while terminal.modes() != modes {
        let screen = terminal.screen();
        assert!(begun.elapsed() < Duration::from_secs(20), "{why}: {}: {screen}", terminal.modes());
        sleep(Duration::from_millis(20));
    }
}

/// Waits for the shell after a command: what is typed before may be lost with what the command leaves unread.
fn prompts(terminal: &Terminal, why: &str) {
    let begun = Instant::now();
    while !terminal.screen().trim_end().ends_with("READY$") {
        let screen = terminal.screen();
        assert!(begun.elapsed() < Duration::from_secs(20), "{why}: no prompt: {screen}");
        sleep(Duration::from_millis(20));
    }
}

/// Asks the shell for the modes of the terminal, by a command whose name is not in its answer.
fn shell_reads_lines(terminal: &Terminal, why: &str) {
    terminal.keys(&["clear; stty -a | grep -o ' icanon\\| echo '; echo 4$((1+1))", "Enter"]);
    let screen = terminal.wait("42", None);
    assert!(screen.contains(" icanon") && screen.contains(" echo"), "{why}: {screen}");
}

/// Stops a command in each way, and resumes it. On its screen is `shown`; the key `help` shows a text, and the key
/// `back` leads back.
fn stops_and_goes_on(arguments: &str, screen: &str, shown: &str, [help, text, back]: [&str; 3]) {
    let Some(terminal) = in_a_shell(arguments) else { return };
    terminal.wait(shown, None);
    for way in ["C-z", "TSTP", "STOP", "C-z"] {
        match way {
            "C-z" => terminal.keys(&[way]),
            signalled => signal(&terminal, signalled),
        }
        terminal.wait("Stopped", None);
        if way != "STOP" {
            becomes(&terminal, SHELL, way);
        }
        shell_reads_lines(&terminal, way);
        terminal.keys(&["fg", "Enter"]);
        becomes(&terminal, screen, way);
        // All is drawn again, keys are obeyed, and what is typed is not shown.
        terminal.wait(shown, None);
        terminal.keys(&[help]);
        terminal.wait(text, None);
        terminal.keys(&[back]);
        terminal.wait(shown, None);
    }
    terminal.keys(&["C-c"]);
    terminal.wait("READY$", None);
    becomes(&terminal, SHELL, "C-c");
}

/// Ends a command by each signal.
fn ends(arguments: &str, shown: &str) {
    for name in ["TERM", "HUP", "INT", "QUIT"] {
        let Some(terminal) = in_a_shell(arguments) else { return };
        terminal.wait(shown, None);
        signal(&terminal, name);
        becomes(&terminal, SHELL, name);
        prompts(&terminal, name);
        shell_reads_lines(&terminal, name);
    }
}

/// A finished run.
fn run() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    finish(&small(&folder.path().join("run"), &["run.updates=4".into()]));
    folder
}

const PLAY: &str = "play --seed 7 --against stopper";

#[test]
fn a_table_stops_and_goes_on() {
    stops_and_goes_on(PLAY, SCREEN, "Your stake", ["?", "Help", "Escape"]);
}

#[test]
fn a_table_gives_the_terminal_back() {
    ends(PLAY, "Your stake");
    ends("watch --seed 7 --agents stopper --delay 60000", "deal 1 of");
}

#[test]
fn a_monitor_stops_and_goes_on() {
    let run = run();
    let arguments = format!("monitor {}", run.path().join("run").display());
    // It wants no reports of the mouse.
    stops_and_goes_on(&arguments, "010", "finished", ["?", "Keys and reading", "Escape"]);
}

#[test]
fn a_monitor_gives_the_terminal_back() {
    let run = run();
    ends(&format!("monitor {}", run.path().join("run").display()), "finished");
}

#[test]
fn a_monitor_tells_that_its_folder_has_gone() {
    let run = run();
    let (place, away) = (run.path().join("run"), run.path().join("away"));
    let Some(terminal) = in_a_shell(&format!("monitor {}", place.display())) else { return };
    terminal.wait("finished", None);
    fs::rename(&place, &away).unwrap();
    terminal.wait("moved or deleted", None);
    fs::rename(&away, &place).unwrap();
    terminal.wait("finished", None);
}

/// What is shown ends with its terminal, also where it was told to ignore that.
#[test]
fn nothing_outlives_its_terminal() {
    let run = run();
    let monitor = format!("monitor {}", run.path().join("run").display());
    for (arguments, shown) in [(&monitor[..], "finished"), (PLAY, "Your stake")] {
        for ignores in ["", "trap '' HUP; "] {
            let pid = run.path().join("pid");
            let command = format!("echo $$ > {}; exec \"{PROGRAM}\" {arguments}", pid.display());
            let Some(terminal) = Terminal::run(&format!("{ignores}sh -c '{command}'")) else {
                return;
            };
            terminal.wait(shown, None);
            let pid = fs::read_to_string(&pid).unwrap();
            let alive =
                || Command::new("kill").args(["-0", pid.trim()]).output().unwrap().status.success();
            assert!(alive());
            terminal.tmux(&["kill-server"]);
            let begun = Instant::now();
            while alive() {
                assert!(begun.elapsed() < Duration::from_secs(20), "{ignores}{arguments}");
                sleep(Duration::from_millis(20));
            }
        }
    }
}
