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

skills-grade-benchmark-imported = 已将 { $count } 个任务写入 { $path }；用 `--benchmark { $use }` 使用
skills-grade-benchmark-exists = { $path } 已经存在
skills-grade-benchmark-exists-help = 用 `--output` 指定另一个文件，或用 `--force` 覆盖
skills-grade-benchmark-is-data = { $path } 就是数据文件本身
skills-grade-benchmark-level = `--level` 只用于 gaia
skills-grade-benchmark-line = { $id }  { $domain }  { $count ->
    [0] 没有数据，请导入
   *[other] { $count } 个任务
}  { $scorers }  { $source }
skills-grade-benchmark-not-written = 无法写入 { $path }
skills-grade-blank-keyword = 有一个关键词是空白，任何回答都会包含它
skills-grade-calls = 预期的 { $expected } 次调用中有 { $matched } 次匹配，实际调用 { $found } 次；预期：{ $expectedNames }；实际：{ $foundNames }
skills-grade-calls-many = 回答中的调用超过 { $limit } 次
skills-grade-calls-no-list = 预期的 `calls` 不是调用列表
skills-grade-calls-unread = 某个预期的调用不是带有 `name` 的对象，例如 `{"{"} "name": "search", "arguments": {"{"}{"}"} {"}"}`
skills-grade-custom-improper = 评分脚本必须返回数字、布尔值，或含 `score` 或 `passed` 的对象；实际返回 `{ $found }`
skills-grade-custom-score = 评分脚本给出 { $score }
skills-grade-differs = 结果是 `{ $actual }`，预期是 `{ $expected }`
skills-grade-equal = 结果是 `{ $expected }`
skills-grade-import-apis = 有 { $count } 条查询提到不在其列表中的 API，已略去
skills-grade-import-empty = 其中没有可以评分的内容
skills-grade-import-file-name = `{ $name }` 不是同目录下的文件名
skills-grade-import-files = 缺少附件 `{ $name }`；共缺 { $count } 个
skills-grade-import-files-help = 请把附件放在数据文件旁边；移动之后请重新导入，因为任务按路径引用附件
skills-grade-import-level = `Level` 只能是 1、2 或 3
skills-grade-import-no-json = 此行不是 JSON：{ $error }
skills-grade-import-no-object = 此行不是 JSON 对象
skills-grade-import-no-text = `{ $key }` 必须是非空白的文本
skills-grade-import-twice = `{ $id }` 出现了两次
skills-grade-import-withheld = 有 { $count } 个问题的答案未公开（`?`），如测试集；已略去
skills-grade-inputs-misfit = `{ $skill }`：{ $total } 个输入中有 { $count } 个不符合它的 `inputSchema`，例如 `{ $task }` 的输入：{ $mismatch }
skills-grade-inputs-misfit-help = 输入会照原样发送；如果 skill 因此报错，请选用适合它的基准
skills-grade-judge-too-long = 回答超过 { $kib } KiB，不会发送给评委
skills-grade-judged = { $score } 分（满分 5）：{ $reasoning }
skills-grade-keywords-all = { $total } 个关键词全部出现
skills-grade-keywords-some = { $total } 个关键词中出现了 { $matched } 个；缺少 `{ $first }`
skills-grade-no-answer = 没有可供比较的答案；公开的答案在验证集中
skills-grade-no-judge = 此任务由模型评分；请用 `--judge-executor` 和 `--judge-model` 指定，或在配置的 `llm` 中指定
skills-grade-no-keywords = `contains` 至少需要一个关键词
skills-grade-no-rubric = `llm_judge` 需要评分标准来说明什么是好的回答
skills-grade-not-json = skill 返回的不是 JSON：{ $error }
skills-grade-quality-all = { $total } 项全部符合
skills-grade-quality-few-tasks = 只有 { $count } 个任务，至少要有 { $least } 个
skills-grade-quality-holds = 符合
skills-grade-quality-length = 描述有 { $length } 个字符，应为 { $least } 到 { $most } 个
skills-grade-quality-link = `{ $file }` 是指向 skill 目录之外或不存在之处的链接
skills-grade-quality-misfit = 有一个输入不符合 `inputSchema`：{ $mismatch }
skills-grade-quality-missing = 缺少 `{ $field }`
skills-grade-quality-no-address = `{ $entrypoint }` 不是 http 地址，也没有 `baseUrl`
skills-grade-quality-no-command = entrypoint 不是命令行
skills-grade-quality-no-file = entrypoint 提到的 `{ $file }` 不存在
skills-grade-quality-no-properties = `inputSchema` 没有列出任何属性
skills-grade-quality-no-tasks = `tests`、`evals` 和 `benchmarks` 中没有任务文件
skills-grade-quality-outputs-vague = `outputSchema` 没有说明输出是什么
skills-grade-quality-own-words = 除名称之外，描述没有说明任何内容
skills-grade-quality-placeholder = `{ $text }` 是占位文字
skills-grade-quality-required = `{ $property }` 是必填的，却不在属性之中
skills-grade-quality-some = { $total } 项中有 { $held } 项符合；缺少：{ $missing }
skills-grade-quality-stray = `{ $file }` 不应放在 skill 里
skills-grade-quality-tags = `tags` 至少要有一个标签，且不能空白或重复
skills-grade-quality-undescribed = `{ $property }` 没有 `description`
skills-grade-quality-undocumented = 没有 SKILL.md，也没有 README
skills-grade-quality-untyped = 属性 `{ $property }` 没有类型
skills-grade-schema-broken = `{ $skill }`：无法按它的 `{ $field }` 检查：{ $error }
skills-grade-unreadable = skill 返回的是 JSON，但无法读取：{ $error }

## skills-load: reading skills, benchmarks, configuration

## skills-report: results for people

## skills-store: the store
