"""Rows with nested columns as Parquet, and as the line of the documentation writes them: rows.jsonl. Own work."""
import json
import pyarrow as pa, pyarrow.parquet as pq
rows = [
    {"id": "q1", "question": "Welche Stadt?", "context": "Paris liegt in Frankreich.", "answers": {"text": ["Paris", "Paris"], "answer_start": [0, 0]}, "tags": ["geo", "de"]},
    {"id": "q2", "question": "哪个是首都?", "context": "北京是首都。", "answers": {"text": ["北京"], "answer_start": [0]}, "tags": []},
    {"id": "q3", "question": "And this one?", "context": None, "answers": {"text": [], "answer_start": []}, "tags": None},
]
pq.write_table(pa.Table.from_pylist(rows), "rows.parquet")
with open("rows.jsonl", "w", encoding="utf-8") as out:
    for row in pq.read_table("rows.parquet").to_pylist(): print(json.dumps(row, default=str), file=out)
