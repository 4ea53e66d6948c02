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
skills-exec-bridge-help = 在配置中把 `adapters.{ $kind }` 设为一条命令：它的最后两个参数是技能目录和 entrypoint，并像 subprocess 技能一样使用 JSON-RPC
skills-exec-closed = 技能没有回答就关闭了输出
skills-exec-cpu-time = 技能的进程用尽了 CPU 时间（`adapter.config.json` 中的 `cpuSeconds`）
skills-exec-crowded = 技能同时拥有超过 { $processes } 个进程（`adapter.config.json` 中的 `processes`）
skills-exec-error = 技能返回了错误：{ $why }
skills-exec-exit = 技能没有回答就结束了，退出码为 { $code }
skills-exec-file-size = 技能的进程写入的文件超过了上限（`adapter.config.json` 中的 `fileSizeMb`）
skills-exec-http-address = `{ $skill }` 的地址不是 `http://` 或 `https://` URL：`{ $address }`
skills-exec-http-header = `{ $name }` 不能用作 HTTP 头的名称
skills-exec-http-input = 无法发送任务的输入：{ $why }
skills-exec-http-no-token = `{ $skill }` 需要令牌：请设置环境变量 `{ $name }`
skills-exec-http-redirect = `{ $host }` 重定向到了别处（HTTP 状态 { $status }），请求不会发往那里：请填写最终地址
skills-exec-http-status = `{ $host }` 返回了 HTTP 状态 { $status }
skills-exec-no-answer = 技能没有回答就结束了：它必须输出一个 JSON-RPC 2.0 对象，带有请求的 `id` 以及 `result` 或 `error`
skills-exec-no-bridge = `{ $skill }` 的适配器类型是 `{ $kind }`，需要在配置中指定命令
skills-exec-no-bridge-program = 找不到 `{ $kind }` 类型技能所用的程序 `{ $name }`
skills-exec-no-mcp = `{ $skill }` 的适配器类型是 `mcp`，目前尚不支持
skills-exec-not-utf8 = 技能的回答不是 UTF-8
skills-exec-other-id = 技能回答的是 id 为 { $id } 的请求，而不是 id 为 { $expected } 的请求
skills-exec-signal = 技能在回答之前被信号 { $signal } 终止
skills-exec-spawn = 无法启动技能的程序 `{ $program }`
skills-exec-timeout = 技能在 { $seconds } 秒内没有回答
skills-exec-too-long = 技能的输出超过了 { $mib } MiB
skills-exec-wait = 无法等待技能的程序结束：{ $why }
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

## skills-load: 读取技能、基准和配置

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
