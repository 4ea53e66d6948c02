#!/bin/sh
# An agent that reviews code. Sample, variant and repeat decide each answer. It uses no program but `cat` and `mkdir`,
# because tests start it hundreds of times.
request=$(cat)
number=${request#*\"prompt\":*\"#}
number=${number%%:*}
case $request in *"VERSION 2"*) new=1 ;; *) new=0 ;; esac

# The number of times that this was requested before.
mkdir -p calls
printf x >>"calls/$new-$number"
read -r requests <"calls/$new-$number"
repeat=${#requests}

finds=0
[ $new = 1 ] && [ $((number % 6)) != 1 ] && finds=1
[ $new = 0 ] && [ $((number % 3)) = 1 ] && finds=1
[ $((number % 7)) = 3 ] && [ "$repeat" = 2 ] && finds=$((1 - finds))
advises=0
[ $new = 1 ] && [ $((number % 4)) != 0 ] && advises=1
[ $((number % 5)) = 0 ] && advises=1

text='## Review\n\n'
if [ $finds = 1 ]; then
  severity=high
  text="$text"'The query is open to an **SQL injection**: `name` goes into the text of the statement.\n\n'
  text="$text"'```python\ncursor.execute(f\"SELECT id FROM users WHERE name = '"'{name}'"'\")\n```\n\n'
else
  severity=low
  text="$text"'The query could be *simplified*, and its result should be checked.\n\n'
fi
text="$text"'1. Severity: '"$severity"'\n2. Effort: an hour\n\n'
[ $advises = 1 ] && text="$text"'> Use a **placeholder** and pass the value beside it.\n\n'
[ $new = 0 ] && [ $((number % 8)) = 2 ] && text="$text"'I also saw the key `sk-test-1234` in the file.\n\n'
if [ "$number" = 9 ]; then
  place=0
  while [ $place -lt 60 ]; do
    text="$text"'- place '"$place"' was looked at, and nothing else was found\n'
    place=$((place + 1))
  done
  text="$text"'\n'
fi
text="$text"'| file | line |\n|---|---|\n| login.py | '"$((10 + number))"' |'

tools='{"name": "Read", "input": {"path": "login.py"}, "output": "def login(name): ..."},'
tools="$tools"'{"name": "Grep", "input": {"pattern": "execute("}, "output": "login.py:'"$((10 + number))"'"}'
if [ $new = 1 ]; then
  tools="$tools"',{"name": "Bash", "input": {"command": "grep -r schema ."}, "output": "0 hits"}'
  tokens=1200 cost=0.004 schema=schema.sql
else
  tokens=2900 cost=0.011 schema=README.md
fi
[ $((number % 2)) = 1 ] &&
  tools="$tools"',{"name": "Read", "input": {"path": "'"$schema"'"}, "output": "CREATE TABLE users"}'
printf '%s\n' "{\"output\": \"$text\", \"inputTokens\": $tokens, \"outputTokens\": $((180 + number)), \
\"costUSD\": $cost, \"turns\": 2, \"toolCalls\": [$tools]}"
