### What `eval-skills` says, by part, in alphabetical order of the parts.

## skills-cli: the command line

## skills-exec: calling skills
skills-exec-empty = `{ $skill }` 的 entrypoint 没有指明程序
skills-exec-quotes = `{ $skill }` 的命令行中引号没有闭合：`{ $line }`
skills-exec-no-program = 在 `PATH` 和 `{ $skill }` 的目录中都找不到程序 `{ $name }`
skills-exec-no-program-file = `{ $name }` 不存在或不可执行：`{ $skill }` 在自己的目录中运行
skills-exec-host = 无法为技能准备运行环境：{ $why }
skills-exec-no-watchdog = 若本程序被强制结束，技能的进程将无人看管：{ $why }
skills-exec-lack-not-linux = `{ $guard }` 未生效：仅 Linux 支持
skills-exec-lack-no-landlock = `{ $guard }` 未生效：当前内核没有 Landlock
skills-exec-lack-landlock-off = `{ $guard }` 未生效：当前内核没有启用 Landlock
skills-exec-lack-landlock-old = `{ $guard }` 未生效：需要 Landlock 第 { $needed } 版，而当前内核只有第 { $version } 版
skills-exec-lack-refused = `{ $guard }` 未生效：{ $why }

## skills-grade: scoring answers

## skills-load: reading skills, benchmarks, configuration

## skills-report: results for people

## skills-store: the store
