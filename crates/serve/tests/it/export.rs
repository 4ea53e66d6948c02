//! Exports to slow clients.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use eval_serve::http::{Patience, Turn, streamed};
use futures::StreamExt;
use tokio::sync::Semaphore;

fn endless(turn: Turn) -> Body {
    streamed(Some(turn), |to| {
        loop {
            to.write_all(&[b'x'; 64 << 10])?;
        }
    })
}

async fn turn(places: &Arc<Semaphore>, at_once: u64, in_all: u64) -> Turn {
    let permit = Arc::clone(places).acquire_owned().await.unwrap();
    let patience = Patience { at_once: Duration::from_millis(at_once), in_all: Duration::from_millis(in_all) };
    Turn { patience, permit }
}

#[tokio::test(flavor = "multi_thread")]
async fn client_that_receives_nothing_is_cut_for_the_next() {
    let places = Arc::new(Semaphore::new(1));
    let stalled = endless(turn(&places, 10, 60_000).await);
    // hangs if the stalled client holds the only place
    let next = turn(&places, 60_000, 60_000).await;
    drop(next);
    assert!(to_bytes(stalled, usize::MAX).await.is_err(), "an answer that is cut looks cut");
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_client_is_cut_after_a_while() {
    let places = Arc::new(Semaphore::new(1));
    let mut slow = endless(turn(&places, 60_000, 20).await).into_data_stream();
    let next = tokio::spawn({
        let places = Arc::clone(&places);
        async move { drop(turn(&places, 60_000, 60_000).await) }
    });
    while !next.is_finished() {
        let _ = slow.next().await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    next.await.unwrap();
}
