"""Writes it/oracle.json: what Python's packages make of pairs of texts.

    python -m venv /tmp/oracle && /tmp/oracle/bin/pip install rouge-score==0.1.2 sacrebleu==2.6.0 nltk==3.10.4 rapidfuzz==3.14.6
    /tmp/oracle/bin/python crates/grade/tests/oracle.py

The tests read only the JSON; nobody needs Python to run them.
"""

import json
import logging
import pathlib
import random
import re
import warnings

from nltk.translate.bleu_score import sentence_bleu
from rapidfuzz.distance import Levenshtein
from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU

LATIN = [
    ("the cat sat on the mat", "the cat the cat on the mat"),
    ("The quick brown fox jumps over the lazy dog.", "A quick brown dog jumps over the lazy fox!"),
    ("Use a parameterized query; never concatenate.", "Never concatenate: use a parameterized query."),
    ("costs $3.50, i.e. 1,000 times 0.0035", "It costs $3.50 -- 1,000 times 0.0035, i.e. little."),
    ("AT&amp;T &lt;b&gt; said &quot;no&quot; <skipped>", 'AT&T <b> said "no"'),
    ("well-known 2-3 day\nlong-\nterm plan", "well-known 2-3 day long-term plan"),
    ("naïve café résumé über", "naive café resume uber"),
    ("it's John's 9-5 e-mail: a@b.co/x_y", "It's Johns 9 - 5 email: a@b.co/x_y"),
    ("a b c d", "a b c d"),
    ("a b c", "a b c"),
    ("one two three four five", "six seven"),
    ("...", "."),
    ("x", ""),
    ("one. two, three.four 5.6 7,8 .9 1.", "one . two , three . four 5.6 7,8 . 9 1 ."),
    ("`code` [link](url) {a: 1} ~/path | grep -v 'x' && echo \"$HOME\"", "`code` [link](url) {a: 2} ~/path | grep 'x'"),
]
HAN = [
    ("应识别 SQL 注入风险，并建议参数化查询。", "存在 SQL 注入风险，建议使用参数化查询。"),
    ("没有问题", "没有发现任何问题"),
    ("版本 2.0 支持 3 种数据库", "2.0 版本支持 3 种数据库"),
]
WORDS = "the of risk, query. input output: don't 3.14 42 SQL injection (see) a an is to-do e.g. x/y 100% user's #1 \"so\"".split()


def random_pair(rng):
    reference = [rng.choice(WORDS) for _ in range(rng.randint(4, 40))]
    output = [word for word in reference if rng.random() > 0.15]
    for _ in range(rng.randint(0, 5)):
        output.insert(rng.randint(0, len(output)), rng.choice(WORDS))
    return " ".join(reference), " ".join(output)


logging.disable(logging.WARNING)


class HanTokens:
    def tokenize(self, text):
        return re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]", text.lower())


def rouge(reference, output, tokenizer):
    kinds = ["rouge1", "rouge2", "rouge3"]
    scorer = rouge_scorer.RougeScorer(kinds, use_stemmer=False, tokenizer=tokenizer)
    scores = scorer.score(reference, output)
    return [scores[kind].recall for kind in kinds]


def bleu(reference, output, tokenize):
    metric = BLEU(smooth_method="none", effective_order=False, tokenize=tokenize)
    score = metric.sentence_score(output, [reference]).score / 100
    tokens = metric.tokenizer
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nltk = sentence_bleu([tokens(reference).split()], tokens(output).split()) if output else 0
    # NLTK has 1e-100 and the like where an order has no match.
    assert abs(score - nltk) < 1e-9, (reference, output, score, nltk)
    return score


def case(reference, output, tokenizer=None, tokenize="13a"):
    return {
        "reference": reference,
        "output": output,
        "rouge": rouge(reference, output, tokenizer),
        "bleu": bleu(reference, output, tokenize),
        "levenshtein": Levenshtein.distance(reference, output),
    }


rng = random.Random(7)
cases = [case(*pair) for pair in LATIN]
cases += [case(*random_pair(rng)) for _ in range(60)]
cases += [case(*pair, tokenizer=HanTokens(), tokenize="zh") for pair in HAN]
target = pathlib.Path(__file__).parent / "it" / "oracle.json"
lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
target.write_text(f"[\n{lines}\n]\n")
