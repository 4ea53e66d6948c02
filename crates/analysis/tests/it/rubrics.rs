//! Rubrics that ask for nothing.

use eval_analysis::internals::is_vague;

#[test]
fn what_asks_for_something_is_clear_however_short() {
    for clear in [
        "Should identify SQL injection",
        "是否识别出注入漏洞",
        "应识别 SQL 注入风险并建议参数化查询",
        "names both causes",
        "no apology",
        "under 100 words",
        "包含退款期限",
        "Whether the fix compiles",
        "The reply is friendly in tone, and its second half tells the customer what happens next week",
    ] {
        assert!(!is_vague(clear), "{clear}");
    }
}

#[test]
fn short_praise_is_vague() {
    for vague in [
        "good?",
        "Good answer",
        "clear and helpful",
        "回答质量",
        "准确、清晰",
        "The answer is nice",
        "quality",
        "notable style",
    ] {
        assert!(is_vague(vague), "{vague}");
    }
}
