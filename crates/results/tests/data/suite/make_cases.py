"""Writes cases.jsonl: the one suite that all tools here run. Own work."""
import json, os
# id, question, right answer, wrong answer, tag, language
ROWS = [
 ("c01","What is 17 + 26?","43","53","arithmetic","en"),
 ("c02","What is 12 * 12?","144","124","arithmetic","en"),
 ("c03","What is 91 - 38?","53","63","arithmetic","en"),
 ("c04","What is 84 / 7?","12","14","arithmetic","en"),
 ("c05","What is 15 % of 200?","30","35","arithmetic","en"),
 ("c06","What is 2 to the power of 10?","1024","1000","arithmetic","en"),
 ("c07","How many metres are 3.5 kilometres?","3500","350","units","en"),
 ("c08","How many grams are 2 kilograms?","2000","200","units","en"),
 ("c09","How many minutes are 2.5 hours?","150","250","units","en"),
 ("c10","How many centimetres are 1.2 metres?","120","12","units","en"),
 ("c11","How many millilitres are 0.75 litres?","750","75","units","en"),
 ("c12","How many seconds are 4 minutes?","240","400","units","en"),
 ("c13","How many bytes are 4 KiB?","4096","4000","units","en"),
 ("c14","How many days has February 2024?","29","28","dates","en"),
 ("c15","How many days has April?","30","31","dates","en"),
 ("c16","Which weekday follows Tuesday?","Wednesday","Thursday","dates","en"),
 ("c17","Which month is the ninth month of the year?","September","October","dates","en"),
 ("c18","How many days are there from 1 March to 1 April?","31","30","dates","en"),
 ("c19","12 加 30 等于多少？","42","32","算术","zh"),
 ("c20","9 乘以 8 等于多少？","72","64","算术","zh"),
 ("c21","3 公斤等于多少克？","3000","300","单位","zh"),
 ("c22","1.5 小时等于多少分钟？","90","150","单位","zh"),
 ("c23","星期五的后一天是星期几？","星期六","星期日","日期","zh"),
 ("c24","2024 年二月有多少天？","29","28","日期","zh"),
 ("c25","100 减去 37 等于多少？","63","73","算术","zh"),
 ("c26","中国的首都是哪座城市？","北京","上海","常识","zh"),
 ("c27","What is the chemical symbol of iron?","Fe","Ir","facts","en"),
 ("c28","How many sides has a hexagon?","6","8","facts","en"),
 ("c29","What is the capital of France, in one word?","Paris","Lyon","facts","en"),
 ("c30","What is the square root of 169?","13","17","arithmetic","en"),
]
here=os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here,"cases.jsonl"),"w",encoding="utf-8") as f:
    for r in ROWS:
        f.write(json.dumps(dict(zip(("id","question","answer","wrong","tag","lang"),r)),ensure_ascii=False)+"\n")
