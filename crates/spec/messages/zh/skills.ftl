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

skills-exec-mcp-bad-address = 无法由 `baseUrl` 和入口得到 `{ $skill }` 的地址
skills-exec-mcp-bad-header = `{ $header }` 不能用作请求头名称
skills-exec-mcp-bad-token = `{ $variable }` 的值不能放进请求头
skills-exec-mcp-ended = `{ $skill }` 的服务器还没回答就断开了连接
skills-exec-mcp-failed = 工具 `{ $tool }` 报告自己失败了
skills-exec-mcp-malformed = `{ $skill }` 的服务器的回答不符合协议
skills-exec-mcp-no-token = 存放令牌的环境变量 `{ $variable }` 未设置
skills-exec-mcp-no-tools = `{ $skill }` 的服务器没有任何工具
skills-exec-mcp-not-object = 工具的参数必须是对象，而任务给 `{ $skill }` 的输入不是
skills-exec-mcp-not-ready = `{ $skill }` 的服务器未能及时就绪
skills-exec-mcp-refused = 服务器返回错误 { $code }
skills-exec-mcp-status = `{ $skill }` 的服务器返回 HTTP 状态 { $status }
skills-exec-mcp-timeout = 工具 `{ $tool }` 在 { $seconds } 秒内没有回答
skills-exec-mcp-too-long = `{ $skill }` 的服务器发来的一条消息超过 { $mib } MiB
skills-exec-mcp-too-many = `{ $skill }` 的服务器不断发出请求，却不读取回答
skills-exec-mcp-unreachable = 无法连接 `{ $skill }` 的服务器
skills-exec-mcp-wants-more = 工具 `{ $tool }` 还要求参数以外的输入，而这里无人可以提供
skills-exec-mcp-which-tool = `{ $skill }` 的服务器有 { $count } 个工具，没有一个叫这个名字：请在 `adapter.config.json` 的 `tool` 中指定

## skills-grade: scoring answers

skills-grade-benchmark-imported = 已将 { $count } 个任务写入 { $path }；用 `--benchmark { $use }` 使用
skills-grade-benchmark-exists = { $path } 已经存在
skills-grade-benchmark-exists-help = 用 `--output` 指定另一个文件，或用 `--force` 覆盖
skills-grade-benchmark-is-data = { $path } 就是数据文件本身
skills-grade-benchmark-level = `--level` 只用于 gaia
skills-grade-benchmark-line = { $id }  { $domain }  { $count ->
    [0] 没有数据，请导入
   *[other] { $count } 个任务
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

skills-load-path-missing = 没有文件或目录 `{ $path }`
skills-load-no-skill = `{ $path }` 中没有技能
skills-load-no-skill-help = 技能是含有 `skill.json` 的目录，`eval-skills create --name NAME` 可以创建一个
skills-load-no-skill-text-help = 其中的 `SKILL.md` 供智能体阅读；要能被调用，旁边还需要 `skill.json`
skills-load-tree-too-large = 该路径下的文件和目录超过 { $limit } 个，停在 `{ $path }`
skills-load-tree-too-large-help = 请直接指定各技能的目录
skills-load-hash-cut = `{ $path }` 的文件超过 10,000 个，其余文件的改动不会被察觉
skills-load-left-out = 已跳过 `{ $path }`：其中有 { $count } 个错误
skills-load-duplicate-id = 已有技能使用 id `{ $id }`
skills-load-skill-empty = 文件为空，这里需要描述技能的对象
skills-load-skill-id = `{ $id }` 不能作为 id
skills-load-skill-id-help = id 由小写字母、数字、`_` 和 `-` 组成
skills-load-skill-version = `{ $version }` 不是版本号
skills-load-skill-version-help = 请按语义化版本书写，如 `1.0.0`
skills-load-entrypoint-no-base = 入口是路径，但 `adapter.config.json` 中没有 `baseUrl`
skills-load-entrypoint-not-url = 入口不是地址
skills-load-entrypoint-help = 请写 `https://host/path`，或者写 `/path` 并在 `adapter.config.json` 中给出 `baseUrl`
skills-load-url = 这里需要地址
skills-load-url-help = 请写成 `https://host/path`
skills-load-url-scheme = 不能用 `{ $scheme }` 调用技能，需要 `http` 或 `https`
skills-load-url-credentials = 地址中不能有用户名或密码
skills-load-url-credentials-help = 请在 `adapter.config.json` 的 `authTokenEnvKey` 中写出环境变量名
skills-load-url-secret = 地址的参数 `{ $name }` 看起来是密钥
skills-load-base-query = `baseUrl` 不能带查询参数或片段
skills-load-adapter-empty = 文件为空，这里需要对象
skills-load-adapter-key-unused = `{ $key }` 对 `{ $adapter }` 类型的技能不起作用
skills-load-adapter-env = 这不是环境变量名
skills-load-adapter-env-help = 只列出名称，如 ["MY_API_KEY"]，值取自环境
skills-load-adapter-env-object = 这里需要环境变量名的列表
skills-load-auth-no-type = 没有 `authType` 时 `authTokenEnvKey` 不起作用
skills-load-auth-type-help = 请加上 `"authType": "bearer"` 或 `"authType": "api-key"`
skills-load-auth-no-token = `authType` 为 `{ $kind }` 时需要 `authTokenEnvKey`
skills-load-auth-token-help = 请写出存放令牌的环境变量名，如 "authTokenEnvKey": "MY_API_KEY"
skills-load-auth-unused = `authType` 为 `{ $kind }` 时这一项不起作用
skills-load-auth-header-and-query = 密钥要么放在请求头里，要么放在查询参数里
skills-load-header = `{ $name }` 不能作为请求头或 Cookie 的名称
skills-load-request-twice = 参数 `{ $name }` 出现了两次
skills-load-request-no-parameter = 没有参数填入入口中的 `{ "{" }{ $name }{ "}" }`
skills-load-request-no-placeholder = 入口中没有这个路径参数的 `{ "{" }{ $name }{ "}" }`
skills-load-request-type = 请求体不能以 `{ $written }` 发送
skills-load-request-type-help = 可用 `application/json`、`application/x-www-form-urlencoded` 或 `text/plain`
skills-load-benchmark-empty = 文件为空，这里需要基准
skills-load-benchmark-unknown = 没有基准 `{ $id }`
skills-load-benchmark-twice = 基准 `{ $id }` 出现了两次：`{ $first }` 和 `{ $second }`
skills-load-benchmark-no-data = 基准 `{ $id }` 没有任务：不包含其数据
skills-load-benchmark-import-help = 请用数据集自己的文件生成：`eval-skills benchmark import { $format } FILE`
skills-load-tasks-empty = 没有任务
skills-load-task-id = `{ $id }` 不能作为 id：首尾不能有空格，不能含换行，也不能超过 { $limit } 个字符
skills-load-task-twice = 已有任务使用 id `{ $id }`
skills-load-scorer-needs = 评分器 `{ $scorer }` 需要 `expectedOutput` 中的 `{ $key }`
skills-load-no-keywords = 没有关键词：任何回答都会通过
skills-load-scorer-outside = 评分脚本 `{ $path }` 不在基准所在的文件夹里
skills-load-scorer-outside-help = 请把它复制到基准旁边，以便一起审查和移动
skills-load-strategy-empty = 文件为空，这里需要选择策略
skills-load-strategy-no-adapter = 没有允许任何适配器类型，选不出技能
skills-load-config-no-format = 没有任何格式，不会写出报告
skills-load-config-no-command = 这里需要程序及其参数
skills-load-data-empty = 文件为空

## skills-report: results for people


## skills-store: the store

