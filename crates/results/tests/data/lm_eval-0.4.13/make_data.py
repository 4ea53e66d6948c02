import json
cs=[json.loads(l) for l in open("../suite/cases.jsonl",encoding="utf-8")]
skip=("c06","c08","c10","c12","c16","c25")
ok=[c for c in cs if c["id"] not in skip]
with open("facts.jsonl","w",encoding="utf-8") as f:
    for c in ok: f.write(json.dumps(c,ensure_ascii=False)+"\n")
faults=("c05","c13","c21","c27")
with open("facts-nofault.jsonl","w",encoding="utf-8") as f:
    for c in ok:
        if c["id"] not in faults: f.write(json.dumps(c,ensure_ascii=False)+"\n")
