//! `llm.temperature`: the sampling temperature of the judge.

use std::sync::Arc;

use eval_spec::{BoxFuture, Call, CallPrice, ExecError, Executor, Identity, Output};

struct At {
    inner: Arc<dyn Executor>,
    temperature: f64,
}

/// `inner`, asked at this temperature; at its own without one.
pub(super) fn at(inner: Arc<dyn Executor>, temperature: Option<f64>) -> Arc<dyn Executor> {
    match temperature {
        Some(temperature) => Arc::new(At { inner, temperature }),
        None => inner,
    }
}

impl Executor for At {
    fn identity(&self) -> &Identity {
        self.inner.identity()
    }

    fn price(&self, call: &Call) -> CallPrice {
        self.inner.price(call)
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            let mut call = call.clone();
            call.generation.temperature = Some(self.temperature);
            self.inner.call(&call).await
        })
    }
}
