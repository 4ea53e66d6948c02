### What `eval-skills` says, by part, in alphabetical order of the parts.

## skills-cli: the command line

## skills-exec: calling skills

## skills-grade: scoring answers

## skills-load: reading skills, benchmarks, configuration

## skills-report: results for people

## skills-store: the store
