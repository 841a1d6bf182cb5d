//! `newmarket web`: serves the page on the loopback address.

mod answer;
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

/// The folder of the page if none is built in.
const DIST: &str = "web/dist";

/// Serve the browser page, on which all games can be played.
///
/// Only this computer can reach the page (127.0.0.1). Everything runs in the browser; nothing is sent anywhere. Ctrl-C
/// stops the server.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  newmarket web\n  \
                        newmarket web --port 0                # any free port\n  \
                        newmarket web --dist web/dist         # a page just built, not the built-in one\n\n\
                        Released programs contain the page. In a clone, `web/build` builds it (needs \
                        Node): it is\nread from web/dist below the current folder, and the next build of \
                        the program contains it.\nAny other server of static files can serve web/dist, too.")]
pub(crate) struct WebArgs {
    /// The port on 127.0.0.1; 0 for any free port.
    #[arg(long, value_name = "P", default_value_t = 8151, value_parser = whole::<u16>(0..=u16::MAX.into()))]
    port: u16,
    /// Serve the page in this folder, as it is at the start.
    #[arg(long, value_name = "DIR")]
    dist: Option<PathBuf>,
}

impl WebArgs {
    pub(crate) fn run(self) -> Result {
        let page = match (&self.dist, Page::built_in()) {
            (Some(dist), _) => Page::in_folder(dist)?,
            (None, Some(page)) => page,
            (None, None) => Page::in_folder(DIST.as_ref()).map_err(no_page)?,
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).at(format!(
            "cannot listen on 127.0.0.1:{}: choose another --port, or 0 for any free port",
            self.port
        ))?;
        let port = listener.local_addr()?.port();
        // The server has nothing to finish, so an interrupt is its normal end.
        interrupt::on(|| std::process::exit(0))?;
        terminal::print(format!("http://127.0.0.1:{port}/   (Ctrl-C stops)"))?;
        server::serve(&listener, &page.into(), port)
    }
}

/// The failure without any page.
fn no_page(why: Failure) -> Failure {
    match why {
        Failure::User(_) => Failure::user(
            "this program was compiled without the page, and there is none in web/dist: \
             `web/build` in a clone builds it (needs Node)",
        ),
        why => why,
    }
}
