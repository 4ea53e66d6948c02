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

## skills-load: reading skills, benchmarks, configuration

## skills-report: results for people

## skills-store: the store
