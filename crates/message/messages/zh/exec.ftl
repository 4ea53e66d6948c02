# 执行器：有哪些、缺什么、调用为何失败。

## 执行器
exec-claude = Claude Code 命令行，无界面运行，带完整的工具调用轨迹
exec-codex = Codex 的命令行（无界面运行），记录其工具调用轨迹
exec-gemini = Gemini 的命令行（无界面运行），记录其工具调用轨迹
exec-anthropic-api = Anthropic 的 Messages API，或兼容的服务器
exec-openai-api = OpenAI 的 chat completions，或任何兼容的服务器
exec-gemini-api = Google 的 Gemini，经由 HTTP
exec-openai-cli = OpenAI 的 Python 包中的 `openai` 命令，到 2.30 版为止
exec-openai-cli-gone = `PATH` 里没有能调用模型的 `openai` 命令：Python 包从 2.31 版起不再提供；请用 `openai-api`
exec-openai-cli-dash = `openai` 命令不接受以 `-` 开头的文本：请用 `openai-api`
exec-openai-cli-long = `openai` 命令不接受 { $kib } KiB 或更长的文本：请用 `openai-api`
exec-replay = 回放录制的执行，离线、免费

## 有哪些可用
exec-choice-ready = `{ $name }`：可用
exec-choice-missing = `{ $name }`：不可用：{ $why }
exec-choice-command = 任意命令行，例如 `python3 model.py`：从 stdin 读入 JSON（`model`、`system`、`prompt`），打印回答
exec-unknown = 没有名为 `{ $name }` 的执行器或程序
exec-empty = 执行器为空
exec-missing-key = 请设置环境变量 `{ $name }`
exec-missing-key-or-base = 请设置环境变量 `{ $name }`；若服务器不需要密钥，则设置 `{ $base }`
exec-bad-base-url = `{ $name }` 不是 `http://` 或 `https://` 开头的 URL
exec-bad-key = `{ $name }` 含有 HTTP 头无法携带的字符：请检查其中是否有换行

## 命令行
exec-command-quotes = 命令行 `{ $line }` 中有未闭合的引号
exec-command-help = 单词按 shell 规则切分，但不经过 shell 运行：需要管道或变量时请写 `sh -c '…'`
exec-no-program = `PATH` 中没有程序 `{ $name }`
exec-no-program-file = `{ $name }` 不存在或不可执行
exec-spawn = 无法启动 `{ $program }`
exec-wait = 等待程序结束时出错
exec-command-exit = 命令以退出码 { $code } 结束
exec-command-signal = 命令被信号 { $signal } 终止
exec-command-withheld = 命令似乎缺少 `{ $name }`，它属于机密：如需传入，请写进 `OMK_PASS_ENV`
exec-command-timeout = 命令在 { $seconds } 秒内没有给出回答
exec-command-too-long = 程序输出超过 { $mib } MiB
exec-command-malformed = 无法读取命令输出的 JSON：{ $why }

## HTTP
exec-http-client = 无法建立 HTTP 客户端：{ $why }
exec-http-timeout = `{ $host }` 在 { $seconds } 秒内没有回答
exec-http-unreachable = 无法连接 `{ $host }`：请检查 base URL 和网络
exec-http-dropped = 与 `{ $host }` 的连接中断
exec-http-too-long = `{ $host }` 返回的内容超过 { $mib } MiB
exec-http-not-json = `{ $host }` 返回的不是 JSON：{ $why }
exec-http-error-inside = `{ $host }` 在成功响应中返回了错误
exec-http-auth = `{ $host }` 拒绝了密钥（HTTP 状态码 { $status }）：请检查密钥及其权限
exec-http-no-credit = `{ $host }` 的账户余额或配额已用完：请充值后续跑
exec-http-rate-limited = 对 `{ $host }` 的请求过多（HTTP 状态码 429）
exec-http-server = `{ $host }` 服务异常（HTTP 状态码 { $status }）
exec-http-redirect = `{ $host }` 重定向到了别处（HTTP 状态码 { $status }），密钥不会随之转发：请把 base URL 设为最终地址
exec-http-rejected = `{ $host }` 拒绝了请求（HTTP 状态码 { $status }）
exec-no-content = `{ $host }` 的回答中没有消息
exec-unknown-stop = `{ $host }` 的停止原因未知：`{ $reason }`

## 价格
exec-prices-unusable = 无法使用 `{ $file }` 中的价格：{ $why }
exec-prices-version = `{ $file }` 的版本是 { $version }，本程序只读版本 { $reads }：请按这种格式写价格

## 录制
exec-replay-no-folder = `replay` 需要知道回放什么：请用 `--recordings DIR` 指定目录
exec-replay-help = 用 `--record DIR` 可以录制任何执行器
exec-replay-empty = `{ $file }` 中没有录制内容
exec-recordings-open = 无法打开录制文件 `{ $file }`：{ $why }
exec-recordings-read = 无法读取录制文件 `{ $file }`：{ $why }
exec-recordings-version = 录制文件 `{ $file }` 的版本是 { $version }，本程序只读版本 { $reads }：请用写下它的 omk 回放，或重新录制
exec-recordings-line = `{ $file }` 第 { $line } 行不是录制内容：{ $why }
exec-no-recording = `{ $file }` 中没有 `{ $key }` 的录制
exec-no-recording-torn = `{ $file }` 中没有 `{ $key }` 的录制；该文件最后一行不完整，可能正是它
exec-recording-prompt-changed = `{ $sample }` 的 prompt 在录制之后有改动
exec-recording-artifact-changed = `{ $variant }` 的 artifact 在录制之后有改动
exec-recording-both-changed = `{ $sample }` 的 prompt 和 `{ $variant }` 的 artifact 在录制之后都有改动
exec-recording-other-model = `{ $key }` 录制时用的模型是 `{ $recorded }`，而不是 `{ $model }`
exec-recording-ambiguous = `{ $key }` 对应多条录制：{ $recorded }；请使用录制时的名字，或指定模型
exec-recorder-existing = `{ $file }` 中已有 { $count } 条录制，新的将追加在后
exec-recorder-torn = `{ $file }` 最后一行不完整，已删除
exec-recorder-replaced = `{ $file }` 中有 { $count } 条被重新录制：回放用新的，旧的仍留在文件里
exec-recorder-failed = 部分执行未能录入 `{ $file }`：{ $why }

## claude
exec-agent-missing = `PATH` 中没有程序 `{ $agent }`：请用 `npm install -g { $package }` 安装，然后运行一次并登录
exec-agent-version = `{ $agent } --version` 失败：{ $why }
exec-agent-setting = `{ $agent }` 不支持 `{ $setting }`：请去掉该设置
exec-agent-strict = `{ $agent }` 不能使用用户自己的设置运行：请去掉 `--no-strict-baseline`
exec-agent-network = 无法断开 `{ $agent }` 的网络：{ $why }
exec-agent-network-help = 请使用 `--network open`；或在进程可拥有自己的网络命名空间的环境中运行（以 root 身份，或允许非特权用户命名空间）
exec-agent-network-cloud-help = 请取消云平台的变量并使用厂商的密钥，或使用 `--network open`
exec-agent-network-proxy-help = 如果不经代理也能访问模型，请取消 `{ $name }`；否则使用 `--network open`
exec-agent-network-cloud = 其模型的地址未知，例如由云平台提供
exec-agent-network-proxy = 其模型要经 `{ $name }` 的代理访问
exec-agent-temperature = `{ $agent }` 不支持 temperature：请去掉该设置，或改用 `{ $api }`
exec-agent-file = 无法在 `{ $folder }`（位于 `TMPDIR` 下）中准备 `{ $agent }` 一次调用所需的内容（磁盘已满，或路径过长？）
exec-agent-copy = 智能体在 `{ $directory }` 的副本中工作，副本不含被测 artifact，但无法创建该副本
exec-agent-copy-pipe = `{ $path }` 是管道、套接字或设备，读取它会一直等待；请删除它
exec-agent-no-login = `{ $agent }` 没有登录：{ $variables } 中没有密钥，`{ $file }` 中也没有登录信息
exec-agent-no-login-help = 运行一次 `{ $agent }` 并登录，或设置上述变量之一
exec-agent-copy-size = 无法为每次调用复制 `{ $directory }`：除 Git 忽略的内容外，超过 { $files } 个文件或 { $gib } GiB。请把 `cwd` 设为更小的目录，把不需要的内容写入 `.gitignore`，或接受各 variant 可能看到彼此的 artifact（`--no-strict-baseline`）
exec-agent-timeout = `{ $agent }` 在 { $seconds } 秒内没有完成
exec-agent-auth = `{ $agent }` 未登录或密钥被拒绝：请运行一次 `{ $agent }` 并登录，或设置 `{ $key }`
exec-agent-no-credit = `{ $agent }` 的账户余额或配额已用完：请充值或等待配额恢复后续跑
exec-agent-api-timeout = `{ $agent }` 在它自己的时限内没有得到 API 的回答
exec-agent-status = API 对 `{ $agent }` 返回了 HTTP 状态码 { $status }
exec-agent-connection = `{ $agent }` 与 API 的连接中断或无法建立
exec-agent-error = `{ $agent }` 报告了错误
exec-agent-own-answer = `{ $agent }` 没有询问模型，自己作了回答：以 `/` 开头的提示词会被当作它的命令
exec-agent-no-result = `{ $agent }` 结束时没有给出结果（退出码 { $code }）
exec-agent-unreadable = `{ $agent }` 结束时没有给出结果（退出码 { $code }），且有 { $lines } 行输出不是 JSON
exec-agent-exit-after-result = `{ $agent }` 给出了结果，但退出码是 { $code }

## Mocks

exec-mock-tool = 用例 `{ $sample }` 有一个 `{ $tool }` 的 mock，而 `{ $agent }` 的这个工具无法由 omk 代答；可以代答的是 `{ $tools }`
exec-mock-agent = 用例 `{ $sample }` 有 mock，而 `{ $agent }` 的工具调用无法由 omk 代答
exec-mock-model = 用例 `{ $sample }` 有 mock，而 `{ $executor }` 不会发出可由 mock 回答的工具调用
exec-mock-agent-help = 请用工具可以 mock 的执行器来运行这些用例：{ $executors }，或去掉它们的 `mocks`
exec-mock-fail-help = 无法代答该工具成功的结果，但可以代答失败：给这条 mock 一个非 0 的 `exit`，或去掉它
exec-mock-not-shown = 模型没有看到 `{ $tool }` 的 mock 的结果：资产的 hook 用别的内容替换了它，或这个版本的智能体没有采用它
exec-mock-changed = 资产的 hook（在技能或项目设置里）改动了一次由 mock 决定的 `{ $tool }` 调用，因此实际执行的是别的内容
exec-mock-absent = 智能体在 mock 回答之前就拒绝了一次 `{ $tool }` 调用：{ $text }
exec-mock-unasked = 智能体没有询问 omk 就运行了 `{ $tool }`，本应由 mock 回答或拒绝的调用变成了真实调用
exec-lack-shared-memory = `shared-memory`：调用没有自己的 `/dev/shm`（{ $why }），`landlock-write` 又不允许写本机的，因此需要共享内存的程序会失败
exec-lack-terminals = `terminals`：调用没有自己的终端（{ $why }），`landlock-write` 又不允许用本机的，因此需要终端的程序会失败
