### What `eval-skills` says, by part, in alphabetical order of the parts.

## skills-cli: the command line

skills-cli-cannot-read = 无法读取 `{ $path }`
skills-cli-cell = { $skill }/{ $task }（第 { $run } 次）
skills-cli-config-default = 默认值
skills-cli-config-file = { $path }，第 { $line } 行
skills-cli-config-hidden = 另一个文件中的值优先：`{ $path }` 中的 `{ $key }`
skills-cli-config-keys = `eval-skills config list` 列出所有键
skills-cli-config-set = 已在 { $path } 中设置 { $key }
skills-cli-config-unknown = 没有键 `{ $key }`
skills-cli-config-unset = 未设置
skills-cli-copies-left = 仍是较早评测的：{ $paths }
skills-cli-create-broken = 已跳过 `{ $id }`：按文档生成的技能无法加载：{ $why }
skills-cli-create-changes = { $count ->
    [1] 评测 `{ $first }` 会改动 { $hosts } 上的数据
   *[other] 评测 `{ $first }` 等 { $count } 个技能会改动 { $hosts } 上的数据
}，请先把 `baseUrl` 换成测试服务器
skills-cli-create-exists = `{ $path }` 已经存在
skills-cli-create-exists-help = 没有写入任何文件，`--force` 可以覆盖
skills-cli-create-id = 由 `{ $name }` 得到的 id 是 `{ $id }`，id 中的字母只能是 a 到 z
skills-cli-create-link = `{ $path }` 是链接，创建的内容必须留在自己的目录里
skills-cli-create-next = { $template ->
    [python_script] 在 { $directory }/skill.py 的 `run` 中写出技能的逻辑，在 { $directory }/tests/basic.eval.json 中写一个示例
    [mcp_tool] 把工具所做的事写进 { $directory }/server.py 的 `run`，在 tests/basic.eval.json 中写一个示例；也可以在 skill.json 的 `entrypoint` 中写出自己的服务器
    [openapi] 检查 { $directory }/adapter.config.json 中的 baseUrl 和授权，在 tests/basic.eval.json 中填入真实的值
   *[http_request] 在 { $directory }/adapter.config.json 的 `baseUrl` 和 skill.json 的 `entrypoint` 中写出服务地址，在 tests/basic.eval.json 中写一个示例
}
skills-cli-create-no-id = 无法从名称 `{ $name }` 得到 id
skills-cli-create-no-template = 没有模板 `{ $name }`
skills-cli-create-other = `{ $path }` 应当是{ $kind ->
    [file] 文件
   *[directory] 目录
}，但那里是别的东西，没有写入任何文件
skills-cli-find-more = 显示 { $count } 个技能中的 { $shown } 个，`--limit` 可以显示更多
skills-cli-find-no-history = `{ $store }` 中还没有评测结果，技能没有完成率
skills-cli-find-none = 没有符合的技能
skills-cli-find-stale = * 评测之后它的文件有变化
skills-cli-init-steps =
    eval-skills create --name my_calc --from-template python_script
    eval-skills eval --skills ./skills/my_calc --benchmark coding-easy
skills-cli-lint = { $skills } 个技能，{ $files } 个文件：{ $errors } 个错误，{ $warnings } 个警告
skills-cli-not-rendered = 无法生成报告
skills-cli-openapi-cut = 模式超过 { $limit } 个部分，已被截断，其余部分接受任何值
skills-cli-lint-lacks = 在这台机器上无法调用：{ $why }
skills-cli-openapi-dangling = `{ $reference }` 在文档中没有对应内容，该处接受任何值
skills-cli-openapi-external = `{ $reference }` 指向文档之外，该处接受任何值
skills-cli-openapi-form-style = { $operation }：表单中的 `{ $name }` 不按样式 `{ $style }` 书写，因为表单没有这种样式
skills-cli-openapi-file = 无法读取 `{ $path }`：{ $why }；文档引用的相应内容缺失
skills-cli-openapi-files = 一并读取了 { $count } 个文件，如 `{ $first }`
skills-cli-openapi-file-many = 文档超过 { $limit } 个文件或 { $mib } MiB
skills-cli-openapi-file-outside = 文件在文档所在目录之外，请将其复制到该目录
skills-cli-openapi-large = 模式引用了超过 { $limit } 个其他模式，其余部分接受任何值
skills-cli-openapi-left-out = { $operation }：参数 `{ $name }` 的形式无法发送，已略去
skills-cli-openapi-lost-body = { $operation }：无法跟随 `{ $reference }`，已略去请求体
skills-cli-openapi-lost-operation = 已跳过 { $operation }：无法跟随 `{ $reference }`
skills-cli-openapi-lost-parameter = { $operation }：无法跟随 `{ $reference }`，已略去一个参数
skills-cli-openapi-lost-response = { $operation }：无法跟随 `{ $reference }`，不知道其响应的内容
skills-cli-openapi-more = 关于该文档还有 { $count } 条警告
skills-cli-openapi-no-body = { $operation }：`{ $content }` 无法发送，已略去请求体
skills-cli-openapi-none = `{ $path }` 中没有可以调用的操作
skills-cli-openapi-no-place = { $operation }：`{ $place }` 中的参数 `{ $name }` 在请求中没有位置，已略去
skills-cli-openapi-not = `{ $path }` 既不是 OpenAPI 3 文档也不是 Swagger 2.0 文档：没有 `openapi: 3.…`，也没有 `swagger: 2.0`
skills-cli-openapi-schema = { $operation }：有一个模式不检查类型，因为它无法使用：{ $why }
skills-cli-openapi-no-scheme = { $place }：`security` 引用了 `{ $scheme }`，但 `securitySchemes` 没有定义它，因此请求都不带它的凭据：请定义后重新生成，或在 `adapter.config.json` 中写 `auth`
skills-cli-openapi-security-malformed = { $place }：`security` 不是对象的列表，因此请求都不带凭据：请写成列表，每项形如 `- SCHEME: []`，再重新生成
skills-cli-openapi-part-header = { $operation }：部分 `{ $part }` 不带请求头 `{ $name }`，因为文档没有给出它的值：请写进 `adapter.config.json` 的 `headers`
skills-cli-openapi-security = 无法按 `{ $schemes }` 授权：需要 Bearer 令牌、Basic 认证或 API 密钥，且各占请求中的一处
skills-cli-openapi-server = 文档没有给出完整的服务器地址，请修改 `baseUrl`，现在是 `{ $base }`
skills-cli-openapi-skipped-body = 已跳过 { $operation }：它需要请求体，而 `{ $content }` 无法发送
skills-cli-openapi-skipped-parameter = 已跳过 { $operation }：它需要参数 `{ $name }`，而其形式无法发送
skills-cli-openapi-skipped-method = 已跳过 { $operation }：技能无法发送这种方法
skills-cli-openapi-skipped-many = 已跳过 { $operation }：它的参数超过 { $limit } 个
skills-cli-openapi-stopped = 停在 { $operation } 之前：已生成 { $count } 个技能，文档还会产生过多的技能
skills-cli-evals-moved = `eval-skills evals` 已移除：有技能与没有技能的回答由 omk 比较
skills-cli-evals-moved-help = 运行 `omk eval --samples { $path }`；`omk report export latest --format agent-skills` 会写出 grading.json 和 benchmark.json
skills-cli-incomplete = 评测没有完成：{ $why }
skills-cli-no-judge = 有任务由 `llm_judge` 评分，但没有指定评委
skills-cli-no-judge-help = 请指定评委：`--judge-executor openai-api --judge-model gpt-4o`，或 `eval-skills config set llm.model gpt-4o`
skills-cli-not-selected = 评测未完成，不进行选择：不写入 `{ $output }`
skills-cli-not-utf8 = 本次评测中有路径不是 UTF-8
skills-cli-not-utf8-help = 重命名该目录或文件，或使用指向它的、名称为 UTF-8 的链接
skills-cli-not-ours = `{ $id }` 不是 `eval-skills` 的评测
skills-cli-no-tag = `{ $benchmark }` 中没有带标签 `{ $tag }` 的任务
skills-cli-no-task = `{ $benchmark }` 中没有任务 `{ $task }`
skills-cli-no-tasks-left = 没有同时带有这些标签且属于这些 id 的任务
skills-cli-no-tasks-left-help = `--tag` 选取带有全部所列标签的任务，`--task` 选取所列 id 的任务
skills-cli-nothing-to-resume = 在这个目录里没有开始过的评测
skills-cli-output-is-other = `{ $path }` 是{ $what }，不予覆盖：请指定别的文件，或先把它删除
skills-cli-output-twice = `--json` 和 `--output -` 都要写标准输出：请去掉其中一个
skills-cli-part = 只选取了 { $benchmark } 的 { $all } 个任务中的 { $chosen } 个：只能与相同任务的评测比较
skills-cli-plan = { $skills } 个技能 × { $tasks } 个任务 × { $runs } 轮 = { $total } 次执行
skills-cli-plan-benchmark = 基准    { $id } { $version }（{ $source }）
skills-cli-plan-built-in = 内置
skills-cli-plan-how = 设置    同时 { $concurrency } 个，每个 { $timeout } 毫秒，重试 { $retries } 次{ $transport ->
    [0] { "" }
   *[other] （连接失败时 { $transport } 次）
  }，沙箱{ $sandbox ->
    [on] 已开启
   *[off] 已关闭
}
skills-cli-plan-judge = 评委    { $judge }
skills-cli-plan-nothing = 没有运行任何任务，也没有写入任何文件
skills-cli-plan-scorers = 评分器  { $scorers }
skills-cli-plan-skill = 技能    { $id } { $version }（{ $adapter }）{ $path }
skills-cli-resume-server = `{ $skill }`：MCP 服务现在是 { $now }，而已完成的结果来自 { $before }
skills-cli-resume-server-help = 请恢复原来的服务，或开始新的评测：一份报告中的回答应来自同一个服务
skills-cli-resume-service = `{ $skill }`：无法得知其地址上的服务在评测开始之后是否变过
skills-cli-result = { $cell }：{ $status }
skills-cli-result-why = { $cell }：{ $status }：{ $why }
skills-cli-run-none-fits = `{ $path }` 中没有符合“{ $query }”的技能
skills-cli-run-none-fits-help = 用 `eval-skills find` 查看有哪些技能
skills-cli-secret-help = 请再次完整给出 `--judge-executor`
skills-cli-select-elsewhere = 最新的完整报告来自 `{ $benchmark }`，只采用该基准的报告：有 { $count } 个候选技能只在其他基准或其他内容上测过；可用 `--benchmark` 另行指定
skills-cli-select-stale = `{ $skill }` 的文件在评测之后有变化：请重新评测
skills-cli-strict-journal-help = `eval-skills eval --resume ID --strict-journal`，或 `--resume latest`
skills-cli-trend-no-benchmark = 存储里没有 `{ $skill }` 在 `{ $benchmark }` 上的评测
skills-cli-trend-no-skill = 存储里没有 `{ $skill }` 的评测
skills-cli-unready-help = 该技能由 `{ $path }` 描述
skills-cli-written = 已写入：{ $paths }

## skills-config: the keys of the configuration, for the docs

skills-config-benchmark = `eval` 和 `run` 的基准：id 或文件
skills-config-benchmarks-dir = 查找其他基准的目录，也是 `benchmark import` 写入的目录
skills-config-concurrency = 同时进行的任务数
skills-config-custom = 代替 `custom` 类技能作答的命令
skills-config-evaluator = 任务没有写明时所用的评分器
skills-config-format = 报告格式
skills-config-langchain = 代替 `langchain` 类技能作答的命令
skills-config-llm-executor = 评委和 `evals` 所用的执行器，与 `omk` 相同
skills-config-llm-model = 评委和 `evals` 所用的模型
skills-config-llm-temperature = 评委的采样温度
skills-config-min-completion = 最低完成率：用于 `--exit-on-fail`，以及 `select` 和 `run` 的取舍
skills-config-output-dir = 报告写到哪里
skills-config-retries = 任务以错误或超时结束后最多再试几次；答错从不重试
skills-config-runs = 每个任务运行几轮
skills-config-sandbox = 技能是否在沙箱中运行（`false` 即 `--no-sandbox`）
skills-config-seed = 一切随机抽取的种子；不写则由技能和基准得出
skills-config-skills-dir = 查找和创建技能的目录
skills-config-store = 存放全部结果的 SQLite 数据库
skills-config-timeout = 任务没有自己的时限时，单次尝试的时限，以毫秒计

## skills-evals：`eval-skills evals`

skills-evals-format = Agent Skills 的文件：每次运行的 `grading.json`，以及 `benchmark.json` 和 `benchmark.md`
skills-evals-about = { $skill }：{ $evals } 个评测，使用与不使用该技能各运行 { $runs } 次，由 { $model } 回答
skills-evals-blind = `{ $id }` 是盲评报告，没有说明哪个变体是技能
skills-evals-no-evals = `{ $id }` 的用例不是 `evals.json` 中的评测
skills-evals-not-two = 该格式比较一个技能和一个对照，而 `{ $id }` 有 { $count } 个变体
skills-evals-column-eval = 评测
skills-evals-column-run = 轮次
skills-evals-cost = 费用：${ $cost }，含评委
skills-evals-cost-unknown = 费用：不完全清楚
skills-evals-difference = 差异：{ $points } 个百分点 [{ $low }, { $high }]，p = { $p }，按 { $evals } 个评测配对
skills-evals-difference-alone = 差异：{ $points } 个百分点，没有区间：只有一个评测，或各评测没有差别
skills-evals-difference-none = 差异：没有任何评测在使用与不使用技能时都有通过率
skills-evals-empty = 回答没有文字
skills-evals-not-graded = 该回答未经评判
skills-evals-not-run = 没有运行
skills-evals-note-always = 评测 { $eval }：“{ $text }”无论是否使用技能，每次运行都成立，不能说明技能的作用
skills-evals-note-files = { $count } 个评测列出了文件：这些文件只在提示词中提到，既不复制也不打开
skills-evals-note-never = 评测 { $eval }：“{ $text }”无论是否使用技能，没有一次运行成立：也许无法做到，也许写错了
skills-evals-note-ungraded = { $all } 次运行中有 { $count } 次没有通过率，既不算通过也不算失败：见 `ungraded_runs`
skills-evals-notes = 备注
skills-evals-nothing-expected = 该评测没有说明期望
skills-evals-rate-with = 使用技能的通过率：{ $rate }
skills-evals-rate-without = 不使用技能的通过率：{ $rate }
skills-evals-refused = 模型拒绝回答
skills-evals-time = 用时：使用技能 { $with }，不使用 { $without }
skills-evals-title = { $skill } 的评测
skills-evals-truncated = 回答被截断
skills-evals-ungraded = 没有通过率：{ $all } 次运行中的 { $count } 次
skills-evals-verdict = 结论：{ $valid ->
    [yes] { $verdict }
   *[no] 无，因为这次测量无效（数字本身会得出 { $verdict }）
}
skills-evals-written = 已写入 `{ $path }`：benchmark.json、benchmark.md，以及每个评测的文件夹

## skills-exec: calling skills

skills-exec-empty = `{ $skill }` 的入口没有指明程序
skills-exec-quotes = `{ $skill }` 的命令行中引号没有闭合：`{ $line }`
skills-exec-no-program = 在 `PATH` 和 `{ $skill }` 的目录中都找不到程序 `{ $name }`
skills-exec-no-program-file = `{ $name }` 不存在或不可执行：`{ $skill }` 在自己的目录中运行
skills-exec-no-watchdog = 若本程序被强制结束，技能的进程将无人看管：{ $why }
skills-exec-lack-not-linux = `{ $guard }` 未生效：仅 Linux 支持
skills-exec-lack-no-landlock = `{ $guard }` 未生效：当前内核没有 Landlock
skills-exec-lack-landlock-off = `{ $guard }` 未生效：当前内核没有启用 Landlock
skills-exec-lack-landlock-old = `{ $guard }` 未生效：需要 Landlock 第 { $needed } 版，而当前内核只有第 { $version } 版
skills-exec-lack-refused = `{ $guard }` 未生效：{ $why }
skills-exec-bridge-help = 在配置中把 `adapters.{ $kind }` 设为一条命令：它的最后两个参数是技能目录和入口，并像 subprocess 技能一样使用 JSON-RPC
skills-exec-closed = 技能没有回答就关闭了输出
skills-exec-cpu-time = 技能的进程用尽了 CPU 时间（`adapter.config.json` 中的 `cpuSeconds`）
skills-exec-crowded = 技能同时拥有超过 { $processes } 个进程（`adapter.config.json` 中的 `processes`）
skills-exec-error = 技能返回了错误：{ $why }
skills-exec-exit = 技能没有回答就结束了，退出码为 { $code }
skills-exec-file-size = 技能的进程写入的文件超过了上限（`adapter.config.json` 中的 `fileSizeMb`）
skills-exec-http-address = `{ $skill }` 的地址不是 `http://` 或 `https://` URL：`{ $address }`
skills-exec-http-basic = `{ $skill }` 需要用户名和密码：请将 `{ $name }` 设为 `USER:PASSWORD`
skills-exec-http-cookie = `{ $skill }`：`{ $name }` 的值不能放入 Cookie：其中不允许有空格、引号、逗号、分号和反斜杠
skills-exec-http-header = `{ $name }` 不能用作 HTTP 头的名称
skills-exec-http-input = 无法发送任务的输入：{ $why }
skills-exec-http-no-token = `{ $skill }` 需要令牌：请设置环境变量 `{ $name }`
skills-exec-http-redirect = `{ $host }` 重定向到了别处（HTTP 状态 { $status }），请求不会发往那里：请填写最终地址
skills-exec-http-status = `{ $host }` 返回了 HTTP 状态 { $status }
skills-exec-no-answer = 技能没有回答就结束了：它必须输出一个 JSON-RPC 2.0 对象，带有请求的 `id` 以及 `result` 或 `error`
skills-exec-not-one-line = 技能的回答不是一行：使用 `jsonrpc-lines` 时，每个回答独占一行，并以换行结束
skills-exec-no-bridge = `{ $skill }` 的适配器类型是 `{ $kind }`，需要在配置中指定命令
skills-exec-no-bridge-program = 找不到 `{ $kind }` 类型技能所用的程序 `{ $name }`
skills-exec-not-utf8 = 技能的回答不是 UTF-8
skills-exec-other-id = 技能回答的是 id 为 { $id } 的请求，而不是 id 为 { $expected } 的请求
skills-exec-signal = 技能在回答之前被信号 { $signal } 终止
skills-exec-scratch-size = 技能自己的目录中的内容超过 { $mib } MiB（`adapter.config.json` 中的 `scratchMb`）
skills-exec-spawn = 无法启动技能的程序 `{ $program }`
skills-exec-timeout = 技能在 { $seconds } 秒内没有回答
skills-exec-timeout-start = 技能在 { $seconds } 秒后仍未开始读取请求：启动过慢，或从不读取
skills-exec-timeout-other-id = 技能在 { $seconds } 秒内没有回答：它回答的是 id 为 { $id } 的请求，而不是 id 为 { $expected } 的请求
skills-exec-too-long = 技能的输出超过了 { $mib } MiB
skills-exec-unreadable = 无法把技能的回答读作 JSON：{ $why }
skills-exec-wait = 无法等待技能的程序结束：{ $why }

skills-exec-input-header = 输入中的 `{ $field }` 含有 HTTP 头无法承载的内容，例如换行
skills-exec-input-no-file = 输入中的 `{ $field }` 作为文件发送：应为文本，或带有 `text` 或 `base64` 的对象
skills-exec-input-no-form = 输入中的 `{ $field }` 作为表单发送：应为对象
skills-exec-input-no-path = 输入缺少路径所需的 `{ $field }`
skills-exec-input-path = 输入中的 `{ $field }` 为 `{ $value }`，会指向另一条路径
skills-exec-mcp-ended = `{ $skill }` 的服务器还没回答就断开了连接
skills-exec-mcp-failed = 工具 `{ $tool }` 报告自己失败了
skills-exec-mcp-malformed = `{ $skill }` 的服务器的回答不符合协议
skills-exec-mcp-no-tools = `{ $skill }` 的服务器没有任何工具
skills-exec-mcp-not-object = 工具的参数必须是对象，而任务给 `{ $skill }` 的输入不是
skills-exec-mcp-not-ready = `{ $skill }` 的服务器未能及时就绪
skills-exec-mcp-refused = 服务器返回错误 { $code }
skills-exec-mcp-status = `{ $skill }` 的服务器返回 HTTP 状态 { $status }
skills-exec-mcp-timeout = 工具 `{ $tool }` 在 { $seconds } 秒内没有回答
skills-exec-mcp-too-long = `{ $skill }` 的服务器发来的一条消息超过 { $mib } MiB
skills-exec-denied = 沙箱阻止了它写入 `{ $path }`：请在 skill.json 的 `sandbox.write` 中写明，或使用 `--no-sandbox`。这次调用不计入
skills-exec-denied-socket = 沙箱阻止了它使用套接字文件（D-Bus、Docker、tmux 或它自己的）：请在 skill.json 的 `sandbox` 中设置 `"sockets": true`，或使用 `--no-sandbox`。这次调用不计入
skills-exec-disk-full = 磁盘空间不足：其文件所在处的可用空间少于 { $mib } MiB。请释放空间；这次调用不计入
skills-exec-may-connect = 按 skill.json 的要求，`{ $skill }` 可以使用套接字文件：在那里应答的你的程序（D-Bus、Docker、ssh-agent）会在沙箱之外替它执行操作
skills-exec-may-write = 按 skill.json 的要求，`{ $skill }` 可以写入 { $paths }
skills-exec-mcp-other-id = 请求的 id 是数字，`{ $skill }` 的服务器却以文本作为 id 回答
skills-exec-mcp-unreadable = `{ $skill }` 的服务器有一条消息无法读取：每条消息必须是单独一行的 JSON
skills-exec-mcp-too-many = `{ $skill }` 的服务器不断发出请求，却不读取回答
skills-exec-mcp-unreachable = 无法连接 `{ $skill }` 的服务器
skills-exec-mcp-wants-more = 工具 `{ $tool }` 还要求参数以外的输入，而这里无人可以提供
skills-exec-mcp-which-tool = `{ $skill }` 的服务器有 { $count } 个工具，没有一个叫这个名字：请在 `adapter.config.json` 的 `tool` 中指定

## skills-grade: scoring answers

skills-grade-benchmark-imported = 已将 { $count } 个任务写入 { $path }；用 `--benchmark { $use }` 使用
skills-grade-benchmark-empty = 不含数据，需要导入
skills-grade-benchmark-exists = { $path } 已经存在
skills-grade-benchmark-exists-help = 用 `--output` 指定另一个文件，或用 `--force` 覆盖
skills-grade-benchmark-level = `--level` 只用于 gaia
skills-grade-benchmark-columns = `--input`、`--expected-column`、`--id-column` 和 `--scorer` 只用于 rows
skills-grade-benchmark-count = { $count } 个任务
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
skills-grade-import-call = 这不是一次调用
skills-grade-import-call-help = 调用的写法是 `{ "{" }"name": …, "arguments": { "{" }…{ "}" }{ "}" }`；也可写 `tool` 和 `args`
skills-grade-import-call-key = 无法理解调用中的 `{ $key }`
skills-grade-import-empty = 其中没有可以评分的内容
skills-grade-import-file-name = `{ $name }` 不是同目录下的文件名
skills-grade-import-files = 缺少的附件：{ $count } 个，例如 `{ $name }`
skills-grade-import-files-help = 请把附件放在数据文件旁边；移动之后请重新导入，因为任务按路径引用附件
skills-grade-import-level = `Level` 只能是 1、2 或 3
skills-grade-import-no-json = 此行不是 JSON：{ $error }
skills-grade-import-no-object = 此行不是 JSON 对象
skills-grade-import-no-text = `{ $key }` 必须是非空白的文本
skills-grade-import-twice = `{ $id }` 出现了两次
skills-grade-import-levels = `gaia-v1` 是第 { $level } 级：略去其他级别的 { $count } 个问题
skills-grade-import-levels-help = `--level 2` 和 `--level 3` 各自生成单独的基准
skills-grade-import-withheld = 答案未公开的问题（`?`，如测试集）：略去 { $count } 个
skills-grade-input-unsendable = 任务 `{ $task }` 无法发送给 `{ $skill }`：{ $why }
skills-grade-input-unsendable-help = 请修改它的 `inputData`，或选用适合该技能的基准
skills-grade-inputs-misfit = `{ $skill }`：{ $total } 个输入中有 { $count } 个不符合它的 `inputSchema`，例如 `{ $task }` 的输入：{ $mismatch }
skills-grade-inputs-misfit-help = 输入会照原样发送；如果技能因此报错，请选用适合它的基准
skills-grade-judge-too-long = 回答超过 { $kib } KiB，不会发送给评委
skills-grade-judged = { $score } 分（满分 5）：{ $reasoning }
skills-grade-keywords-all = { $total } 个关键词全部出现
skills-grade-keywords-some = { $total } 个关键词中出现了 { $matched } 个；缺少 `{ $first }`
skills-grade-patterns-all = { $total } 个正则全部匹配
skills-grade-patterns-some = { $total } 个正则中匹配了 { $matched } 个；`{ $first }` 没有匹配
skills-grade-no-answer = 没有可供比较的答案；公开的答案在验证集中
skills-grade-no-judge = 此任务由模型评分；请用 `--judge-executor` 和 `--judge-model` 指定，或在配置的 `llm` 中指定
skills-grade-no-keywords = `contains` 至少需要一个关键词
skills-grade-no-rubric = `llm_judge` 需要评分标准来说明什么是好的回答
skills-grade-not-json = 技能返回的不是 JSON：{ $error }
skills-grade-quality-all = { $total } 项全部符合
skills-grade-quality-few-tasks = 只有 { $count } 个任务，至少要有 { $least } 个
skills-grade-quality-holds = 符合
skills-grade-quality-length = 描述有 { $length } 个字符，应为 { $least } 到 { $most } 个
skills-grade-quality-link = `{ $file }` 是指向技能目录之外或不存在之处的链接
skills-grade-quality-misfit = 有一个输入不符合 `inputSchema`：{ $mismatch }
skills-grade-quality-missing = 缺少 `{ $field }`
skills-grade-quality-no-address = `{ $entrypoint }` 不是 http 地址，也没有 `baseUrl`
skills-grade-quality-no-command = 入口不是命令行
skills-grade-quality-no-file = 入口提到的 `{ $file }` 不存在
skills-grade-quality-no-properties = `inputSchema` 没有列出任何属性
skills-grade-quality-no-tasks = `tests`、`evals` 和 `benchmarks` 中没有任务文件
skills-grade-quality-outputs-vague = `outputSchema` 没有说明输出是什么
skills-grade-quality-own-words = 除名称之外，描述没有说明任何内容
skills-grade-quality-placeholder = `{ $text }` 是占位文字
skills-grade-quality-required = `{ $property }` 是必填的，却不在属性之中
skills-grade-quality-some = { $total } 项中有 { $held } 项符合；缺少：{ $missing }
skills-grade-quality-stray = `{ $file }` 不应放在技能目录里
skills-grade-quality-tags = `tags` 至少要有一个标签，且不能空白或重复
skills-grade-quality-undescribed = `{ $property }` 没有 `description`
skills-grade-quality-undocumented = 没有 SKILL.md，也没有 README
skills-grade-quality-untyped = 属性 `{ $property }` 没有类型
skills-grade-schema-broken = `{ $skill }`：无法按它的 `{ $field }` 检查：{ $error }
skills-grade-unreadable = 技能返回的是 JSON，但无法读取：{ $error }

## skills-load: reading skills, benchmarks, configuration

skills-load-path-missing = 没有文件或目录 `{ $path }`
skills-load-path-missing-help = `eval-skills init` 新建项目，`eval-skills create` 新建技能；也可以用 `--skills-dir` 或 `--skills` 指定技能所在的目录
skills-load-no-skill = `{ $path }` 中没有技能
skills-load-no-skill-help = 技能是含有 `skill.json` 的目录，`eval-skills create --name NAME` 可以创建一个
skills-load-no-skill-text-help = 其中的 `SKILL.md` 供智能体阅读；要能被调用，旁边还需要 `skill.json`
skills-load-tree-too-deep = 超过 { $limit } 层的目录不会搜索，例如 `{ $path }`
skills-load-tree-too-large = 该路径下的文件和目录超过 { $limit } 个，停在 `{ $path }`
skills-load-tree-too-large-help = 请直接指定各技能的目录
skills-load-hash-cut = `{ $path }` 的文件超过 10,000 个，其余文件的改动不会被察觉
skills-load-left-out = 已跳过 `{ $path }`：其中有 { $count } 个错误
skills-load-duplicate-id = 已有技能使用 id `{ $id }`
skills-load-duplicate-first = 第一个在 `{ $path }` 第 { $line } 行
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
skills-load-adapter-key-not-address = `{ $key }` 对有地址的 MCP 服务器不起作用：不会启动任何程序
skills-load-adapter-key-not-program = `{ $key }` 对作为程序启动的 MCP 服务器不起作用
skills-load-adapter-key-not-program-help = 程序从环境变量中读取令牌：请把变量名写进 `env`
skills-load-workers-unused = 协议为 `jsonrpc` 时 `workers` 不起作用：每个任务各用一个进程
skills-load-workers-unused-help = 如果程序能回答多个请求，请写 `"protocol": "jsonrpc-lines"`；同时运行多少个任务由 `--concurrency` 决定
skills-load-adapter-env = 这不是环境变量名
skills-load-adapter-env-help = 只列出名称，如 ["MY_API_KEY"]，值取自环境
skills-load-adapter-env-object = 这里需要环境变量名的列表
skills-load-auth-no-type = 没有 `authType` 时 `{ $key }` 不起作用
skills-load-auth-type-help = 请加上 `"authType"`：`"bearer"`、`"basic"` 或 `"api-key"`
skills-load-auth-no-token = `authType` 为 `{ $kind }` 时需要 `authTokenEnvKey`
skills-load-auth-token-help = 请写出存放令牌的环境变量名，如 "authTokenEnvKey": "MY_API_KEY"
skills-load-auth-unused = `authType` 为 `{ $kind }` 时这一项不起作用
skills-load-auth-places = 密钥放在请求头、查询参数或 Cookie 之一：`authHeader`、`authQuery` 和 `authCookie` 只能给出一个
skills-load-auth-both = `auth` 列出全部凭据：请将这一项移入列表
skills-load-auth-twice = 两个凭据占用了请求中的同一位置
skills-load-header = `{ $name }` 不能作为请求头或 Cookie 的名称
skills-load-request-twice = 参数 `{ $name }` 出现了两次
skills-load-request-no-parameter = 没有参数填入入口中的 `{ "{" }{ $name }{ "}" }`
skills-load-request-no-placeholder = 入口中没有这个路径参数的 `{ "{" }{ $name }{ "}" }`
skills-load-request-encoding-unused = `encoding` 对此 `contentType` 不起作用：它属于表单
skills-load-request-reserved-unused = `allowReserved` 在查询之外不起作用
skills-load-part-header = `{ $name }` 不能作为部分的请求头：`Content-Type` 请写成 `contentType`
skills-load-request-style = 样式 `{ $style }` 不能用于 `{ $place }`
skills-load-request-type = 请求体不能以 `{ $written }` 发送
skills-load-request-type-help = 应为媒体类型，如 `application/json`、`application/x-www-form-urlencoded`、`multipart/form-data`、`text/plain` 或 `application/octet-stream`
skills-load-benchmark-empty = 文件为空，这里需要基准
skills-load-benchmark-unknown = 没有基准 `{ $id }`
skills-load-benchmark-twice = 基准 `{ $id }` 出现了两次：`{ $first }` 和 `{ $second }`
skills-load-benchmark-no-data = 基准 `{ $id }` 没有任务：不包含其数据
skills-load-benchmark-import-help = 请用数据集自己的文件生成：`eval-skills benchmark import { $format } FILE`
skills-load-tasks-empty = 没有任务
skills-load-task-id = `{ $id }` 不能作为 id：首尾不能有空格，不能含换行，也不能超过 { $limit } 个字符
skills-load-task-twice = 已有任务使用 id `{ $id }`
skills-load-number-inexact = 数字 `{ $number }` 的位数超出了此处 JSON 数字所能精确保存的范围：它会变成另一个数
skills-load-number-inexact-help = 请加上引号写成文本：文本与它所写的数字视为相等
skills-load-scorer-needs = 评分器 `{ $scorer }` 需要 `expectedOutput` 中的 `{ $key }`
skills-load-no-keywords = 没有关键词：任何回答都会通过
skills-load-no-patterns = 没有正则：任何回答都会通过
skills-load-two-patterns = 同时写了 `pattern` 和 `patterns`：请全部写进 `patterns`
skills-load-weightless = 所有任务的权重都是 0，没有任何得分计入：请至少给一个任务大于 0 的权重
skills-load-weight-unused = 任务的权重不起作用：评分方法不是 `weighted_mean`
skills-load-weight-unused-help = 请写 `"scoringMethod": "weighted_mean"`，或去掉 `weight`
skills-load-scorer-outside = 评分脚本 `{ $path }` 不在基准所在的文件夹里
skills-load-scorer-outside-help = 请把它复制到基准旁边，以便一起审查和移动
skills-load-strategy-empty = 文件为空，这里需要选择策略
skills-load-strategy-no-adapter = 没有允许任何适配器类型，选不出技能
skills-load-config-no-format = 没有任何格式，不会写出报告
skills-load-config-no-command = 这里需要程序及其参数
skills-load-config-quotes = 引号没有闭合
skills-load-data-empty = 文件为空

## skills-report: results for people

skills-report-about-benchmark = 基准 `{ $id }`{ $version }，{ $tasks } 个任务 × { $runs } 轮，内容 { $hash }
skills-report-about-run = 评测 `{ $id }`，开始于 { $started }，`eval-skills` { $version }，种子 { $seed }
skills-report-about-settings = 同时 { $concurrency } 个，每个任务 { $timeout }，重试 { $retries } 次{ $transport ->
    [0] {""}
   *[other] { "" }，连接失败时再多 { $transport } 次
  }
skills-report-alike = { $count } 个任务（{ $tasks }）
skills-report-bad-id = `{ $id }` 不能作报告文件名：只能用字母、数字、`.`、`_` 和 `-`
skills-report-by-method = 区间为 95 % 区间：{ $method }。
skills-report-completion = 完成率
skills-report-composite = 综合分
skills-report-consistency = 一致性
skills-report-contradiction = `{ $path }` 自相矛盾：{ $scope ->
    [whole] { "" }
   *[other] `{ $skill }` 的{ " " }
  }`{ $field }` 为 { $stored }，而按任务结果应为 { $follows }
skills-report-counts = 计划 { $total } 次：通过 { $pass }，未通过 { $fail }，出错 { $error }，超时 { $timeout }；不计入：无法评分 { $unscored }，框架错误 { $harness }。
skills-report-damaged = `{ $path }` 已损坏：{ $why }
skills-report-damaged-help = 请用 `eval-skills eval` 重新生成，或使用完整的副本
skills-report-diff-about = 基准 `{ $benchmark }`；{ $a } 是 `{ $ida }`，{ $b } 是 `{ $idb }`
skills-report-diff-benchmark = 两份报告来自不同的基准：`{ $a }` 和 `{ $b }`
skills-report-diff-contents = 基准 `{ $benchmark }` 的内容变了：{ $a } → { $b }
skills-report-diff-differs = `{ $what }` 也不同：{ $a } → { $b }
skills-report-diff-force = 请在同一个基准上评测两者，或用 `--force` 只比较共有的任务
skills-report-diff-forced = 两个基准不同（`{ $a }`、`{ $b }`）：只比较输入和期望都相同的任务
skills-report-diff-incomplete = { $label } 不完整：只比较两边都有的任务
skills-report-diff-legend = ▲ 更好，▼ 更差，与数字增减方向无关；pp 表示百分点
skills-report-diff-empty-a = 较早的报告里没有技能
skills-report-diff-empty-b = 较晚的报告里没有技能
skills-report-diff-no-skill = 两份报告没有共同的技能：{ $a } 对 { $b }
skills-report-diff-no-skill-help = 请比较含有同一 id 技能的报告，或各含一个技能的报告
skills-report-diff-only = 只在 { $label } 中：{ $skills }
skills-report-diff-other-files = { $skill }（文件有变化）
skills-report-diff-servers = { $skill }（服务器有变化：{ $a } → { $b }）
skills-report-diff-same-files = { $skill }（文件相同：变化来自偶然，或来自文件之外，如服务或已安装的程序）
skills-report-diff-unknown-files = { $skill }（不知道其文件是否有变化）
skills-report-diff-test = 两侧共有 { $tasks } 个任务，未比较 { $left } 个；McNemar 精确检验 p { $mcnemar }（双侧，按任务），通过变少的精确检验 p { $regression }（单侧，按全部轮次）
skills-report-diff-title = { $a } → { $b }
skills-report-diff-uneven = 有 { $count } 个任务在一侧跑的轮次更多：判断翻转时只看那一侧最前面的若干轮，与另一侧的轮次一样多；各项比率仍按全部轮次计算
skills-report-diff-unsound = { $label } 中不能计入的结果太多，它的数字说明不了什么
skills-report-diff-versions = { $a } → { $b }
skills-report-errors = 错误率
skills-report-excluded = 未选中 { $count } 个
skills-report-failing = { $skill }：{ $count } 个任务未通过
skills-report-file = `{ $path }`：{ $why }
skills-report-filter-missed = 只看未通过的
skills-report-gate = 门禁
skills-report-gate-failed = 门禁拒绝：{ $count } 个技能低于 { $least }：{ $skills }
skills-report-gate-fails = 未过
skills-report-gate-incomplete = 门禁拒绝：评测不完整，其余部分无从得知
skills-report-gate-passed = 门禁放行：每个技能的完成率都不低于 { $least }
skills-report-gate-passes = 通过
skills-report-gate-regressed = 退化：{ $skills }
skills-report-gate-side-incomplete = { $label } 不完整，因此不放行：请接着评测，或重新评测
skills-report-gate-side-unsound = { $label } 中不能计入的结果太多，因此不放行
skills-report-gate-tasks-missing = { $label } 缺少另一份报告里 { $skill } 的 { $count } 个任务，因此不放行：{ $tasks }
skills-report-gate-uncounted = 门禁拒绝：{ $count } 个技能有超过 { $limit } 的结果不能计入：{ $skills }
skills-report-gate-unknown = 门禁拒绝：{ $count } 个技能没有任何结果计入：{ $skills }
skills-report-gate-unmeasured = 无法比较 { $skills }，因此不放行
skills-report-heading = { $benchmark }：{ $skills } 个技能 × { $tasks } 个任务 × { $runs } 轮
skills-report-impossible = `{ $path }` 不可信：{ $scope ->
    [whole] { "" }
   *[other] `{ $skill }` 的{ " " }
  }`{ $field }` 为 { $stored }，这不可能
skills-report-in-runs = （{ $runs } 轮中的 { $count } 轮）
skills-report-interrupted = 评测不完整：{ $why }
skills-report-interval = 95 % 区间
skills-report-is-benchmark = 基准
skills-report-is-directory = 目录
skills-report-is-list = JSON 列表
skills-report-is-no-json = 不是 JSON
skills-report-is-omk = `omk` 的报告
skills-report-is-other = 其他 JSON
skills-report-is-result = eval-skills 的评测结果
skills-report-is-selection = 技能的选择结果
skills-report-is-skill = `skill.json`
skills-report-is-too-large = 不是普通文件，或大于 2 GiB
skills-report-latency = 延迟
skills-report-less-often = 通过次数减少
skills-report-method-bootstrap = 以任务（含其全部轮次）为单位的自助法
skills-report-method-clustered-wilson = Wilson 区间，一个任务的全部轮次算作一次
skills-report-method-wilson = Wilson 区间
skills-report-more = 另有 { $count } 个
skills-report-more-often = 通过次数增多
skills-report-other-version = `{ $path }` 的格式版本是 { $version }，本程序只读版本 { $reads }
skills-report-other-version-help = 请用写下它的 `eval-skills` 读取，或用本程序重新评测
skills-report-newly-failing = 新的未通过
skills-report-newly-passing = 新的通过
skills-report-next-error = 错误来自技能本身：报告里有它的消息和标准错误的末尾
skills-report-next-resume = 从中断处继续：`eval-skills eval --resume { $id }`
skills-report-next-runs = 只跑一轮分不清运气与能力：`--runs 3` 可看出结果是否稳定
skills-report-next-schema = 有的输出不符合技能的 `outputSchema`，报告里写明了位置
skills-report-next-timeout = 慢任务可提高 `--timeout`，或任务自己的 `timeoutMs`
skills-report-next-unsound = 超过 { $limit } 的结果不能计入，这些数字说明不了技能的好坏；请先解决
skills-report-no-answer = 技能没有返回任何内容
skills-report-no-format = `{ $format }` 不是可用的格式：可用 { $known }
skills-report-no-such-file = 没有 `{ $path }`
skills-report-not-a-result = `{ $path }` 不是 eval-skills 的结果：它是{ $instead ->
    [benchmark] { skills-report-is-benchmark }
    [directory] { skills-report-is-directory }
    [list] { skills-report-is-list }
    [text] { skills-report-is-no-json }
    [omk] { skills-report-is-omk }
    [result] { skills-report-is-result }
    [selection] { skills-report-is-selection }
    [skill] { skills-report-is-skill }
    [large] { skills-report-is-too-large }
   *[other] { skills-report-is-other }
  }
skills-report-not-a-result-help = 请给出由 `eval-skills eval --format json` 写成的 `eval-result-….json`
skills-report-not-passed = 未通过的结果
skills-report-not-run = 计划的 { $total } 个结果中有 { $count } 个没有运行
skills-report-not-scored = 答案没有评分
skills-report-note-servers = `{ $skill }`：运行期间服务器发生了变化，回答来自多个版本：{ $servers }
skills-report-note-uncalled = `{ $skill }` 从未被调用，因此没有延迟，也没有综合分
skills-report-note-uncounted = `{ $skill }`：{ $count } 个结果不计入，第一个：{ $reason }
skills-report-one = { $skill }
skills-report-p50 = P50
skills-report-p95 = P95
skills-report-p99 = P99
skills-report-page-composite-help = 0.5 × 完成率 + 0.2 ×（1 − P95 ÷ { $limit }）+ 0.3 ×（1 − 错误率）
skills-report-page-cut = ……（共 { $count } 个字符，完整内容见 JSON 报告）
skills-report-page-description = 说明
skills-report-page-enforced = 约束：{ $guards }
skills-report-page-error = 错误
skills-report-page-expected = 期望
skills-report-page-facts = { $scorer }；{ $attempts } 次尝试；进程启动 { $start }；词元 { $tokens }
skills-report-page-failed-attempts = 之前的尝试
skills-report-page-flips = { $flips } 的任务结果不一
skills-report-page-foot = 由 `eval-skills` { $version } 写成；评测 { $id }，种子 { $seed }
skills-report-page-how = 方式
skills-report-page-input = 输入
skills-report-page-latency-title = 延迟
skills-report-page-left-out = 有 { $count } 个已通过的结果没有列在此页，完整内容见 JSON 报告
skills-report-page-mismatches = 输出模式
skills-report-page-not-enforced = 要求了但未生效：{ $guards }
skills-report-page-output = 输出
skills-report-page-pass-k = { $k } 轮全部通过
skills-report-page-results = 结果
skills-report-page-run-bar = 第 { $run } 轮：{ $rate }
skills-report-page-runs = 各轮完成率
skills-report-page-scores = 得分
skills-report-page-scores-bar = { $count } 个得分在 { $from } 到 { $to }
skills-report-page-skip = 跳到结果
skills-report-page-stderr = 标准错误
skills-report-partial = 部分得分
skills-report-reason = 原因
skills-report-returned = 返回了 { $output }
skills-report-run = 轮次
skills-report-score = 得分
skills-report-select-benchmark = 没有候选技能在基准 `{ $benchmark }` 上测过
skills-report-select-benchmark-help = 现有报告的基准：{ $known }
skills-report-select-candidates-help = 列表是含 `id`、`adapterType`、`tags` 的技能 JSON 数组，或 `select --output` 写成的文件
skills-report-select-entry = 无法读取候选列表：第 { $place } 项：{ $why }
skills-report-select-no-list = 无法读取候选列表：它不是技能数组
skills-report-selected = 选中 { $count } 个，共 { $all } 个
skills-report-skill = 技能
skills-report-skills = 技能
skills-report-stability = { $skill }：一致性 { $consistency }，{ $flips } 的任务在各轮间结果不一，{ $all } 的任务 { $k } 轮全部通过（pass^{ $k }）
skills-report-standing-higher = 完成得更多：新通过 { $passing } 个任务，新未通过 { $failing } 个{ $often ->
    [0] {""}
   *[other] ；另有 { $more } 个通过次数增加，{ $less } 个减少
  }
skills-report-standing-lower = 完成得更少，但可能出于偶然：新未通过 { $failing } 个，新通过 { $passing } 个{ $often ->
    [0] {""}
   *[other] ；另有 { $more } 个通过次数增加，{ $less } 个减少
  }；多跑几轮（`--runs 3`）便知
skills-report-standing-regressed = 退化：完成率下降超出偶然，新未通过 { $failing } 个，新通过 { $passing } 个{ $often ->
    [0] {""}
   *[other] ；另有 { $more } 个通过次数增加，{ $less } 个减少
  }
skills-report-standing-same = 完成得一样多：新未通过 { $failing } 个，新通过 { $passing } 个{ $often ->
    [0] {""}
   *[other] ；另有 { $more } 个通过次数增加，{ $less } 个减少
  }
skills-report-standing-unmeasured = 没有任务在两侧都计入，因此无法比较
skills-report-status = 状态
skills-report-status-error = 出错
skills-report-status-fail = 未通过
skills-report-status-harness = 框架错误
skills-report-status-pass = 通过
skills-report-status-timeout = 超时
skills-report-status-unscored = 无法评分
skills-report-tag = 标签
skills-report-tags = 按标签
skills-report-taken = `{ $path }` 属于另一次评测
skills-report-task = 任务
skills-report-tasks = 任务数
skills-report-title = { $benchmark }
skills-report-tokens = 令牌：合计 { $total }，来自报告了令牌数的 { $count } 个结果。
skills-report-trend-changed = * 技能的文件有变化
skills-report-trend-nothing = 存储里没有 `{ $skill }` 的已完成评测；`eval-skills eval` 会添加
skills-report-trend-other = { $skill }，基准 { $benchmark }（{ $hash }）：内容不同，另成一列
skills-report-trend-partial = （不完整）
skills-report-trend-series = { $skill }，基准 { $benchmark }（{ $hash }）
skills-report-trend-when = 时间
skills-report-version = 版本
skills-report-why = 原因
skills-report-why-adapter = 它的适配器 `{ $value }` 不在要求之内
skills-report-why-benchmark = 只在其他基准上测过：`{ $evaluation }` 中的 `{ $benchmark }`
skills-report-why-completion = 完成率 { $value }，低于 { $least }
skills-report-why-errors = 错误率 { $value }，高于 { $most }
skills-report-why-incomplete = 它的评测 `{ $evaluation }` 不完整：请接着评测，或重新评测
skills-report-why-latency = P95 { $value }，高于 { $most }
skills-report-why-no-report = 没有报告：请先评测
skills-report-why-same-id = 另一个候选有相同的 id
skills-report-why-tags = 缺少标签 { $missing }
skills-report-why-top = 排第 { $rank }，只保留 { $kept } 个
skills-report-why-uncounted = { $tried } 个结果中有 { $uncounted } 个不能计入，它的数字说明不了什么
skills-report-why-unmeasured = 没有任何结果计入，因此一无所知

## skills-store: the store

skills-store-endless = 已停止读取存储 `{ $path }`：所需的步骤超过了本程序写出的存储应有的数量。它已损坏，或是为拖住读取者而制作的
skills-store-content = 存储 `{ $path }` 里有无法读取的内容：{ $why }
skills-store-file = 无法打开存储 `{ $path }`：{ $why }
skills-store-missing = 没有存储 `{ $path }`
skills-store-missing-help = `eval-skills eval` 会创建；也可用 `--store` 指定别处的
skills-store-version = 存储 `{ $path }` 的版本是 { $version }，本程序只读版本 { $reads }
skills-store-version-help = 请用写下它的 `eval-skills`，或用 `--store` 指定别的文件
skills-store-not-a-store = `{ $path }` 不是 `eval-skills` 的存储
skills-store-not-a-store-help = 它没有被改动；请用 `--store` 指定别的文件
skills-store-sqlite = 存储 `{ $path }`：{ $why }
skills-store-taken = 存储里已有另一次评测使用 id `{ $id }`
skills-store-unknown = 存储里没有评测 `{ $id }`
