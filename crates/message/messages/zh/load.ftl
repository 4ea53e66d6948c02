# load: files, their syntax, samples, eval.yaml, variants

## Files

load-file-missing = 文件 `{ $path }` 不存在
load-file-is-directory = `{ $path }` 是目录，这里需要文件
load-file-not-regular = `{ $path }` 不是普通文件
load-file-too-large = `{ $path }` 超过 { $mib } MiB
load-file-unreadable = 无法读取 `{ $path }`：{ $detail }
load-not-a-directory = `{ $path }` 不是目录
load-not-utf8 = 不是 UTF-8 文本
load-lookalike = `{ $character }`（{ $code }）形似 `{ $sign }` 而不是它：需要它的地方请写 `{ $sign }`
load-lookalike-space = 这一行有另一种空格（{ $code }），它不能用于缩进：请用普通空格
load-is-json-lines = 这是 JSON Lines（每行一个对象），需要的是一个列表
load-is-json-lines-help = 请把这些对象放进一个列表并用逗号分隔：`jq -s . FILE` 可以做到
load-is-csv = 这是 CSV，需要的是 JSON 或 YAML 的用例列表
load-is-csv-help = 请在 `.yaml` 或 `.json` 文件里把每一行写成带 `sample_id` 和 `prompt` 的对象
load-utf16 = `{ $path }` 是 UTF-16 编码，需要 UTF-8 文本
load-not-utf8-help = 请把文件另存为 UTF-8
load-name-not-utf8 = `{ $path }` 的文件名不是 UTF-8
load-first-here = 首次出现在这里
load-more-problems = 此文件中还有 { $count } 个问题

## Expectations

# What was found instead; used inside other messages.
load-found = { $kind ->
    [null] 空值
    [bool] {" "}`{ $written }`
    [number] 数字 `{ $written }`
    [empty] 空文本
    [text] 文本 `{ $written }`
    [empty-list] 空列表
    [list] 列表
   *[object] 对象
}
load-expected = 这里需要{ $expected ->
    [text] 文本
    [filled-text] 文本
    [text-like] 文本、数字、`true` 或 `false`
    [path] 路径
    [flag] {" "}`true` 或 `false`
    [number] 数字
    [whole-number] 整数
    [list-of-texts] 文本列表
    [list-of-queries] 查询列表
    [list-of-calls] 调用列表，每项是工具名，或含有 `tool` 和 `input_contains` 的对象
    [list] 列表
    [list-of-tasks] 任务列表
    [list-of-samples] 用例列表
    [list-of-assertions] 断言列表
    [list-of-mocks] {" "}mock 列表
    [list-of-answers] 返回值列表
    [list-of-annotations] 标注列表
    [list-of-variants] 一个变体或变体列表
    [variant] 知识资产的名字，或含有 `artifact`、`name`、`cwd` 的对象
    [schema] {" "}JSON Schema：对象、`true` 或 `false`
    [answer] 文本，或含有 `stdout`、`stderr`、`exit` 的对象
   *[object] 对象
}，实际是{ load-found }
load-quote-it = 若要作为文本，请加引号："{ $written }"
load-list-help = 请写成列表：["{ $written }"]
load-null-help = 请给这个键一个值，或者删掉它
load-unknown-key = 未知的键 `{ $key }`
load-key-ignored = 忽略未知的键 `{ $key }`
load-missing-key = 缺少键 `{ $key }`
load-duplicate-key = 键 `{ $key }` 出现了两次
load-variant-key = `{ $key }` 属于变体，写在它的 `artifact` 旁边
load-did-you-mean = 是不是想写 `{ $suggestion }`？
load-known-words = 可用的有 { $known }
load-not-one-of = `{ $written }` 不在可选值 { $known } 之中
load-out-of-range = { $written } 超出范围，应在 { $low } 到 { $high } 之间
load-too-small = { $written } 太小，至少应为 { $low }
load-too-large = { $written } 太大，最多为 { $high }
load-number-too-large = 数字 `{ $written }` 太大
load-too-deep = 嵌套超过 { $limit } 层

## JSON

load-json-expected-value = 这里需要 JSON 值，实际是 { $found }
load-json-expected-key = 这里需要双引号括起来的键，实际是 { $found }
load-json-expected-colon = 键 `{ $key }` 之后需要 `:`，实际是 { $found }
load-json-expected-comma = 这里需要 `,` 或 `{ $close }`，实际是 { $found }
load-json-missing-comma = 这里缺少逗号
load-json-trailing-comma = JSON 不允许最后一个元素后面有逗号
load-json-comment = JSON 不允许注释
load-json-after-end = 文档在此之前已经结束
load-json-ends = 文件在一个值的中间结束了
load-json-number = `{ $written }` 不是 JSON 数字
load-json-word = `{ $written }` 不是 JSON，这里需要 `true`、`false`、`null`、数字或双引号括起来的文本
load-json-escape = `{ $written }` 不是 JSON 的转义
load-json-line-break = 文本不能跨行，请补上引号或写 `\n`
load-json-control = 文本中不能直接出现这个字符，请写 `{ $code }`
load-json-text-open = 从这里开始的文本没有结束引号

## YAML

load-yaml-syntax = 不是有效的 YAML：{ $detail }
load-yaml-tab = YAML 不允许在这里使用制表符
load-yaml-tab-help = 请用空格缩进
load-yaml-quote-open = 带引号的文本没有结束引号
load-yaml-quote-indent = 前面开始的带引号文本没有闭合，或者它的这一行没有缩进
load-yaml-colon-help = 如果这是文本的一部分，请给整段文本加引号；如果是键，请检查它的缩进
load-yaml-quote-help = 如果这是文本的一部分，请给整段文本加引号
load-yaml-bracket-open = `{ $open }` 没有闭合
load-yaml-bracket-wrong = `{ $open }` 被 `{ $close }` 闭合
load-yaml-colon = 这里不能出现 `:`
load-yaml-character = 这里不能出现 `{ $character }`
load-yaml-indentation = 缩进与前文不符
load-yaml-indentation-help = 同一个对象的键、同一个列表的项，要从同一列开始
load-yaml-escape = 双引号文本中有未知的转义
load-yaml-escape-help = 反斜杠请写成 `\\`，或改用单引号
load-yaml-second-document = 这里开始了第二个 YAML 文档，只允许一个
load-yaml-key = 键必须是文本
load-yaml-merge = `<<` 后面需要对象或对象列表
load-yaml-tag = 标签 `{ $tag }` 未知，或与值不符
load-yaml-unknown-alias = 在这个别名之前没有锚点 `&{ $name }`
load-yaml-star-help = 以 `*` 开头的文本需要加引号
load-yaml-recursive-alias = 锚点不能包含它自己
load-yaml-alias-bomb = 别名展开的内容总共超过 { $mib } MiB
load-yaml-leading-zero = `{ $written }` 会被读成数字，前导零会丢失
load-yaml-not-finite = `{ $written }` 不是 JSON 能表示的数字

## Samples

load-samples-empty = 文件里没有用例
load-samples-format = `{ $path }` 不是用例文件，需要 `.json`、`.yaml` 或 `.yml`
load-samples-none = `{ $dir }` 里没有用例文件
load-samples-none-help = 请创建 `eval-samples.yaml` 或 `eval-samples.json`，或用 `--samples` 指定文件；`omk init` 会建一个可用来起步的小项目
load-samples-none-evals = 要使用已有的 Agent Skills 文件，请加上 `--samples { $path }`
load-samples-several = 用例文件不止一个：{ $files }
load-samples-several-help = 请用 `--samples` 选择其中一个
load-duplicate-sample = 用例 `{ $id }` 出现了两次
load-alike-ids = 标识 `{ $id }` 与 `{ $other }` 只在看不见的字符（如空格）或 Unicode 规范形式上不同
load-alike-ids-help = 请改写其中一个；若本是同一个，请写成一样
load-sample-id-space = 标识 `{ $id }` 的首尾不能有空白，也不能含有控制字符
load-sample-id-long = 标识不能超过 { $limit } 个字符
load-empty-context = 空的 context 按没有 context 处理
load-dimensions-empty = 至少需要一个维度
load-dimension-unnamed = 维度需要名字
load-nothing-scored = 这条用例没有任何评分依据
load-nothing-scored-help = 请加上 `assertions`、`rubric` 或 `dimensions`
load-rubric-unused = rubric 不会被使用，因为 `dimensions` 优先
load-triggers-one-kind = 所有查询的要求都一样：{ $should ->
    [true] 每一条都应加载技能
   *[other] 没有一条应加载技能
}
load-triggers-one-kind-help = 两种查询都要有；差一点就合适的（`near_miss: true`）最能说明问题
load-triggers-instead = 只有不应加载该技能的查询（`should_trigger: false`）才能指定另一个技能
load-evals-no-expectations = 没有一个评测说明了期望，因此没有可评判的内容
load-evals-other-name = 技能的目录名是 `{ $own }`，`evals.json` 称它为 `{ $other }`
load-evals-unknown-skill = 这些评测旁没有名为 `{ $name }` 的技能目录；现有 { $known }
load-evals-unscored-help = 请加上 `expectations` 或 `expected_output`
load-evals-files = 这些文件只会在提示词中列为可用，不会被复制；请在含有它们的目录中运行

## Assertions and mocks

load-unknown-type = 未知的断言类型 `{ $kind }`
load-weight = 权重是 { $written }，应大于 0
load-mock-no-answer = mock 需要 `return`、`return_file` 或 `return_seq`
load-mock-two-answers = `return` 与 `return_file` 不能同时使用
load-mock-schema = 工具输入的 `type` 不是 `object`，智能体会因此丢弃其服务器的所有工具
load-mock-schema-help = 请写 `type: object`，并在 `properties` 中写明输入的内容
load-mock-tool-star = `{ $tool }` 不是工具名：`*` 只能单独使用，表示所有工具
load-mock-tool-name = 服务器的工具不可能叫 `{ $tool }`
load-mock-tool-name-help = 名字由字母、数字、`_`、`-` 和 `.` 组成：`mcp__SERVER__TOOL`
load-mock-tool-star-help = 请为每个工具各写一个 mock，或只写 `*`

## The keys of sample files, for the docs

load-sample-id = 文本：用例名，在文件内唯一；最多 200 个字符，不含控制字符，首尾没有空格
load-sample-prompt = 文本：向模型提的问题
load-sample-context = 文本：放进代码块，接在提示词后面
load-sample-agent-markup = `true` 或 `false`：设为 `false` 时，这个用例的提示词与上下文中的 `@path` 和 `$skill` 只是文本，智能体不会据此附加文件或加载技能
load-sample-url-fetch = `true` 或 `false`：`false` 让这个用例的提示词与上下文中的 URL 保持原样
load-sample-cwd = 目录：这个用例执行时的工作目录，优先于变体的工作目录
load-sample-rubric = 文本：评委给回答打 1–5 分的依据
load-sample-assertions = 断言列表：回答必须通过的检查
load-sample-dimensions = 对象，名称 → 评分标准：多个评分标准，分别打分；取代 `rubric`
load-sample-capability = 文本列表：用例覆盖哪些能力；每项能力单独分析，用例太少的能力会被指出
load-sample-cluster = 它是哪一道任务的变体：同一簇的用例只算一个
load-sample-difficulty = `easy`、`medium` 或 `hard`，仅作说明
load-sample-construct = 文本，仅作说明：`necessity`、`quality`、`capability`，或自己的词
load-sample-provenance = `human`、`llm-generated` 或 `production-trace`，仅作说明：用例的来源
load-sample-mocks = 列表，预设的工具调用结果
load-sample-mocks-strict = `true` 或 `false`：没有 mock 的工具调用是否拒绝
load-sample-tripwire = `true` 或 `false`：模型本应失败的用例；不进入任何均值和比较
load-sample-judge = `rubric` 或 `pairwise`：评委给每个回答打分，还是比较它们；优先于设置
load-sample-environment = 对象：在提示词前加一段简短的 “Already available” 说明，列出这些内容
load-sample-environment-cli = 文本列表：命令行程序
load-sample-environment-files = 文本列表：文件
load-sample-environment-notes = 文本：其他说明
load-sample-mock-tool = 文本：工具名，`*` 表示任何工具
load-sample-mock-match = 对象：这个 mock 回答该工具的哪些调用；其中的键须全部符合
load-sample-mock-return = 结果：文本，或含有 `stdout`、`stderr`、`exit` 的对象
load-sample-mock-return-file = 存放结果的文件，代替 `return`
load-sample-mock-return-seq = 结果列表：每次命中依次取一个，用完后取 `return`
load-sample-mock-description = 文本：不存在的 MCP 服务器的工具，向模型说明它的用途
load-sample-mock-input-schema = JSON Schema：这种工具的输入
load-sample-match-file-path = 文本：参数中的路径等于它
load-sample-match-file-path-endswith = 文本：路径在某个路径分隔处以它结尾
load-sample-match-url = 文本：URL 等于它
load-sample-match-url-glob = 文本：URL 符合该通配符
load-sample-match-command-glob = 文本：命令符合该通配符；`*` 可跨行
load-sample-match-input = 对象：参数包含它
load-sample-match-input-contains = 文本或文本列表：出现在参数的文本里，不分大小写

## eval.yaml

load-settings-empty = 文件里没有任何设置
load-key-samples = 用例文件；不写则取项目中唯一的 `eval-samples.json`、`.yaml` 或 `.yml`
load-key-skill-dir = 按名字查找变体的目录
load-key-control = 作为对照的变体
load-key-treatments = 与对照比较的变体；只有一个时可以不写成列表
load-key-delivery = 资产如何到达模型：`system-prompt` 把文本加到系统提示词；`skill` 作为技能提供给智能体，由它决定是否加载；`project` 把文件放进工作目录
load-key-triggers = 应加载和不应加载该技能的查询：一个文件、一个列表，或 `queries` 加上同时提供的其他技能（`with`）
load-key-min-recall = 应加载技能的执行中，实际加载的比例不得低于此值
load-key-min-precision = 加载了技能的执行中，加载正确的比例不得低于此值
load-key-max-gap-rate = 允许的最高缺口率
load-key-gap-rate-regression = 与同一测试集、同一变体的上一份报告相比，缺口率最多允许上升多少
load-key-gap = `markers`：智能体用来标出缺口的文字，例如 `NEEDS CLARIFICATION`；`searchTools`：用来搜索的工具的名称，`*` 代表任意文字；`emptyResult`：这些工具什么也没找到时返回内容的正则表达式
load-key-hedging-classifier = 由模型复核存疑语句：`model`（默认第一位评委）、`maxCandidates`（50）、`enabled`（有评委的运行默认启用）
load-key-kb = 知识库的文件和文件夹，用来度量覆盖率
load-gap-empty = `gap` 没有内容：请写 `markers`、`searchTools` 或 `emptyResult`
load-search-tool-letters = `{ $tool }` 会把所有工具都当作搜索：请写工具名，例如 `mcp__wiki__search` 或 `mcp__wiki__*`
load-empty-result = `emptyResult` 中的 `{ $pattern }` 不是正则表达式：{ $why }
load-empty-result-alone = `emptyResult` 是 `searchTools` 中的工具什么也没找到时返回的内容：请写出这些工具
load-marker-letters = 标记 `{ $marker }` 不含字母或数字，会在没有标记任何缺口的文字中匹配到
load-kb-empty = `{ $path }` 中没有可以作为知识库的文件
load-kb-unreadable = 无法读取知识库 `{ $path }`：{ $why }
load-kb-help = 请用 `--kb` 或 eval.yaml 的 `kb` 指定存在的文件和文件夹
load-key-varies = 变体之间可以不同的部分；其他不同之处都是错误
load-key-executor = 由谁作答：执行器的名字，或一条命令
load-key-model = 被测模型；不写则用执行器默认的
load-key-effort = 推理强度（模型支持时）
load-key-temperature = 采样温度；不写则用厂商的默认值；`claude` 不支持
load-key-max-tokens = 最长回答，以 token 计；不写则为厂商的上限，`anthropic-api` 为 8192
load-key-max-turns = 智能体的最多轮数：用于 `claude` 和命令；不写则用智能体自己的上限
load-key-allowed-tools = `claude` 不必询问即可使用的工具，`[]` 表示一个都不给；不写则由智能体决定
load-key-permissions = 智能体无需询问即可做什么：`default` 为其程序默认允许的；`edits` 可修改其工作目录副本中的文件；`bypass` 可使用所有工具。变体可以单独设置
load-key-sandbox = 系统支持时，隔离的智能体是否在沙箱中运行
load-key-network = 隔离的智能体及其工具可访问的网络：`open` 为本机可访问的一切；`none` 为除模型外都不可访问
load-key-recordings = `replay` 执行器读取录制的位置
load-key-record = 把每次执行录制到哪里
load-key-judge = 是否启用评委（`false` 即 `--no-judge`）；`rubric` 或 `pairwise` 说明方式（`--judge-mode`）
load-key-judge-model = 评委：模型名，或 `执行器:模型`；不写则用执行器默认的评委
load-key-judge-models = 多个评委
load-key-judge-executor = 没有写明执行器的评委所用的执行器；不写则与本次运行相同
load-key-judge-repeat = 每个评委对每个回答评几次
load-key-debias-length = 是否告诉评委长度不代表质量（`false` 即 `--no-debias-length`）
load-key-gold-dir = 人工评分所在的目录，用来检验评委
load-key-concurrency = 同时进行的调用上限
load-key-repeat = 每个用例、每个变体的执行次数
load-key-timeout = 单次调用的时限，以秒计，不含排队
load-key-retry = 可能恢复的失败最多再试几次
load-key-rpm = 每个服务商每分钟的请求上限
load-key-tpm = 每个服务商每分钟的 token 上限
load-key-url-fetch = 提示词与上下文中的 URL 是否替换为抓取到的内容
load-key-allow-missing-urls = 抓取不到的 URL 是否保留为文本并继续运行
load-key-allow-private-urls = URL 是否可以指向本机及其内网的地址
load-key-mcp-config = 用来抓取 URL 的 MCP 服务器的配置文件，格式同 `.mcp.json`
load-key-cache = 是否保存并复用回答
load-key-budget-usd = 整次运行的费用上限，以美元计
load-key-budget-per-sample-usd = 单个用例的费用上限，含所有变体和重复，以美元计
load-key-budget-per-sample-ms = 单个用例所有执行合计的时间上限，以毫秒计
load-key-allow-unknown-cost = 模型价格未知时，是否仍允许在费用上限下运行
load-key-seed = 调用顺序与重抽样的随机种子；不写则由用例集得出
load-key-bootstrap-samples = bootstrap 重抽样次数，至少 1000
load-key-ci = 区间的种类
load-key-min-effect = 有意义的最小差异，以 1–5 分制的分数计
load-key-min-preference = 评委比较回答时有意义的最小偏好，0 到 1
load-key-trivial-diff = 低于此值的差异不算进步，以分数计
load-key-threshold = 每一层的门槛，以分数计
load-key-looks = 运行期间查看几次；一旦某次查看对每个实验变体都有定论就结束
load-key-max-samples = 最多运行多少个用例，按抽取的顺序；`looks` 未指定时查看 5 次
load-key-stop-when-decided = 与 `looks: 5` 相同
load-key-report-only = 无论结论如何都以 0 退出
load-key-gate = 门禁放行的最低一档
load-key-goal = 门禁对实验变体的要求：`better`（优于对照）或 `not-worse`（不比对照差出 `margin` 以上）
load-key-margin = 仍算“不更差”的最大下降，以分计；需要 `goal: not-worse`
load-key-holdout = 留出的用例所占的比例
load-key-max-failure-rate = 允许执行失败的比例；超过此值就不算有效测量
load-key-output-dir = 报告写到哪里；不写则为 omk 主目录下的 `reports`
load-key-blind = 报告是否用 `Variant A`、`Variant B` 代替名字
load-key-texts = 报告是否包含用例和资产的文本
load-key-strict-baseline = 是否防止变体看到彼此的资产
load-key-custom-runtime = 用什么运行自定义断言

## Variants

load-variant-name = `{ $name }` 不能作为变体的名字，最多 200 个可打印字符
load-variants-many = 有 { $count } 个变体；一次运行最多比较 { $most } 个
load-variants-many-help = 请分成几次运行来比较
load-variant-twice = 有两个变体都叫 `{ $name }`
load-variant-twice-help = 请给其中一个换个 `name`
load-baseline-unused = `{ $path }` 不会被使用：`baseline` 表示什么都不注入
load-no-skill = `{ $directory }` 里没有 skill `{ $name }`
load-no-skill-meant = 是不是想写 `{ $suggestion }`？现有 { $names }；路径里要有 `/`
load-control-only-help = `{ $word }` 是一种对照：`--control { $word }`
load-no-skill-there = 现有 { $names }；路径里要有 `/`
load-no-skill-dir = 没有 skill `{ $name }`，因为目录 `{ $directory }` 不存在
load-no-skill-dir-help = 请用 `--skill-dir` 指定目录，或写带 `/` 的路径
load-files-not-delivered = 只有 `{ $name }` 的文本会到达模型，另外 { $count } 个文件不会
load-files-not-delivered-help = `--delivery skill` 把技能的全部文件交给智能体
load-skill-not-offered = `{ $name }` 不能作为技能提供：智能体按名称和描述选择技能
load-skill-not-offered-help = 请在文件开头的 front matter 里写明两者：`---`、`name: …`（字母、数字和连字符）、`description: …`（做什么、何时使用）、`---`
load-no-skill-md = `{ $path }` 里没有 `SKILL.md`
load-skill-both = `{ $file }` 和 `{ $folder }` 同时存在，请删掉一个，或直接写它的路径
load-skill-empty = 没有可以注入的内容
load-skill-empty-help = 请写上 skill 的正文；若不想注入任何内容，请用 `baseline`
load-skill-file-link = 链接 `{ $path }` 指向 skill 目录之外
load-skill-file-link-help = 请把文件复制到该目录，或直接写出它的路径
load-skill-link = 链接 `{ $path }` 没有指向 skill 内部的文件：请把文件本身放在那里
load-skill-too-large = skill `{ $path }` 太大，最多读取 { $files } 个文件、{ $mib } MiB
load-skill-too-deep = `{ $path }` 嵌套太深

load-skill-no-front-matter = SKILL.md 应以含有 `name` 和 `description` 的 front matter 开头
load-skill-front-help = 文件开头写一行 `---`，接着写各个键，再写一行 `---`
load-skill-open-front = 从这里开始的 front matter 没有结束的 `---`
load-skill-open-front-help = 请用一行 `---` 结束它；如果 `---` 是正文里的分隔线，请在它前面空一行
load-skill-front-not-map = 两行 `---` 之间需要键和值
load-skill-front-not-map-help = 如果 `---` 是正文里的分隔线，请在它前面空一行
load-skill-missing = front matter 应有 `{ $key }`
load-skill-not-text = `{ $key }` 应为文本，容易被误读时请加引号
load-skill-length = `{ $key }` 有 { $chars } 个字符，规范要求 1 到 { $limit } 个
load-skill-name = 名字 `{ $name }` 只应包含 `a`–`z`、`0`–`9`，以及其间的单个连字符
load-skill-name-directory = 名字 `{ $name }` 应与所在目录 `{ $directory }` 相同
load-skill-metadata = `metadata` 应为值是文本的对象
load-skill-tools = `allowed-tools` 应为文本或文本列表
load-skill-lines = 正文有 { $lines } 行；规范建议不超过 { $limit } 行
load-skill-tokens = 正文约有 { $tokens } 个 token；规范建议不超过 { $limit } 个
load-skill-size-help = 智能体加载技能时会读取全文：把细节移到 `references/` 下的文件并加上链接
load-settings-foreign = `{ $path }` 中没有 omk 的键：它是其他工具的文件
load-settings-foreign-help = 请指定 omk 自己的文件（`omk eval FILE`），或将此文件移出该目录
load-skill-reference = 技能中没有文件 `{ $path }`
load-skill-reference-help = 路径相对于技能目录：补上该文件，或改正路径
load-skill-unknown-key = 规范中没有键 `{ $key }`

## git

load-git-form = `{ $written }` 不是 `git:名字`、`git:REF:名字` 或 `git:REF:路径`
load-control-of-many = `{ $word }` 由另外一个资产生成，而这里有 { $count } 个
load-control-of-many-help = 请指定一个用来生成它的资产，例如 `--control { $word } --treatment 名字`
load-previous-none = git 里没有 `{ $name }` 更早的版本可供比较
load-previous-none-help = 请提交更早的版本，或指定一个：`--control git:分支:名字`
load-previous-shallow-help = 这个克隆缺少更早的提交：请先取回（`git fetch --unshallow`；在工作流里用 `fetch-depth: 0`）
load-placebo-language = 安慰剂是英文的，因为没有实验变体所用语言的中性文本
load-placebo-files = 安慰剂不含实验变体的 { $count } 个文件：只有 Markdown 和纯文本有中性形式
load-git-reference = `{ $reference }` 不能作为 git 引用
load-git-no-repository = `{ $path }` 不在 git 仓库里：{ $detail }
load-git-no-commit = 这里的 git 找不到提交 `{ $reference }`
load-git-no-commit-meant = 这里的 git 找不到提交 `{ $reference }`；是不是想写 `{ $suggestion }`？现有 { $names }
load-git-no-commit-there = 这里的 git 找不到提交 `{ $reference }`；现有 { $names }
load-git-nothing-there = 在 `{ $reference }` 处没有 skill `{ $name }`，`{ $directory }` 里也没有别的 skill
load-git-not-there = 在 `{ $reference }` 处，`{ $directory }` 里没有 skill `{ $name }`，有 { $names }
load-git-lfs = `{ $path }` 存放在 Git LFS 中，这个仓库里只有指针：请检出后直接指定该文件
load-git-submodule = `{ $path }` 是子模块，内容不在这个仓库里
load-git-cannot-run = 无法运行 `git`：{ $detail }
load-git-odd-file = `{ $path }` 不是可以读到结尾的文件（例如管道），`git` 会一直等待：请删除它，或重新获取仓库
load-git-timeout = `git` 读取 `{ $path }` 用了 { $seconds } 秒仍未结束，已被终止；请检查磁盘是否有响应
load-git-order = 提交应写在前面：请写 `git:{ $revision }:{ $name }`
load-git-failed = git 失败：{ $detail }

## gold

load-gold-no-directory = 没有人工评分目录 `{ $path }`
load-gold-no-directory-help = 用 `omk gold init REPORT --gold-dir DIR` 生成待评分的文件
load-gold-too-many = `{ $path }` 里的文件超过 { $limit } 个
load-gold-link = 链接 `{ $path }` 指向人工评分目录之外
load-gold-link-help = 把文件复制进来：只有目录里的文件才算人工评分
load-gold-more = 其余人工评分文件里还有 { $count } 个问题
load-gold-empty = 这个文件里没有评分
load-gold-version = 这个版本的 omk 只读版本 { $reads } 的人工评分：请用写下它的 omk
load-gold-name = 文件名对应的不是用例 `{ $id }`
load-gold-name-help = 把文件命名为 `{ $name }`
load-gold-sample = 测试集里没有用例 `{ $id }`：它的评分不计入
load-gold-question = `{ $key }` 不是这个用例的评分项
load-gold-no-question = 这个用例既没有 rubric 也没有 dimensions，评委不会给它打分
load-gold-hash = `{ $written }` 不是 SHA-256：应为 64 位十六进制数字
load-gold-output = 这里展示的 `output` 与 `outputSha256` 指明的输出不一致
load-gold-output-help = 恢复 `output` 的原文；如果评的是另一段文字，就删掉 `outputSha256`
load-gold-half = `{ $written }` 不是有效的分数：应为 1 到 5，以 0.5 为一档
load-gold-twice = `{ $annotator }` 给这个输出评了两次分
import-unknown = 文件里没有已知格式的用例
import-unknown-help = 用 `--format` 指定：promptfoo、agent-skills、plugin-eval（目录）或 rows（JSON Lines、CSV）
import-nothing = 文件中没有一个测试可以导入
import-file-unreadable = 无法读取 `{ $path }`：{ $detail }
import-file-outside = `{ $path }` 位于配置文件所在目录和工作目录之外，不会读取
import-promptfoo-code = JavaScript 或 TypeScript 写的配置是程序，不会运行
import-promptfoo-code-help = 让 promptfoo 输出 YAML：`promptfoo export`，或手工改写
import-key-unused = 这里没有对应的功能
import-prompt-shape = 提示词应为文本、文件，或带有 `raw` 或 `id`
import-prompt-code = 由程序生成的提示词不会运行：请把文本写进文件
import-prompt-turns = 多轮对话或带图片的对话不能作为一条提示词：请把最后一个问题写成 prompt，之前的内容写成 `context`
import-prompt-statements = 提示词里的循环、条件和表达式无法与变量分开：请把文本写出来
import-prompt-named = 各提示词的变量位置不同：工件里用 `<名称>` 表示变量，每条用例的 prompt 给出变量的值
import-prompt-row = 有一行的 `prompt` 列是空的
import-prompts-static = 这些提示词没有变量，除此之外没有要问的内容：请把每个提示词写成一个用例的 `prompt`
import-redteam = 红队测试由 promptfoo 在运行时生成，文件里没有写任何测试：请先用 `promptfoo redteam generate` 写出来
import-prompt-none = 没有可以导入的提示词
import-prompt-empty = 没有要问的内容：提示词为空
import-template = 模板无法渲染：{ $error }
import-template-comparison = 模板无法渲染：`{ $text }` 比较的值类型不同或无法确定，而 JavaScript 会把文本当作数字来比较：请把渲染后的文本写进测试
import-template-empty = 模板无法渲染：`{ $text }` 是空的，在那边算真，在这里算假：请把渲染后的文本写进测试
import-test-shape = 测试是一个对象，含有 `vars` 或 `assert`
import-vars-shape = `{ $path }` 里没有由变量组成的对象
import-assert-shape = 测试的检查是一个列表；promptfoo 只在测试文件里从其他文件读取检查：请把它们写进测试
import-scenario-shape = 场景要有测试，并在 `config` 里给出各组值
import-too-many = 展开后超过 { $count } 个测试
import-tests-code = 由程序生成或从网络获取的测试不会导入：请先写成 CSV、JSON 或 YAML 文件
import-tests-no-file = 没有这个名称的文件
import-test-threshold = 单个测试没有自己的阈值：每项检查计入所在层的得分
import-test-only-for = 只针对某些模型或提示词的测试，会变成针对所有变体的用例
import-test-option = 输出和提示词不会在中途改写：检查看到的是原样的回答
import-var-program = `{ $path }` 是程序，不会运行：请把它返回的内容写进配置
import-var-code = `{ $path }` 不是文本：请把内容写进配置
import-no-reference = 文件里没有它所指的内容，例如 `assertionTemplates` 的某一项
import-no-type = 不是已知的断言类型
import-value = 值的形式与文档不符
import-near-trim = `equals` 忽略回答首尾的空白
import-near-json = 只在唯一的代码块中查找回答里的 JSON，否则整个回答必须是 JSON
import-near-rouge = `rouge_n_min` 计算单个词的召回率
import-near-bleu = `bleu_min` 不做平滑
import-near-words = 每个汉字或假名算一个词
import-near-similar = `semantic_similarity` 请评委打 1 到 5 分，而不是计算向量距离；阈值为 3
import-near-judge = 由评委打 1 到 5 分
import-near-threshold = 评委的分数原样计入，没有阈值
import-use = 请改写为 `{ $name }`
import-use-context = 请改写为 `{ $name }`，并把参考段落写成用例的 `context`
import-use-rubric = 请写一条 `rubric` 交给评委
import-use-rubric-not = 请写一条意思相反的 `rubric`
import-use-pairwise = 请让评委比较两个回答：`judge: pairwise`
import-use-gold = 人工评分由 `omk gold` 和 `omk report` 的页面管理
import-use-custom = 请写一个 `custom` 检查：JavaScript 函数
import-use-none = 这里没有对应的度量
import-use-outcome = 每份报告都已包含回答的结束方式
import-weightless = 权重为 0：在那里不计分，而这里的权重必须大于 0
import-transform = 检查之前回答会被改写：请写一个 `custom` 检查
import-set-threshold = 一组检查要么全部通过、要么任一通过：其他阈值没有对应
import-set-child = 其中的 `{ $name }` 在组合断言里没有对应
import-no-column = 没有名为 `{ $column }` 的列；现有的列：{ $columns }
import-no-prompt-column = 从列名看不出哪一列是提示词；现有的列：{ $columns }
import-no-prompt-column-help = 用 `--prompt-column` 指定提示词列，用 `--expected-column` 指定答案列
import-row-unchecked = 没有期望答案的行会变成没有检查的用例
import-row-choices = 选项应是最多 26 个文本的列表；这些选项没有写在提示词下面
import-row-no-choice = 不对应任何选项：既不是选项的标签、文本，也不是它的位置或字母
import-row-check = 期望答案变成 `{ $name }` 检查；可用 `--check` 选择其他类型
import-row-system = 并非所有行共有的系统消息会放在提示词前面
import-csv = 表格无法读取：{ $error }
import-parquet = { $path } 是 Parquet，这里不能直接读取：请先转成 JSON Lines
import-parquet-help = `python -c "import json, sys, pyarrow.parquet as p; [print(json.dumps(row, default=str)) for row in p.read_table(sys.argv[1]).to_pylist()]" { $path } > { $to }`（需 `pip install pyarrow`），然后导入 { $to }
import-task-agents = `{ $format }` 是智能体的用例，无法作为可调用技能的输入
import-task-agents-help = `omk import` 可把它们变成用例文件
import-task-unscored = 没有可以沿用的检查，而任务需要评分器
import-task-row-unchecked = 没有期望答案的行不会成为任务：请用 `--expected-column` 指定答案所在的列
import-task-row-check = 期望答案用 `exact_match` 比较；可用 `--scorer` 另选
import-task-column-help = 请用 `--input` 指定作为技能输入的列，用 `--expected-column` 指定答案所在的列
import-task-prompts = 技能得到的是测试的变量，没有提示词
import-task-no-scorer = 没有评分器能做到：请编写 `custom` 评分脚本（`customScorerPath`）
import-task-one-scorer = 一个任务只有一个评分器，取自第一项检查：`custom` 脚本（`customScorerPath`）可以同时做多项
import-task-schema = schema 校验的是技能返回的全部内容
import-task-json = 技能返回的总是 JSON：请用 `json_schema` 说明其中应有什么
import-task-judge = 由评委判断（`llm_judge`）
import-task-latency = 请设置任务的 `timeoutMs`
import-evals-files = 评测用例的文件不会复制：参见 `environment` 和 `cwd`
import-evals-beside = 已读取 `claude plugin eval` 的用例；要导入其中的评测，请直接指定此文件
import-case-rubric = 评委按全文评分
import-case-file = 用例的文件不会复制：参见 `environment` 和 `cwd`
import-no-folder = `claude plugin eval` 的用例是一个目录：请指定该目录
import-case-setting = 在 `eval.yaml` 里为整次运行设置
import-grader-target = 读取文件、模拟或轨迹：请写工具检查（`tools_called`、`tool_output_contains`）或 `custom` 检查
import-regex-sticky = 标志 `y` 要求从开头匹配：请在模式里写 `^`
import-grader-arm = 对每个变体都计分
import-function = 不是可以读懂的函数：{ $error }
import-near-context = 其中的 `context` 只有 `vars`、`config` 和用例的提示词
import-use-context-absent = 读取了其 `context` 中不存在的内容（如 `providerResponse`），可能总是通过：请改写为工具检查（`tools_called`、`tools_count_max`）、词元或费用检查
import-near-parsed = 在那里，JSON 回答会先被解析，再不带空白地重新写出（文本失去引号），然后才检查；这里按原样检查
import-near-schema = `{ $keyword }` 晚于 draft 7：promptfoo 的检查会以错误结束，关闭严格模式时则忽略它；这里会检查
import-provider-unknown = 这里没有对应的执行器：请用 `executor` 和 `model` 指明由谁作答
import-label = 在那里只是标签，不影响任何结果
import-column-unused = 没有检查或提示词用到这一列：可用 `--prompt-column`、`--expected-column`、`--id-column` 和 `--context-column` 选择其他列
import-evals-expected = 由期望项代替，与该格式本身一致
import-near-weight = 评委的评分项没有权重：每一项同等计入
import-near-grader = 评委及其提示词以本次运行的为准
import-provider-output = 那里已写好回答；这里由模型作答
import-conversation = 同一对话的测试前后相连；这里每条单独提问
import-prefix = 放在每条用例的提示词之前、工件之后
import-providers = 一次运行只用一个模型：取第一个已知的
import-provider-config = 不会导入：模型按 `eval.yaml` 的设置运行
import-repeat = 请在 `eval.yaml` 里写 `repeat`
import-link = 指向用例目录之外的链接不会读取
import-row-shape = 一行应为一个对象，每列一个字段
import-too-large = 所有测试的变量文本超过 { $mib } MiB
import-value-empty = 值为空：其中的变量赋值了吗？

## 用来抓取 URL 的 MCP 服务器

load-mcp-empty = 文件里没有服务器
load-mcp-nowhere = 这个服务器既没有 `command` 也没有 `url`
load-mcp-type = 不能用 `{ $kind }` 类型的服务器抓取 URL
load-mcp-type-help = 可用 `stdio`（程序）与 `http`（Streamable HTTP）
load-mcp-variable = 环境变量 `{ $name }` 没有设置
load-mcp-variable-help = 设置它，或给它一个默认值：`${"{"}{ $name }:-默认值{"}"}`
load-mcp-regex = 正则表达式无法解析：{ $why }
