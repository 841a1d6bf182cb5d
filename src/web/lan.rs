//! The address in the local network, and its QR code.

use std::io;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};

use crossterm::style::{Color, Stylize};
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};

/// The address that was named; without a name, the one by which others in the network reach this computer.
pub(super) fn address(named: &str) -> Result<IpAddr, String> {
    if named.is_empty() {
        return way_out().map_err(|error| {
            format!(
                "this computer is in no network ({error}): connect it, or name one of its addresses"
            )
        });
    }
    let address: Option<IpAddr> = named.parse().ok();
    let address = address.filter(|address| !address.is_unspecified() && !address.is_multicast());
    address.ok_or_else(|| "expected an address of this computer, as 192.168.1.5".into())
}

/// The address of the interface that leads to other networks.
fn way_out() -> io::Result<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    // This only looks for a way: nothing is sent, and nobody has the address (RFC 5737).
    socket.connect((Ipv4Addr::new(198, 51, 100, 1), 9))?;
    Ok(socket.local_addr()?.ip())
}

/// The QR code of a text in lines of half blocks, black on white whatever colours the terminal has.
pub(super) fn qr(text: &str) -> String {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).expect("an address is short");
    let image = code.render::<Dense1x2>().build();
    let line = |line: &str| line.with(Color::Black).on(Color::White).to_string();
    image.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_square_with_a_margin_and_its_own_colours() {
        let code = qr("http://192.168.100.100:65535/0123456789abcdef/");
        let lines: Vec<&str> = code.lines().collect();
        // 29 modules, and four white ones on each side; two rows a line.
        assert_eq!(lines.len(), (29_usize + 8).div_ceil(2));
        for line in &lines {
            let drawn = |c: &char| matches!(c, ' ' | '▀' | '▄' | '█');
            // The rest is what sets and resets the colours.
            let text = line.split('m').find(|part| part.starts_with([' ', '▀', '▄', '█'])).unwrap();
            assert_eq!(text.chars().take_while(drawn).count(), 29 + 8, "{line:?}");
            assert!(line.starts_with('\u{1b}') && line.ends_with('m'), "{line:?}");
        }
        assert_ne!(code, qr("http://192.168.100.100:65535/0123456789abcdeg/"));
    }

    #[test]
    fn an_address_that_nobody_can_open_is_refused() {
        for good in ["127.0.0.2", "192.168.1.5", "::1", "fe80::1"] {
            assert_eq!(address(good), Ok(good.parse().unwrap()), "{good}");
        }
        for bad in ["0.0.0.0", "::", "224.0.0.1", "localhost", "192.168.1", "192.168.1.5:80"] {
            assert!(address(bad).is_err(), "{bad}");
        }
    }
}
