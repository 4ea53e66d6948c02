//! Words that lower the confidence of what is said: the candidates for a model's second look.

use std::sync::LazyLock;

use eval_spec::gap::SignalKind;
use regex::{Captures, Regex};

use super::signal::{GapSignal, SignalDetector, of_sentences, parts};
use crate::conversation::Conversation;
use crate::prose::pattern;

/// See [`SIGNALS`](super::SIGNALS).
pub(super) const DETECTOR: SignalDetector = SignalDetector { kind: SignalKind::Hedging, detect };

/// Words about what the speaker knows.
static DOUBT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(not|n't)( be)?( yet| entirely| completely| fully| quite| really| totally| 100 ?%| so| at all)* (sure|certain|confident|clear|aware)\b",
        r"|\b(unsure|uncertain|unclear|unverified|unconfirmed|unknown to (me|us)|no idea|open question|hard to (say|tell|know|be (sure|certain))|tentative(ly)?)\b",
        r"|\b(insufficient|not enough|too little|lack(s|ing)?( of)?( enough| sufficient)?|no|without( enough| sufficient)?|limited) (information|evidence|context|data|details?|documentation|visibility)\b",
        r"|n['o]?t (have|find|contain|include|see) (enough|sufficient|any|the)( \w+)? ?(information|context|details?|evidence|documentation|data|access|visibility)",
        r"|\b(i|we|you|someone|somebody)('ll|'d| will| would| still| also)* (need|have|must|should|ought)( to)?( still)? (verify|double-?check|confirm)\b|\b(needs?|has|have|remains?|must|should|still) to be (verified|double-?checked|confirmed|checked)\b",
        r"|(^|[,;:(\u{2014}-] ?)(still |will |would |also )*need(s|ed)? to (verify|confirm|double-?check)\b|\bneeds? (verification|confirmation|checking|verifying|confirming)\b|\b(verification|confirmation) (is |still )*needed\b|\bnot (yet )?(been )?(verified|confirmed)\b",
        r"|\b(can(not|'?t)|could(n'?t| not)|(was|were|am|are|is)( not|n'?t)? ?(un)?able to|no way to|impossible to|unable to)( (be|fully|reliably|independently|really|quite))* ?(to )?(confirm|verif|determine|establish|ascertain|find out|tell|say|be (sure|certain)|rule out|know)\w*",
        r"|\bi( really| honestly| simply| still)? ?(do not|don't|didn't)( actually| really| yet)? know\b|\b(as far as|to the best of|to my) (i |my )?(know(ledge)?|can tell)|\bif i (recall|remember)|\b(my|best|educated|only|just|'m|i|a) guess(ing)?\b|\bguess(es|work)\b|\bspeculat\w+",
        r"|\b(i|we) (haven't|have not|didn't|did not) (been able to |actually |yet |explicitly |fully |independently )*(verif|double-check|check|confirm|test)\w*|\b(could|might|may) (well )?be (wrong|mistaken|outdated)\b|\b(can't|cannot) (guarantee|vouch|promise)\b|\bno way (of knowing|to know)\b|\bfrom memory\b",
        r"|\b(do|does|did)(n't| not) (say|mention|specify|state|show|tell (us|me)|reveal) (whether|which|who|how|what|when|where|why|if)\b",
        r"|(没有?|未)(说明?|写明?|提到?|提及|记载|注明|交代)[^，。；]{0,10}(是否|谁|哪|什么|多少|几|何|怎)|查不到|没查到|看不出|记不清|(不敢|不能|无法)保证|仅供参考|可能有(误|出入)",
        r"|不(太|是很|能|完全|敢|大|十分|很|够|怎么|甚|好|太能)?(确定|肯定|清楚|明确|把握|了解|好说|有把握)|(说|拿|吃|摸)不(准|定|透)|不好说|很?难(说|讲|以(判断|确定|断定))|没(有)?(什么|太大|十足)?(把握|底)|存疑|不详|无从(得知|知晓|判断|确认)|不得而知|(我|尚|还|并)不知道",
        r"|没有?(足够|充分|充足|相关|任何)(多)?(的)?(信息|资料|依据|证据|上下文|数据|文档|线索)|(信息|资料|依据|证据|上下文|数据|线索)(还|尚|仍|太|都)?(不(足|够|充分|全|完整)|太少|有限)|缺(少|乏)(足够|相关|必要|直接)?(的)?(信息|资料|依据|证据|上下文|文档)",
        r"|(需要?|有待|尚需|仍需|还需|还要|还得|待|建议|尚待|仍待)(进一步|再|另行|人工|和\w{1,8}|向\w{1,8}|与\w{1,8}|找\w{1,8})?(去|来)?(查证|核实|核对|确认|验证|考证|求证)|(无法|不能|没法|难以|未能|没能|未|尚未|还没有?|暂未|没)(完全|进一步|得到|再)?(确认|核实|查证|确定|证实|判断|验证|断定)",
        r"|猜测|推测|猜想|我猜|据我(所知|了解|推断)|印象(中|里)|凭(记忆|印象|经验)|(仅|只)(是|为)?估计"
    ))
});

/// Words that weaken a statement, of what is known or of what may happen.
static WEAK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(likely|presumably|probably|possibly|perhaps|maybe|supposedly|apparently)\b|\b(may|might|could) (well |also |not |still |already |just |actually |even |simply |only )*(be|have|come|live|use|sit|contain)\b|\bit('s| is) (also |quite |entirely )?possible\b|\bi('m| am)? (assum(e|ing)|suspect(ing)?|presum(e|ing)|suppose|believe)\b|\bmy (assumption|understanding)\b",
        r"|可能(是|为|在|会|有|由|就是|也|来自|已|需|不|还|存在|放在|写|用|对应)|大概|也许|或许|应该是|应该(在|由)|估计|多半|八成|想必|恐怕|疑似|大约是"
    ))
});

/// Words that are no doubt, although they hold such.
static NONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(no longer|not|never|nothing) ((just |only |merely )?(un(sure|certain|clear)|(a |mere )*guess\w*|speculat\w+|likely|tentative))|\bleave \w+ to guesswork\b|\b(flagged|marked|label+ed|classified|counted|treated|shown) as \w+|\b(was|were) (un(sure|certain|clear)|not (sure|certain))\b[^.;]* but\b|\bun(verified|confirmed) (accounts?|users?|emails?|addresses|senders?|domains?|devices?|orders?|requests?|payments?)\b|\bunlikely\b|\b(no|without|any) (uncertainty|guess\w*|doubt|speculation)|\bmake sure\b|\blet me (check|verify|confirm|look|see)\b",
        r"|\b(if|when|where|unless|whether) (you'?re|you are|(any|some)(one|thing) is|they are|he is|she is|we are|it is|it's)?( ever| still)? ?(unsure|uncertain|not sure|not certain|in doubt|unclear)|\b(more|most|less|least|equally|as|how|very) (likely|probable)\b",
        r"|\b(users?|they|he|she|people|nobody|everybody) (has|have|had) no idea\b|\b(instead of|rather than|without|stop)( \w+){0,2} guess\w*|\bopen questions?\b[^.;]*\b(resolved|answered|cleared|closed|settled)\b|\bi believe (i|we)('ve| have)\b|\btentatives? (d['eu]|de)|\b(do|does|did|will|would) not clear\b",
        r"|\b(no|without|lack(s|ing)?( of)?|not enough|limited|any) (data|context|details?|documentation) (loss|corruption|migrations?|changes?|menus?|switch\w*|types?|races?|leaks?|source|files?|layer|transfer|provider|manager|windows?|sharing|points?)\b|\bno data (was |were |is |has been )?(lost|sent|stored|collected|returned|to (display|show|load|process|send|return|import|export|migrate))\b",
        r"|\bestablish\w* (an? |the |any )?(\w+ ){0,3}(connection|session|link|socket|tunnel)s?\b|\bverify (an? |the )?(\w+ ){0,2}(certificates?|signatures?|checksums?)\b|\b(make|makes|made|making) (it|this|them) (unclear|hard to (say|tell|know))\b|\bpossibly (null|undefined|none|nil|unbound|uninitiali[sz]ed)\b",
        r"|\b(my|our|the) (initial |first |original |earlier |previous )?(assumption|understanding|guess|suspicion|speculation)s?\b[^.,;]*\b(was|were|is|proved|turned out|turns out)( to be)? (\w+ly )?(in)?(correct|wrong|right|confirmed|mistaken|valid|false|true)\b|\b(updat\w+|revis\w+|correct\w+|improv\w+|confirm\w*|deepen\w*) (my|our) (assumption|understanding|guess)s?\b|\byou('re| are| may| might| could) (likely |probably |possibly |perhaps |well )*(be )?(right|correct)\b",
        r"|没有?(任何)?(数据|上下文|信息)(丢失|损坏|泄[露漏]|迁移|变化|变更)|(我|之前|原先|先前|最初)的?(推测|猜测|猜想|估计|假设)(是)?(错|有误|不对|不正确|正确|没错|得到)|可能(是|会是)?(对|正确)的[^，。]{0,1}$",
        r"|(不(是|属于|再是|靠|凭|用|必|要|需要?|得|许|能)(在)?|并非|绝非|没有|杜绝|避免|而不是|而非)(任何)?(胡乱|凭空?)?(猜测|推测|猜想|猜|估计)|不再(不确定|不清楚)|(如果|若|如|假如|要是|万一|当)[^，。]{0,8}(不确定|不清楚|不知道|拿不准)|(无需|不需要|不必|不用)(再|进一步|另行)?(确认|核实|查证|验证)|(向|和|跟|与|请)(您|你|用户)们?(再|进一步)?(确认|核实)|(没有|无)(任何|什么|丝毫)?(不(确定|清楚|明)|(需要|有待|待)(再|进一步)?(确认|核实|查证|验证))|(昨天|之前|原本|原来|起初|一开始|先前)[^，。；]{0,8}(不(确定|清楚|知道)|没把握)|有[^，。；]{0,6}不(清楚|明白|懂)[^，。；]{0,8}随时|(无法|不能|未能)[^，。；]{0,16}时[，,]|待(验证|检验)的假[设说]|未经?(验证|确认)的(账号|账户|用户|邮箱|订单|请求|设备|域名|地址|付款)|不确定度|[更最越较]有?可能|不知道(你|您)|已(经)?(确认|核实|查证|验证)|(验证|校验|确认|核实|核对)(校验|签名|码|令牌|密码|身份|权限|邮箱|输入|参数|证书)|可能(是|为)(空|零|负|null|None|0)"
    ))
});

/// Sentences about what people do, what the future brings, and what the user may want.
static OTHER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(users?|customers?|visitors?|agenc(y|ies)|drivers?|enterprises?|buyers?|shoppers?|patients?|students?|readers?|people|tenants?|guests?|subscribers?|merchants?|clients|households?|competitors?|voters?)\b",
        r"|\b(in (the )?future|(next|upcoming|later|future) (major |minor )?(release|version|quarter|year|month|sprint|week)|eventually|someday|going forward|roadmap|forecast|scenario|hypothes[ie]s|suppose that)\b",
        r"|\bwould (presumably|probably|likely|perhaps|possibly) ([ac-z]|b[^e])|\bif [^,.;]{0,30}\b(possibly|perhaps|maybe|probably)|^(if it helps|if you (like|want|need|prefer|wish)|you (may|might|could) (want|like)|would you|happy to)|\bif (needed|you (need|want|like|prefer))\b",
        r"|用户|客户|顾客|访客|买家|商家|读者|司机|学生|企业|消费者|租户|会员|患者|竞品|竞争对手|人们",
        r"|(下一?个?|未来|将来|以后|下个|后续|今后)(大|小)?(版本|季度|月|年|几年|迭代)|未来|将来|今后|情景|场景(一|二|三|下)|假设|假说|如果(你|您)?(需要|想|愿意|希望|有需要)|(需要|愿意|想|方便)的话|不客气|有需要"
    ))
});

/// Marks of emphasis around words.
static EMPHASIS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\*+|\b_{1,3}|_{1,3}\b"));

/// A guess that is named as one: the first of several that are weighed.
static GUESS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\bmost likely (reason|cause|culprit|candidate|explanation|source|because|due)\b|\bit('s| is) (more|most|very|quite|highly) likely\b",
    )
});

/// Cases that are only thought of: a condition, a question within the sentence, what is permitted.
static CASE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^\W*(but |and |so |or |also,? )?(if|unless|in case)\b.*|^\W*(如果|若|假如|要是|一旦|万一).*",
        r"|\b(where|why|how|what|when|cases? in which) [^,.;:]{0,60}\b(may|might|could)( well| also| not| still)* (be|have|come|live|use|sit|contain)\b",
        r"|\bmay have (at most|at least|up to|no|one|zero|several|multiple|any)\b"
    ))
});

/// Advice: what is best, what will do.
static ADVICE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(best|better|simplest|easiest|safest|recommended) (approach|option|way|bet|choice|step|path|solution|practice)\b[^.;]*",
        r"|\b(should|can|could|must|you'll|we'll) (probably|likely|possibly|perhaps|maybe)\b|\b(probably|likely|perhaps|maybe)( it's| it is)?( not)? (best|worth|better|should|easier|safer|simpler|a good|an? (practical|better))\b",
        r"|\b(may|might|could)( also| well| not| just)* be (an? (good|bad|nice|better|bit)|better|best|worth|useful|helpful|necessary|needed|required|easier|simpler|tedious|slow|enough|something like|to \w+)\b"
    ))
});

/// Proposals, properties and the future: no guesses at a fact.
static PROPERTY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        // proposals, and what may serve
        r"(?i)\bcould (also |be |even |easily |later |further |just |simply |still |then )*be (further |better |easily |more easily )?(re)?(moved|used|usable|extended|expanded|improved|added|simplified|clarified|factored|placed|optimi[sz]ed|cached|extracted|merged|combined|shared|implemented|organi[sz]ed|grouped|named|split|shortened|reduced|enhanced|consolidated|automated|exposed|made|turned|parameteri[sz]ed|supported|introduced|considered|tightened|generali[sz]ed|unified|inlined|streamlined|updated|upgraded|converted|written|integrated)\b",
        r"|\b(we|you|i|one) could( also| just| simply| even| instead)* use\b|\b(may|might|could) (also |then |still )*have to\b|\b(may|might|could)( also| well)* be (relevant|applicable|of (interest|use|help)|related)( (for|here|as well)\b|[.:,) ]*$)|\bcould be:",
        // what it is like, beside something else
        r"|\b(may|might|could)( also| not| still)* be (\w+ly |a bit |a little |even |much )?(less|more|fewer|slower|faster|smaller|larger|bigger|greater|longer|shorter|higher|lower|harder|heavier|cheaper)\b|\b(may|might|could)( also)* have (\w+ ){0,2}(consequences?|side[ -]effects?|implications?|drawbacks?|downsides?)\b",
        // the first of many that aren't there yet, and what comes
        r"|\bany(thing|one|where)?\b[^,.;:]{0,40}?\b(may|might|could)( well| also| not| still)* (be|have|come|live|use|sit|contain)\b|\b(will|'ll|going to) (most )?(likely|probably|possibly|perhaps|presumably)\b|\b(likely|probably|possibly|perhaps) will\b",
        // how a plan is carried out
        r"|^\W*((first|now|next|then|also|and|so|finally)\W+)*(i'll|i will|i'm going to|i plan to|i'd|let me|let's|we'll|we will|the plan is to|my plan is to)\b[^.;]*[,(\u{2014}-] ?(most )?(likely|probably|possibly|perhaps|maybe) (by|via|with|through|using|as|in|on|into|under|from|to|\w+ing)\b",
        r"|(可能|或许|也许)(会|要)?(更|较|稍|略|比较)|任何[^，。；]{0,12}可能"
    ))
});

/// Possible events of a kind of thing: "one chunk may be split".
static GENERAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:an?|one|each|every|a single) (?:[\w-]+ ){1,3}(?:that |which )?(?:may|might|could)(?: also| not| still| only)* be (?:\w+ly )?([a-z]+ed|(?:split|sent|read|written|run|shown|given|taken|built|kept|drawn))\b",
    )
});

/// States, not what happens to a thing.
static STATE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(out-?dated|corrupt(ed)?|misconfigured|damaged|(un)?related|caused|(un)?used|undefined|mismatched|mistaken|misplaced|blocked|involved|expired|disabled|limited)$",
    )
});

/// What the agent goes on to check: a hypothesis.
static CHECKS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^\W*((first|now|next|then|ok|okay|so|and|also|great|good|alright)\W+)*(i'll|i will|i'm going to|i should|i'll have to|let me|let's|we'll|we will)\b(\W+\w+){0,3}?\W+",
        r"(check|look|search|examine|investigate|inspect|review|verify|confirm|find|list|read|see|explore|analy[sz]e|trace|debug|compare|test)(ing)?\b",
        r"|\b(so|and) (i'll|i will|let me|let's|we'll)( now| also| first)? (check|look|verify|confirm|inspect|investigate|see|test)\b"
    ))
});

/// Somebody or something else that can't tell: "the gate can't confirm a ticket", "Git can't tell".
static ACTOR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:\b(?:the|an?|each|every) (?:\w+ )?|(?:^|[^\w' ] ?|\b(?:and|but|so|because|since|as|that) ))(\w+) (?:can'?t|cannot|can not|couldn't|could not) (?:confirm|verify|determine|establish|tell)\b",
    )
});

/// Speakers, and texts that an agent has read: that they can't tell is the agent's doubt.
static SOURCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^((i|we|you|one|it|this|that|they|these|those|he|she|there|still|but|and|so|nobody|which|\w+ly|also|not)|(doc(ument(ation)?)?|log|file|code|repo(sitory)?|readme|note|data|evidence|record|source|page|table|histor|report|trace|spec(ification)?|text|output|archive|sheet|manual|guide|config(uration)?|changelog|list|map|receipt|drawing|test)(s|y|ies)?)$",
    )
});

fn detect(conversation: &Conversation) -> Vec<GapSignal> {
    of_sentences(SignalKind::Hedging, conversation, is_hedged)
}

/// Whether a sentence hedges: no question to the user.
fn is_hedged(sentence: &str) -> bool {
    parts(sentence).flat_map(of_colons).any(is_hedged_part)
}

/// Colons that introduce another sentence: what an agent says between calls is often on one line.
static COLON: LazyLock<Regex> = LazyLock::new(|| pattern(r":\s+\*{0,2}[A-Z]"));

fn of_colons(part: &str) -> Vec<&str> {
    let inner = COLON.find_iter(part).map(|colon| colon.start() + 1);
    let starts: Vec<usize> = std::iter::once(0).chain(inner).collect();
    let ends = starts.iter().skip(1).copied().chain([part.len()]);
    starts.iter().zip(ends).map(|(start, end)| part[*start..end].trim()).collect()
}

fn is_hedged_part(part: &str) -> bool {
    let part = &*EMPHASIS.replace_all(part, "");
    let rest = NONE.replace_all(part, " ");
    let rest = ACTOR.replace_all(
        &rest,
        |found: &Captures<'_>| {
            if SOURCE.is_match(&found[1]) { found[0].to_owned() } else { " ".to_owned() }
        },
    );
    let without = |text: &str| {
        let text = PROPERTY.replace_all(text, " ");
        let general =
            |matched: &Captures<'_>| if STATE.is_match(&matched[1]) { matched[0].to_owned() } else { " ".to_owned() };
        let text = GENERAL.replace_all(&text, general);
        ADVICE.replace_all(&CASE.replace_all(&text, " "), " ").into_owned()
    };
    let weak = |text: &str| WEAK.is_match(&without(text));
    DOUBT.is_match(&rest) || ((GUESS.is_match(part) || weak(&rest)) && !OTHER.is_match(part) && !CHECKS.is_match(part))
}
