//! `newmarket web`: the page, on this computer's own address.

mod answer;
mod files;
mod kinds;
mod page;
mod request;
mod server;

use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;

use page::Page;

use crate::failure::{At, Failure, Result};
use crate::numbers::whole;
use crate::{interrupt, terminal};

/// Where a page is looked for if none is built in.
const DIST: &str = "web/dist";

/// Serve the page, on which all games are played in a browser.
///
/// Only this computer can reach it (127.0.0.1). Everything runs in the browser; nothing is sent
/// anywhere. Ctrl-C stops.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  newmarket web\n  \
                        newmarket web --port 0                # any port that is free\n  \
                        newmarket web --dist web/dist         # a page just built, not the one inside\n\n\
                        Release binaries have the page inside. In a clone, `web/build` makes it (needs \
                        Node): it is\nread from web/dist below the current folder, and the next build of \
                        the program has it inside.\nAny server of static files serves web/dist as well.")]
pub(crate) struct WebArgs {
    /// The port on 127.0.0.1; 0 takes one that is free.
    #[arg(long, value_name = "P", default_value_t = 8151, value_parser = whole::<u16>(0..=u16::MAX.into()))]
    port: u16,
    /// Serve the page in this folder, as it is when the program starts.
    #[arg(long, value_name = "DIR")]
    dist: Option<PathBuf>,
}

impl WebArgs {
    pub(crate) fn run(self) -> Result {
        let page = match (&self.dist, Page::built_in()) {
            (Some(dist), _) => files::read(dist)?,
            (None, Some(page)) => page,
            (None, None) => files::read(DIST.as_ref()).map_err(no_page)?,
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).at(format!(
            "cannot listen on 127.0.0.1:{}: choose another --port, or 0 for one that is free",
            self.port
        ))?;
        let port = listener.local_addr()?.port();
        // Nothing is ever half done here: to stop is how it ends.
        interrupt::on(|| std::process::exit(0))?;
        terminal::print(format!("http://127.0.0.1:{port}/   (Ctrl-C stops)"))?;
        server::serve(&listener, &page.into(), port)
    }
}

/// There is no page at all.
fn no_page(why: Failure) -> Failure {
    match why {
        Failure::User(_) => Failure::user(
            "this program was compiled without the page, and there is none in web/dist: \
             `web/build` in a clone makes it (needs Node)",
        ),
        why => why,
    }
}
