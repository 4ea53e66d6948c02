### What `eval-skills` says, by part, in alphabetical order of the parts.

## skills-cli: the command line

skills-cli-incomplete = 评测没有完成：{ $why }
skills-cli-no-judge = 有任务由 `llm_judge` 评分，但没有指定评委
skills-cli-no-judge-help = 请指定评委：`--judge-executor openai-api --judge-model gpt-4o`，或 `eval-skills config set llm.model gpt-4o`
skills-cli-not-ours = `{ $id }` 不是 `eval-skills` 的评测
skills-cli-nothing-to-resume = 在这个目录里没有开始过的评测
skills-cli-plan = { $skills } 个技能 × { $tasks } 个任务 × { $runs } 轮 = { $total } 次执行
skills-cli-plan-benchmark = 基准    { $id } { $version }（{ $source }）
skills-cli-plan-how = 设置    同时 { $concurrency } 个，每个 { $timeout } 毫秒，重试 { $retries } 次，沙箱 { $sandbox }
skills-cli-plan-judge = 评委    { $judge }
skills-cli-plan-nothing = 没有运行任何任务，也没有写入任何文件
skills-cli-plan-scorers = 评分器  { $scorers }
skills-cli-plan-skill = 技能    { $id } { $version }（{ $adapter }）{ $path }
skills-cli-result = { $skill }  { $task }  第 { $run } 轮  { $status }  { $why }
skills-cli-written = 已写入：{ $paths }

## skills-exec: calling skills

## skills-grade: scoring answers

## skills-load: reading skills, benchmarks, configuration

## skills-report: results for people

## skills-store: the store
