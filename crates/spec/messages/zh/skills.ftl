### What `eval-skills` says, by part, in alphabetical order of the parts.

## skills-cli: the command line

## skills-exec: calling skills

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
