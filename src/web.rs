//! `newmarket web`: serves the page, to this computer or to the local network.

mod answer;
mod door;
mod kinds;
mod lan;
mod page;
mod request;
mod server;

use std::io::{self, IsTerminal as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;

use door::{Door, Token};
use page::Page;

use crate::failure::{At, Failure, Result, cannot_write};
use crate::numbers::whole;
use crate::{interrupt, terminal};

/// The folder of the page if none is built in.
const DIST: &str = "web/dist";

/// Serve the browser page, on which all games can be played.
///
/// Only this computer can reach the page (127.0.0.1), unless --lan is given. Everything runs in the browser; nothing is
/// sent anywhere. Ctrl-C stops the server.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  newmarket web\n  \
                        newmarket web --lan                   # for the phones in this room, with a QR code\n  \
                        newmarket web --port 0                # any free port\n  \
                        newmarket web --dist web/dist         # a page just built, not the built-in one\n\n\
                        Released programs contain the page. In a clone, `web/build` builds it (needs \
                        Node): it is\nread from web/dist below the current folder, and the next build of \
                        the program contains it.\nAny other server of static files can serve web/dist, too.")]
pub(crate) struct WebArgs {
    /// The port; 0 for any free port.
    #[arg(long, value_name = "P", default_value_t = 8151, value_parser = whole::<u16>(0..=u16::MAX.into()))]
    port: u16,
    /// Serve phones and computers in the same network: at an address with a random path, and to nobody who does not
    /// have it. The connection is not encrypted, so browsers neither keep the page for use offline nor let it copy
    /// [default: this computer's address in the network that leads to others].
    #[arg(long, value_name = "ADDRESS", require_equals = true, num_args = 0..=1, default_missing_value = "",
          value_parser = lan::address)]
    lan: Option<IpAddr>,
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
        let place = SocketAddr::new(self.lan.unwrap_or(Ipv4Addr::LOCALHOST.into()), self.port);
        let own = if self.lan.is_some() { "an address of this computer and " } else { "" };
        let listener = TcpListener::bind(place).at(format!(
            "cannot listen on {place}: expected {own}another --port, or 0 for any free port"
        ))?;
        let place = listener.local_addr()?;
        let token = self.lan.map(|_| Token::random()).transpose()?;
        // The server has nothing to finish, so an interrupt is its normal end.
        interrupt::on(|| std::process::exit(0))?;
        let door = match token {
            None => {
                terminal::print(format!("http://{place}/   (Ctrl-C stops)"))?;
                Door::Here(place.port())
            }
            Some(token) => {
                invite(&format!("http://{place}/{token}/"))?;
                Door::Known(token)
            }
        };
        server::serve(&listener, page, door)
    }
}

/// Tells the address for others in the network, with its QR code on a terminal, and who can open it.
fn invite(url: &str) -> Result {
    terminal::warn(
        "warning: everybody in this network who has the address can open the page; it is sent without encryption",
    );
    terminal::print(format!("{url}   (Ctrl-C stops)"))?;
    if io::stdout().is_terminal() {
        writeln!(io::stdout(), "\n{}", lan::qr(url))
            .map_err(|error| cannot_write("standard output", error))?;
    }
    Ok(())
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
