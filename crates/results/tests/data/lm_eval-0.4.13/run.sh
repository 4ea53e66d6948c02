export HF_HUB_OFFLINE=1 HF_DATASETS_OFFLINE=1 HF_DATASETS_CACHE=/srv/demo/lmeval/cache OPENAI_API_KEY=none LOGLEVEL=ERROR TQDM_DISABLE=1 GIT_CEILING_DIRECTORIES=/srv
for m in demo-small demo-large; do
  curl -s -X POST http://127.0.0.1:24680/reset >/dev/null
  lm_eval run --model local-chat-completions --model_args model=$m,base_url=http://127.0.0.1:24680/v1/chat/completions,num_concurrent=1,max_retries=1,tokenized_requests=False --apply_chat_template --include_path . --tasks facts_control,facts_treatment,facts_em_control,facts_em_treatment --output_path out --log_samples
done
