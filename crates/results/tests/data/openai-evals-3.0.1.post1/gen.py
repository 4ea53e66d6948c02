import json
cs=[json.loads(l) for l in open("../suite/cases.jsonl",encoding="utf-8")]
cs=[c for c in cs if c["id"] not in ("c06","c08","c10","c12","c16","c25")]
SYS={"control":"Answer the question in one short sentence.","treatment":"Answer the question in one short sentence. Check your work: units, dates, carry digits."}
reg=""
for a,s in SYS.items():
    with open(f"registry/data/facts/{a}.jsonl","w",encoding="utf-8") as f:
        for c in cs: f.write(json.dumps({"input":[{"role":"system","content":s},{"role":"user","content":c["question"]}],"ideal":c["answer"]},ensure_ascii=False)+"\n")
    reg+=f"facts-{a}:\n  id: facts-{a}.dev.v0\n  metrics: [accuracy]\nfacts-{a}.dev.v0:\n  class: evals.elsuite.basic.includes:Includes\n  args:\n    samples_jsonl: facts/{a}.jsonl\n"
open("registry/evals/facts.yaml","w").write(reg)
open("registry/completion_fns/local.yaml","w").write("demo/small:\n  class: local_fn:Local\n  args:\n    model: demo-small\n")
reg=open("registry/evals/facts.yaml").read()
for a,s in SYS.items():
    with open(f"registry/data/facts/judged-{a}.jsonl","w",encoding="utf-8") as f:
        for c in cs:
            if c["id"] in ("c01","c02","c03","c05","c07","c09","c14","c19","c23","c26","c29","c30"): f.write(json.dumps({"input":[{"role":"system","content":s},{"role":"user","content":c["question"]}],"criteria":f"the reply states {c['answer']}"},ensure_ascii=False)+"\n")
    reg+=f"facts-judged-{a}:\n  id: facts-judged-{a}.dev.v0\n  metrics: [accuracy]\nfacts-judged-{a}.dev.v0:\n  class: evals.elsuite.modelgraded.classify:ModelBasedClassify\n  args:\n    samples_jsonl: facts/judged-{a}.jsonl\n    eval_type: cot_classify\n    modelgraded_spec: closedqa\n"
open("registry/evals/facts.yaml","w").write(reg)
open("registry/completion_fns/local.yaml","a").write("demo/judge:\n  class: local_fn:Local\n  args:\n    model: demo-judge\n")
