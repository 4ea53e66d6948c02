//! Neutral text of the length and structure of an artifact: the same headings, lists, tables and code blocks, in the same
//! language, filled with words about something else. If a treatment isn't better than that, its content isn't what helps.

use std::iter::{Cycle, Peekable};
use std::str::{Chars, SplitWhitespace};

use eval_spec::variant::{Artifact, ArtifactFile, ArtifactKind};

/// The language of a text, as far as there is neutral text in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    Chinese,
    /// English stands for it.
    Other,
}

/// Of 100 words of English prose, about 40 are among these; of instructions, at least 10.
const COMMON: &[&str] = &[
    "the", "a", "an", "of", "to", "and", "in", "is", "it", "that", "for", "on", "with", "as", "be", "by", "or", "not",
    "are", "this", "if", "at", "from", "when", "all", "your", "you", "do", "no", "use", "each", "any", "only",
];

impl Language {
    pub fn of(text: &str) -> Language {
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        let is_han = |c: &char| ('\u{3400}'..='\u{9fff}').contains(c);
        let is_kana = |c: &char| ('\u{3040}'..='\u{30ff}').contains(c);
        let (han, kana) = (text.chars().filter(is_han).count(), text.chars().filter(is_kana).count());
        // A Chinese text about programs is full of English names.
        if han * 4 > letters {
            return if kana * 10 > han { Language::Other } else { Language::Chinese };
        }
        let latin = text.chars().filter(char::is_ascii_alphabetic).count();
        let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(str::to_lowercase).collect();
        let common = words.iter().filter(|word| COMMON.contains(&word.as_str())).count();
        // A few words say nothing about their language.
        let is_foreign = words.len() >= 40 && common * 20 < words.len();
        if latin * 2 < letters || is_foreign { Language::Other } else { Language::English }
    }
}

/// Whether a file is text for people, which has a neutral form; scripts and data have none.
pub(super) fn is_prose(path: &str) -> bool {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    matches!(extension.as_deref(), Some("md" | "markdown" | "txt"))
}

/// The artifact with neutral text in place of its own. Its front matter stays: an agent that is offered it as a skill
/// chooses it by the same name and description.
pub(super) fn of(real: Artifact, reference: &str) -> Artifact {
    let body = real.body.clone().unwrap_or_default();
    let mut neutral = Neutral::new(Language::of(&body));
    let is_text = |file: &ArtifactFile| real.kind == ArtifactKind::File || file.path == "SKILL.md";
    let placebo = neutral.text(&body);
    let mut files = Vec::new();
    for file in &real.files {
        let Ok(text) = std::str::from_utf8(&file.bytes) else { continue };
        let bytes = match is_text(file) {
            // The body is the end of the file, after its front matter.
            true => format!("{}{placebo}", text.strip_suffix(body.as_str()).unwrap_or_default()),
            false if is_prose(&file.path) => neutral.text(text),
            false => continue,
        };
        files.push(ArtifactFile { bytes: bytes.into_bytes(), ..file.clone() });
    }
    let origin = real.origin.as_ref().map(|_| reference.to_owned());
    Artifact {
        reference: reference.to_owned(),
        body: real.body.as_ref().map(|_| placebo),
        files,
        origin,
        path: None,
        ..real
    }
}

/// Words about something else, one after the other.
pub enum Neutral {
    Words(Peekable<Cycle<SplitWhitespace<'static>>>),
    Signs(Cycle<Chars<'static>>),
}

impl Neutral {
    pub fn new(language: Language) -> Neutral {
        match language {
            Language::Chinese => Neutral::Signs(CHINESE.chars().cycle()),
            Language::English | Language::Other => Neutral::Words(ENGLISH.split_whitespace().cycle().peekable()),
        }
    }

    /// Neutral text for `text`, line by line.
    pub fn text(&mut self, text: &str) -> String {
        // What earlier lines are too long (or, below 0, too short) by, so that the whole has the same length.
        let mut over = 0_isize;
        text.split_inclusive('\n').map(|line| self.line(line, &mut over)).collect()
    }

    fn line(&mut self, line: &str, over: &mut isize) -> String {
        let text = line.trim_end_matches(['\n', '\r']);
        let end = &line[text.len()..];
        let is_frame = text.chars().all(|c| c.is_whitespace() || "-=*_|:+".contains(c));
        if is_frame || text.trim_start().starts_with("```") || text.trim_start().starts_with("~~~") {
            return fence(text) + end;
        }
        let lead = lead(text);
        let cells = text[lead..].split('|').map(|cell| match cell.trim() {
            "" => cell.to_owned(),
            inner => {
                let at = cell.len() - cell.trim_start().len();
                format!("{}{}{}", &cell[..at], self.words(inner, over), &cell[at + inner.len()..])
            }
        });
        let cells: Vec<String> = cells.collect();
        format!("{}{}{end}", &text[..lead], cells.join("|"))
    }

    /// Neutral words of the length of `real`, which is not empty.
    fn words(&mut self, real: &str, over: &mut isize) -> String {
        let length = real.chars().count().cast_signed();
        let target = (length - *over).max(1);
        let mut words = String::new();
        let mut count = 0_isize;
        match self {
            Neutral::Signs(signs) => {
                words.extend(signs.by_ref().take(target.unsigned_abs()));
                count = target;
            }
            Neutral::Words(stream) => {
                while let Some(next) = stream.peek() {
                    let more = next.chars().count().cast_signed() + isize::from(count > 0);
                    // The end that is nearer: before the next word, or behind it.
                    if count > 0 && count + more - target > target - count {
                        break;
                    }
                    words.push_str(if count > 0 { " " } else { "" });
                    words.push_str(next);
                    count += more;
                    stream.next();
                }
            }
        }
        *over += count - length;
        match real.chars().next().is_some_and(char::is_uppercase) {
            true => capitalized(&words),
            false => words,
        }
    }
}

/// A fence without the name of a language, which would say what the content was about.
fn fence(text: &str) -> String {
    let marks = text.trim_start().chars().take_while(|c| matches!(c, '`' | '~')).count();
    match marks >= 3 {
        true => text[..text.len() - text.trim_start().len() + marks].to_owned(),
        false => text.to_owned(),
    }
}

/// The bytes of what makes a line a heading, an item or a quote.
fn lead(text: &str) -> usize {
    let start = text.len() - text.trim_start().len();
    let rest = &text[start..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let marks = match digits {
        0 => rest.bytes().take_while(|b| b"#>-*+".contains(b)).count(),
        _ => digits + usize::from(rest[digits..].starts_with(['.', ')'])),
    };
    let after = &rest[marks..];
    let space = after.len() - after.trim_start().len();
    // `-x`, `*emphasis*` and `3 files` have no mark of an item.
    let is_mark = marks > digits && space > 0 || rest.starts_with('>');
    if is_mark { start + marks + space } else { start }
}

fn capitalized(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

/// About a lake: it asks for nothing and names nothing that a task could be about.
const ENGLISH: &str = "\
The lake lies in a wide valley between low hills. In the early morning a thin mist covers the water, and the far shore \
appears only when the sun has risen above the trees. Reeds grow along the southern bank, where the ground is soft and the \
water is shallow. A narrow path leads around the lake and takes about two hours on foot. In spring the meadows beside it \
are yellow with flowers, and later in the year they turn pale green. Small birds nest in the bushes near the stream that \
comes down from the north. The stream is fed by snow in the first warm weeks and by rain for the rest of the year. Near its \
mouth there is an old wooden bridge with a low railing. Some of the planks were replaced last summer and are still lighter \
than the others. From the bridge one sees the village, a row of grey roofs and a tall chimney. In the afternoon the wind \
usually comes from the west and moves small waves across the surface. On calm days the hills are reflected in the water, and \
clouds seem to drift below the shore. The water is deepest near the eastern side, where a steep slope of rock goes down \
under the surface. In autumn the leaves of the birches fall early, while the oaks keep theirs until the first frost. A few \
boats are tied to a wooden landing and move a little with every wave. In some winters the lake freezes from one side to the \
other, and the ice is grey and smooth. Snow stays longest in the shade of the northern slope. When it melts, the level rises \
by about the width of a hand. An old stone wall runs through the meadow and ends at a group of three pines. Beside the wall \
there are patches of moss, and after rain they are dark green. On summer evenings the light stays on the hills for a long \
time after the valley has become dark. Then the air is cool, and the sound of the stream can be heard from far away. ";

/// The same lake.
const CHINESE: &str = "\
湖在一片宽阔的谷地里，四周是低矮的山丘。清晨水面上有一层薄雾，太阳升到树梢以后，对岸才慢慢显现出来。南岸长着芦苇，那里的土地松软，水也很浅。\
一条小路环绕着湖，步行大约需要两个小时。春天，路旁的草地开满黄色的花，到了下半年又变成浅绿色。小鸟在溪水旁的灌木丛里筑巢，溪水从北面流下来。\
天气刚转暖的几周，溪水来自融雪，其余的时间来自雨水。离溪口不远有一座旧木桥，栏杆很低。去年夏天换过几块桥板，颜色比其他的浅一些。\
从桥上可以望见村庄，一排灰色的屋顶和一根高高的烟囱。下午的风多半从西边吹来，在水面上推起细小的波纹。没有风的日子，山丘倒映在水里，云好像在岸边的下面飘过。\
东边的水最深，陡峭的岩石一直伸到水下。秋天，白桦的叶子落得很早，橡树的叶子要等到第一次霜降。几只小船系在木头栈桥上，随着波浪轻轻晃动。\
有些冬天，湖面从这一边冻到那一边，冰是灰色的，很平滑。北坡背阴的地方，积雪留得最久。雪化的时候，水位会升高大约一个手掌的宽度。\
一道旧石墙穿过草地，尽头是三棵松树。墙边有几片青苔，雨后颜色变得很深。夏天的傍晚，谷地已经暗下来，山上的光还会停留很久。这时空气凉爽，很远的地方也能听见溪水的声音。";
