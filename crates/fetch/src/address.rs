//! Tells public addresses from others; a resolver that returns only public ones.

use std::error::Error;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// An address that is not public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateAddress {
    pub host: String,
    pub address: IpAddr,
}

impl fmt::Display for PrivateAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is {}, which is not public", self.host, self.address)
    }
}

impl Error for PrivateAddress {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownHost(pub String);

impl fmt::Display for UnknownHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no address of `{}` is known", self.0)
    }
}

impl Error for UnknownHost {}

/// Resolves host names; fails if any address is not public, unless that is allowed. The client connects to the
/// addresses returned here, so a later DNS answer can't lead elsewhere.
pub(crate) struct HostLookup {
    pub(crate) allow_private: bool,
    /// Host of the user's proxy: its address needn't be public.
    pub(crate) proxy: Option<String>,
}

impl Resolve for HostLookup {
    fn resolve(&self, name: Name) -> Resolving {
        let is_any = self.allow_private || self.proxy.as_deref() == Some(name.as_str());
        Box::pin(async move {
            let addresses = match is_any {
                true => addresses(name.as_str()).await?,
                false => lookup(name.as_str()).await?,
            };
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

/// Returns the addresses of a host name, or [`PrivateAddress`] if one of them isn't public.
pub async fn lookup(host: &str) -> Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>> {
    let addresses = addresses(host).await?;
    match addresses.iter().find(|address| !is_public(address.ip())) {
        Some(address) => Err(Box::new(PrivateAddress { host: host.to_owned(), address: address.ip() })),
        None => Ok(addresses),
    }
}

async fn addresses(host: &str) -> Result<Vec<SocketAddr>, UnknownHost> {
    let addresses: Vec<_> = tokio::net::lookup_host((host, 0)).await.map(Iterator::collect).unwrap_or_default();
    match addresses.is_empty() {
        true => Err(UnknownHost(host.to_owned())),
        false => Ok(addresses),
    }
}

/// Returns `true` for names that only resolve on this machine or its local network (RFC 6761, 6762, 8375, and
/// `internal`).
pub fn is_local_name(host: &str) -> bool {
    const ZONES: [&str; 4] = ["localhost", "local", "internal", "home.arpa"];
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let is_below = |zone: &str| host.strip_suffix(zone).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    !host.contains('.') || ZONES.iter().any(|zone| is_below(zone))
}

/// Returns `true` for addresses of the public internet: not local, private or reserved.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Follows the registries of special-purpose addresses (RFC 6890).
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = match (a, b, c) {
        // This network; private; loopback; multicast and reserved.
        (0 | 10 | 127 | 224..=255, ..)
        // Shared (CGNAT), link-local, private.
        | (100, 64..=127, _) | (169, 254, _) | (172, 16..=31, _) | (192, 168, _)
        // Protocol assignments, documentation, the old relay of 6to4.
        | (192, 0, 0 | 2) | (198, 51, 100) | (203, 0, 113) | (192, 88, 99)
        // Benchmarks.
        | (198, 18..=19, _) => true,
        _ => false,
    };
    // Azure's metadata for virtual machines.
    !is_special && address != Ipv4Addr::new(168, 63, 129, 16)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = embedded(address) {
        return is_public_v4(inner);
    }
    let [first, second, ..] = address.segments();
    // Only 2000::/3 is assigned to the public; in it are documentation, benchmarks and other special uses.
    let is_unicast = (0x2000..0x4000).contains(&first);
    let is_special = (first == 0x2001 && (second < 0x0200 || second == 0x0db8)) || (first == 0x3fff && second < 0x1000);
    is_unicast && !is_special
}

/// Returns the IPv4 address inside an IPv6 address: mapped, compatible, translated (NAT64), or tunnelled (6to4).
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let v4 = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        Ipv4Addr::new(a, b, c, d)
    };
    match address.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(v4(high, low)),
        [0x2002, high, low, ..] => Some(v4(high, low)),
        _ => None,
    }
}
