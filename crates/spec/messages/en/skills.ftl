### What `eval-skills` says, by part, in alphabetical order of the parts.

## skills-cli: the command line

## skills-exec: calling skills
skills-exec-empty = the entrypoint of `{ $skill }` names no program
skills-exec-quotes = a quote in the command line of `{ $skill }` is not closed: `{ $line }`
skills-exec-no-program = there is no program `{ $name }` in `PATH` or in the directory of `{ $skill }`
skills-exec-no-program-file = `{ $name }` is not there or is not executable: `{ $skill }` is run in its own directory
skills-exec-host = no place can be made for skills to run in: { $why }
skills-exec-no-watchdog = nothing watches over the skills' processes if this program is killed: { $why }
skills-exec-lack-not-linux = `{ $guard }` does not hold: it takes Linux
skills-exec-lack-no-landlock = `{ $guard }` does not hold: this kernel has no Landlock
skills-exec-lack-landlock-off = `{ $guard }` does not hold: Landlock is not switched on in this kernel
skills-exec-lack-landlock-old = `{ $guard }` does not hold: it takes version { $needed } of Landlock, and this kernel has version { $version }
skills-exec-lack-refused = `{ $guard }` does not hold: { $why }

## skills-grade: scoring answers

## skills-load: reading skills, benchmarks, configuration

## skills-report: results for people

## skills-store: the store
