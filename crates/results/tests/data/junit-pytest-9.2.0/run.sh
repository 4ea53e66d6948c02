for arm in control treatment; do
  curl -s -X POST http://127.0.0.1:24680/reset >/dev/null
  ARM=$arm python -m pytest -q -p no:cacheprovider --tb=short --junitxml $arm.xml test_facts.py
  curl -s -X POST http://127.0.0.1:24680/reset >/dev/null
  ARM=$arm REPEATS=3 python -m pytest -q -p no:cacheprovider --tb=line --junitxml $arm-repeat3.xml -o junit_family=xunit1 -o junit_suite_name=facts-$arm test_facts.py
done
