export OPENAI_API_KEY=none PYTHONPATH=. EVALS_SEQUENTIAL=1 EVALS_SHOW_EVAL_PROGRESS=0
for a in control treatment; do
  curl -s -X POST http://127.0.0.1:24680/reset >/dev/null; oaieval demo/small facts-$a --registry_path registry --record_path $a.jsonl --seed 20
  curl -s -X POST http://127.0.0.1:24680/reset >/dev/null; oaieval demo/small,demo/judge facts-judged-$a --registry_path registry --record_path judged-$a.jsonl --seed 20
done
