//! Commands that go on with a run name it: who copies them may have made other runs since.

use eval_format::Report;
use eval_message::Lang;
use eval_render::formats::formats_of;
use eval_render::{Show, brief_text, summary_text};
use eval_spec::Failure;

use crate::world::{Came, World, fact};

/// A run in which too much failed, so that the advice is to go on with it.
fn failed() -> Report {
    World::new(10, &["v1", "v2"], 1, |at| if at.sample < 4 { Came::Failed(Failure::Server) } else { fact(true) })
        .report()
}

fn files(report: &Report, lang: Lang) -> Vec<(String, String)> {
    let text = |format: &eval_render::formats::FormatSpec| {
        let mut bytes = Vec::new();
        format.render(report, Show::file(lang), &mut bytes).unwrap();
        (format.name.to_owned(), String::from_utf8(bytes).unwrap())
    };
    let mut all: Vec<(String, String)> = formats_of::<Report>().map(text).collect();
    all.push(("brief".to_owned(), brief_text(report, Show::file(lang), None)));
    all.push(("summary".to_owned(), summary_text(report, Show::file(lang), None)));
    all
}

#[test]
fn advice_names_the_run_by_its_id_wherever_people_read_it() {
    let report = failed();
    let command = format!("omk eval --resume {}", report.id);
    for lang in [Lang::En, Lang::Zh] {
        for (name, text) in files(&report, lang) {
            // what programs read has the message's key
            if matches!(&*name, "json" | "jsonl" | "csv" | "otel" | "otel-logs" | "atif" | "gitlab") {
                continue;
            }
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(!text.contains("--resume latest"), "{name}: {text}");
            assert!(text.contains(&command), "{name}: {text}");
        }
    }
}

#[test]
fn an_edited_id_gets_into_no_command() {
    let mut report = failed();
    for id in ["x; rm -rf ~", "$(id)", "--executor", "a`b", "", "\u{202e}x"] {
        report.id = id.to_owned();
        let text = summary_text(&report, Show::file(Lang::En), None);
        assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains("--resume latest"), "{id}: {text}");
    }
}
