//! Public and private addresses.

use eval_fetch::internals::{PrivateAddress, UnknownHost, is_local_name, is_public, lookup};

#[test]
fn only_public_addresses_are_public() {
    for public in [
        "1.1.1.1",
        "8.8.8.8",
        "100.63.255.255",
        "100.128.0.0",
        "172.15.0.1",
        "172.32.0.1",
        "192.167.1.1",
        "198.20.0.1",
        "168.63.129.17",
        "223.255.255.255",
        "2606:4700::1111",
        "2a00:1450:4001::200e",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "2002:808:808::1",
    ] {
        assert!(is_public(public.parse().unwrap()), "{public}");
    }
    for private in [
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.8.8.8",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.1",
        "168.63.129.16",
        "192.168.0.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.1.1.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:168.63.129.16",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::1",
        "2001::1",
        "2001:db8::1",
        "fc00::1",
        "fd12::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "100::1",
        "3fff::1",
        "5f00::1",
    ] {
        assert!(!is_public(private.parse().unwrap()), "{private}");
    }
}

#[test]
fn local_names_are_recognised() {
    for local in [
        "localhost",
        "localhost.",
        "LOCALHOST..",
        "foo.localhost.",
        "vm",
        "printer.local",
        "metadata.google.internal",
        "nas.home.arpa.",
        "internal",
        "",
    ] {
        assert!(is_local_name(local), "{local}");
    }
    for other in
        ["example.com", "example.com.", "notlocalhost.example", "mylocal.com", "internal.example.com", "arpa.x"]
    {
        assert!(!is_local_name(other), "{other}");
    }
}

#[tokio::test]
async fn a_name_without_an_address_is_an_unknown_host() {
    let error = lookup("nothing.invalid").await.unwrap_err();
    assert_eq!(error.downcast_ref(), Some(&UnknownHost("nothing.invalid".to_owned())));
}

#[tokio::test]
async fn names_of_this_machine_are_rejected() {
    let error = lookup("localhost").await.unwrap_err();
    let private = error.downcast_ref::<PrivateAddress>().unwrap();
    assert_eq!(private.host, "localhost");
    assert!(private.address.is_loopback());
}
