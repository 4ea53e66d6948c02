"""Writes the promptfoo configs of this demo from ../suite/cases.jsonl (JSON is YAML)."""
import json, re
ALL=[json.loads(l) for l in open("../suite/cases.jsonl",encoding="utf-8")]
S24=[c for c in ALL if c["id"] not in ("c06","c08","c10","c12","c16","c25")]
S12=[c for c in ALL if c["id"] in ("c02","c04","c05","c07","c09","c11","c13","c19","c21","c27","c28","c30")]
S5=[c for c in ALL if c["id"] in ("c01","c05","c07","c14","c19")]
C="Answer the question in one short sentence.\n\nQuestion: {{question}}"
T="Answer the question in one short sentence. Check your work: units, dates, carry digits.\n\nQuestion: {{question}}"
def prov(m): return {"id":f"openai:chat:{m}","label":m,"config":{"apiBaseUrl":"http://127.0.0.1:24680/v1","apiKey":"none","temperature":0.2,"max_tokens":64,"cost":0.000001}}
grader={"id":"openai:chat:demo-judge","config":{"apiBaseUrl":"http://127.0.0.1:24680/v1","apiKey":"none","temperature":0}}
def tests(cases=S24, rubric=True, rich=True):
    out=[]
    for c in cases:
        a=[{"type":"contains","value":"{{answer}}","metric":"exact","weight":2}]
        if rich:
            a.append({"type":"regex","value":"答案是" if c["lang"]=="zh" else "^The answer is \\S+\\.$","metric":"form"})
            a.append({"type":"javascript","value":"output.length < 60 ? 1 : 0.5","metric":"brevity","weight":0})
        if rubric and c["id"] in ("c01","c03","c07","c09","c11","c12","c14","c19","c23","c24","c26","c29"):
            a.append({"type":"llm-rubric","value":"The reply states {{answer}} as the answer to: {{question}}","metric":"rubric"})
        if rich and c["id"]=="c02": a=[{"type":"assert-set","threshold":0.5,"metric":"set","assert":a},{"type":"not-contains","value":"sorry"}]
        t={"description":f"{c['id']} {c['tag']}","vars":{"id":c["id"],"question":c["question"],"answer":c["answer"]},"metadata":{"tag":c["tag"],"lang":c["lang"]},"assert":a}
        if rich and c["id"]=="c04": t["threshold"]=0.6
        if rich and c["id"]=="c30": t["assert"]=[]      # nothing to grade: passes with score 1?
        if rich and c["id"]=="c28": t["assert"]=[{"type":"javascript","value":"output.nosuch.field > 1","metric":"exact"}]  # an assertion that throws
        if rich and c["id"]=="c15": del t["description"]
        out.append(t)
    return out
base={"defaultTest":{"options":{"provider":grader}},"tags":{"team":"demo"}}
P=[{"id":"control","label":"control","raw":C},{"id":"treatment","label":"treatment","raw":T}]
both=[prov("demo-small"),prov("demo-large")]
w=lambda n,d: json.dump(d,open(n,"w",encoding="utf-8"),ensure_ascii=False,indent=1)
w("ab.json",{**base,"description":"two prompts, two providers","prompts":P,"providers":both,"tests":tests(S12),"derivedMetrics":[{"name":"exact_share","value":"exact / 24"}]})
w("ab24.json",{**base,"description":"two prompts, two providers, 24 cases","prompts":P,"providers":both,"tests":tests(S24)})
w("one-prompt.json",{**base,"description":"one prompt, two providers","prompts":[C],"providers":both,"tests":tests(S24,rubric=False)})
for p in P:
    w(f"{p['label']}.json",{"description":f"{p['label']} alone","prompts":[p["raw"]],"providers":[prov("demo-small")],"tests":tests(S24,False,False)})
w("small.json",{**base,"description":"small, for the data base","prompts":P,"providers":[prov("demo-small")],"tests":tests(S5)})
Q=[c for c in ALL if c["id"] in ("c03","c14","c18")]
w("odd.json",{"description":"odd shapes","prompts":P,"providers":["echo",prov("demo-small")],
 "scenarios":[{"config":[{"vars":{"lang":"en"}},{"vars":{"lang":"zh"}}],"tests":[{"vars":{"question":Q[0]["question"],"answer":Q[0]["answer"]},"assert":[{"type":"contains","value":"{{answer}}"}]}]}],
 "tests":[{"vars":{"question":[Q[1]["question"],Q[2]["question"]],"answer":"29"},"assert":[{"type":"contains","value":"{{answer}}"},{"type":"max-score"},{"type":"latency","threshold":5000}]},
  {"vars":{"question":Q[0]["question"],"answer":"53","n":5,"deep":{"a":[1,2]}},"options":{"transform":"output.toUpperCase()"},"assert":[{"type":"icontains","value":"the answer is"},{"type":"equals","value":"THE ANSWER IS 53."},{"type":"is-json"},{"type":"javascript","value":"({pass: true, score: 7.5, reason: 'over one'})","metric":"big"},{"type":"javascript","value":"-1 ","metric":"neg"}]},
  {"vars":{"question":Q[0]["question"]},"providerOutput":"given output 53","assert":[{"type":"contains-any","value":["53","54"]}]}]})
