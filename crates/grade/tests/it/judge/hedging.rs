//! Sentences that may hedge.

use eval_grade::internals::hedging_request;
use eval_grade::{check_hedging, hedging_question};
use eval_spec::{Call, Output};

use crate::judge::call;

fn hedging_call(sentence: &str, context: &str) -> (String, Call) {
    let request = hedging_request(sentence, context);
    (request.id.clone(), call(request))
}

#[test]
fn a_sentence_is_one_question_wherever_it_stands() {
    let asked = |call: &Call| hedging_question(call).prompt;
    let question = |context| asked(&hedging_call("I'm not sure.", context).1);
    assert_eq!(question("Before. I'm not sure. After."), question("I'm not sure."));
    assert_ne!(question(""), asked(&hedging_call("I am not sure.", "").1));
    let other_form = |of: Call| Call { prompt: of.prompt.replace("confidence", "certainty").into(), ..of };
    assert_ne!(question(""), asked(&other_form(hedging_call("I'm not sure.", "").1)));
}

#[test]
fn only_the_whole_form_with_the_id_of_the_request_is_a_verdict() {
    let (id, call) = hedging_call("可能是 A，但不确定。", "");
    assert!(call.system.as_deref().is_some_and(|system| system.contains("知识或事实")));
    let usable = |text: &str| check_hedging(&call, &Output::text(text)).is_ok();
    let verdict = |id: &str, uncertain: &str, confidence: &str, reason: &str| {
        format!(r#"{{"id":"{id}","reason":{reason},"isUncertainty":{uncertain},"confidence":{confidence}}}"#)
    };
    assert!(usable(&verdict(&id, "true", "0.9", "\"r\"")) && usable(&verdict(&id, "false", "1", "\"r\"")));
    for bad in [
        verdict("ba9876543210", "true", "0.9", "\"r\""),
        verdict(&id, "\"no\"", "0.9", "\"r\""),
        verdict(&id, "true", "1.1", "\"r\""),
        verdict(&id, "true", "\"high\"", "\"r\""),
        verdict(&id, "true", "0.9", "\" \""),
        verdict(&id, "false", "0.9", "\"r\"").replace("}", ",\"isUncertainty\":true}"),
        "not hedging".to_owned(),
    ] {
        assert!(!usable(&bad), "{bad}");
    }
}
