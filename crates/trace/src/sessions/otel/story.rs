//! Spans → what happened, in the order of time, each thing once.

use std::collections::{HashMap, HashSet};

use eval_spec::call::{ToolCall, ToolOutput, ToolStatus};
use serde_json::Value;

use super::super::told::{loaded_by, outcome};
use super::super::{MessagePiece, SessionEvent, SessionInfo};
use super::messages::OtelMessage;
use super::spans::{OtelCall, OtelSpan, SpanWork, time};

/// How far up a span's parents are looked for.
const DEEPEST: usize = 64;

/// What a span tells at a time; of the same time, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Moment {
    Asked,
    Said,
    Called,
    Returned,
    AgentSaid,
}

pub(super) fn tell(spans: Vec<OtelSpan>, events: &mut Vec<SessionEvent>) {
    let spans = joined(spans);
    let mut moments: Vec<(i128, Moment, usize)> = Vec::new();
    for (place, span) in spans.iter().enumerate() {
        match span.work {
            SpanWork::Chat => moments.extend([(span.from, Moment::Asked, place), (span.to, Moment::Said, place)]),
            SpanWork::Agent => moments.extend([(span.from, Moment::Asked, place), (span.to, Moment::AgentSaid, place)]),
            SpanWork::Tool => moments.extend([(span.from, Moment::Called, place), (span.to, Moment::Returned, place)]),
            SpanWork::Other => {}
        }
    }
    moments.sort_unstable();
    let mut story = OtelStory::new(&spans, events);
    moments.into_iter().for_each(|(_, moment, place)| story.moment(moment, place));
}

/// Records are put to their spans.
fn joined(spans: Vec<OtelSpan>) -> Vec<OtelSpan> {
    let mut all: Vec<OtelSpan> = Vec::with_capacity(spans.len());
    let (records, spans): (Vec<_>, Vec<_>) = spans.into_iter().partition(|span| span.is_record);
    let mut places: HashMap<String, usize> = HashMap::new();
    for mut span in spans.into_iter().chain(records) {
        match places.get(&span.id).and_then(|&place| all.get_mut(place)) {
            Some(known) if span.is_record => {
                known.asked.append(&mut span.asked);
                known.said.append(&mut span.said);
            }
            // A span that was exported again.
            Some(_) => {}
            None => {
                places.insert(span.id.clone(), all.len());
                all.push(span);
            }
        }
    }
    all
}

struct OtelStory<'s, 'e> {
    spans: &'s [OtelSpan],
    events: &'e mut Vec<SessionEvent>,
    places: HashMap<&'s str, usize>,
    /// Traces whose requests have tokens.
    counted: HashSet<&'s str>,
    session: Option<&'s str>,
    /// What the user wrote, by conversation.
    asked: HashMap<&'s str, OtelPrompts<'s>>,
    /// The texts of the model that were seen, by trace.
    said: HashSet<(&'s str, &'s str)>,
    /// Calls by trace and id; `None` when the result was seen.
    calls: HashMap<(&'s str, String), Option<ToolCall>>,
}

impl<'s, 'e> OtelStory<'s, 'e> {
    fn new(spans: &'s [OtelSpan], events: &'e mut Vec<SessionEvent>) -> OtelStory<'s, 'e> {
        let is_counted = |span: &&OtelSpan| span.work == SpanWork::Chat && span.usage.is_some();
        OtelStory {
            spans,
            events,
            places: spans.iter().enumerate().map(|(place, span)| (span.id.as_str(), place)).collect(),
            counted: spans.iter().filter(is_counted).map(|span| span.trace.as_str()).collect(),
            session: None,
            asked: HashMap::new(),
            said: HashSet::new(),
            calls: HashMap::new(),
        }
    }

    fn moment(&mut self, moment: Moment, place: usize) {
        let spans = self.spans;
        let span = &spans[place];
        self.session(span);
        match (moment, &span.tool) {
            (Moment::Asked, _) => self.asked(span),
            (Moment::Said | Moment::AgentSaid, _) => self.said(span),
            (Moment::Called, Some(call)) => self.called(span, call),
            (Moment::Returned, Some(call)) => self.returned(span, call),
            _ => {}
        }
    }

    fn session(&mut self, span: &'s OtelSpan) {
        let id = span.conversation.as_deref().unwrap_or(&span.trace);
        let is_inner = span.conversation.is_none() && span.parent.is_some();
        if self.session == Some(id) || (is_inner && self.session.is_some()) {
            return;
        }
        self.session = Some(id);
        let info = SessionInfo { id: Some(id.to_owned()), version: span.version.clone(), ..SessionInfo::default() };
        self.events.push(SessionEvent::Info(info));
    }

    /// The spans above one, from the inside.
    fn above(&self, span: &'s OtelSpan) -> impl Iterator<Item = &'s OtelSpan> {
        let (spans, places) = (self.spans, &self.places);
        let up = |span: &&'s OtelSpan| {
            let place = *places.get(span.parent.as_deref()?)?;
            spans.get(place)
        };
        std::iter::successors(up(&span), move |span| up(span)).take(DEEPEST)
    }

    /// The call of the sub-agent that a span belongs to.
    fn parent(&self, span: &'s OtelSpan) -> Option<String> {
        self.above(span).find_map(|above| Some(call_id(above, above.tool.as_ref()?)))
    }

    /// What is new in a request: what the user wrote, and what calls returned.
    fn asked(&mut self, span: &'s OtelSpan) {
        for (id, given) in span.asked.iter().flat_map(|message| &message.results) {
            self.result(span, id, given, None, None, None);
        }
        if self.parent(span).is_some() {
            return;
        }
        let is_users = |message: &&OtelMessage| message.role == "user" && !message.text.trim().is_empty();
        let now: Vec<&str> = span.asked.iter().filter(is_users).map(|message| message.text.as_str()).collect();
        let new = self.asked.entry(span.conversation.as_deref().unwrap_or(&span.trace)).or_default().new_of(now);
        let prompt = |text: &str| SessionEvent::Prompt { id: None, at: time(span.from), text: text.to_owned() };
        self.events.extend(new.into_iter().map(prompt));
    }

    fn said(&mut self, span: &'s OtelSpan) {
        let is_agent = span.work == SpanWork::Agent;
        let is_below = || self.above(span).any(|above| above.work == SpanWork::Agent && above.usage.is_some());
        let usage = span.usage.filter(|_| !is_agent || !(self.counted.contains(span.trace.as_str()) || is_below()));
        let joined = |of: fn(&OtelMessage) -> &str| {
            let texts = span.said.iter().map(of).filter(|text| !text.is_empty());
            texts.collect::<Vec<_>>().join("\n")
        };
        let mut text = joined(|message| &message.text);
        // An agent's span says again what its last request said.
        if is_agent && span.said.iter().all(|message| self.said.contains(&(span.trace.as_str(), message.text.as_str())))
        {
            text.clear();
        }
        self.said.extend(span.said.iter().map(|message| (span.trace.as_str(), message.text.as_str())));
        let new =
            span.said.iter().flat_map(|message| &message.calls).filter(|(id, ..)| !self.is_known(span, id.as_deref()));
        let new: Vec<_> = new.cloned().collect();
        if is_agent && text.is_empty() && usage.is_none() && new.is_empty() {
            return;
        }
        let id = Some(span.response.clone().unwrap_or_else(|| span.id.clone()));
        self.events.push(SessionEvent::Message(MessagePiece {
            id: id.clone(),
            at: time(span.to),
            model: span.model.clone(),
            text,
            thinking: joined(|message| &message.thinking),
            usage,
            skill: None,
            parent: self.parent(span),
            lines: Vec::new(),
        }));
        for (number, (call, name, input)) in new.into_iter().enumerate() {
            let call = call.unwrap_or_else(|| format!("{}/{number}", span.id));
            self.call(span, id.clone(), call, name, input, span.to);
        }
    }

    fn is_known(&self, span: &'s OtelSpan, id: Option<&str>) -> bool {
        id.is_some_and(|id| self.calls.contains_key(&(span.trace.as_str(), id.to_owned())))
    }

    fn call(&mut self, span: &'s OtelSpan, message: Option<String>, id: String, name: String, input: Value, at: i128) {
        let parent = self.parent(span);
        let call = ToolCall { id, name, input, started_at: time(at), parent, ..ToolCall::default() };
        self.calls.insert((span.trace.as_str(), call.id.clone()), Some(call.clone()));
        self.events.push(SessionEvent::Call { message, call });
    }

    fn called(&mut self, span: &'s OtelSpan, call: &OtelCall) {
        let id = call_id(span, call);
        if !self.is_known(span, Some(&id)) {
            self.call(span, None, id, call.name.clone(), call.input.clone(), span.from);
        }
    }

    /// A span that ended without an error is a call that did what was asked.
    fn returned(&mut self, span: &'s OtelSpan, call: &OtelCall) {
        let given = call.result.clone().unwrap_or_default();
        self.result(span, &call_id(span, call), &given, Some(call.is_error), call.told, Some(span.to));
    }

    fn result(
        &mut self,
        span: &'s OtelSpan,
        id: &str,
        given: &str,
        is_error: Option<bool>,
        told: Option<ToolStatus>,
        at: Option<i128>,
    ) {
        let Some(mut call) = self.calls.get_mut(&(span.trace.as_str(), id.to_owned())).and_then(Option::take) else {
            return;
        };
        let (output, by_words) = outcome(&call.input, given, is_error);
        let is_error =
            matches!(told, Some(ToolStatus::Failed | ToolStatus::NotRun)) || (told.is_none() && output.is_error);
        let output = ToolOutput { is_error, ..output };
        let status = told.or(by_words);
        call.output = Some(output.clone());
        let at = time(at.unwrap_or(span.from));
        self.events.push(SessionEvent::Result { call: call.id.clone(), at, output, status });
        self.events.extend(loaded_by(&call));
    }
}

/// What the user wrote in a conversation, as far as requests have told it.
#[derive(Default)]
struct OtelPrompts<'s> {
    /// That of the last request.
    last: Vec<&'s str>,
    all: HashSet<&'s str>,
}

impl<'s> OtelPrompts<'s> {
    /// What is new in a request. One that goes on from the last one may have a text again; of any other, what was seen is not
    /// new.
    fn new_of(&mut self, now: Vec<&'s str>) -> Vec<&'s str> {
        let new = match now.strip_prefix(&self.last[..]) {
            Some(more) => more.to_vec(),
            None => now.iter().copied().filter(|text| !self.all.contains(text)).collect(),
        };
        self.all.extend(&new);
        self.last = now;
        new
    }
}

/// The id of a tool's call, or that of its span.
fn call_id(span: &OtelSpan, call: &OtelCall) -> String {
    call.id.clone().unwrap_or_else(|| span.id.clone())
}
