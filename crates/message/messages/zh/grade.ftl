# crate `eval-grade` 的文本。

## 各断言类型检查什么（一行）

grade-type-contains = 输出包含 `value`（不区分大小写）
grade-type-not-contains = 输出不包含 `value`（不区分大小写）
grade-type-contains-all = 输出包含 `values` 中的每一项（不区分大小写）
grade-type-contains-any = 输出至少包含 `values` 中的一项（不区分大小写）
grade-type-regex = ECMAScript 正则 `pattern` 能在输出中匹配（未写 `flags` 时为 `i`，`""` 区分大小写）；最多 1 秒，超时算无法评估
grade-type-equals = 输出去掉首尾空白后等于 `value`；区分大小写；数字须与写法一致（`3.10` 要加引号）
grade-type-not-equals = 去除首尾空白后，输出不等于 `value`（区分大小写）
grade-type-starts-with = 去除首尾空白后，输出以 `value` 开头（不区分大小写）
grade-type-ends-with = 去除首尾空白后，输出以 `value` 结尾（不区分大小写）
grade-type-json-valid = 整个输出是合法 JSON（设 `extract: fenced` 时，检查其中唯一的 JSON 代码块）
grade-type-json-schema = 输出是符合 `schema` 的 JSON（draft 4 到 2020-12；没有 `$schema` 时按 draft 7）；`format` 会校验，不联网取任何东西；`extract` 同 `json_valid`
grade-type-rouge-n-min = ROUGE-N 召回率，即 `reference` 的 n-gram 出现在输出里的比例，不低于 `threshold`（默认 0.5；`n` 默认 1；Lin 2004）
grade-type-bleu-min = 相对 `reference` 的不平滑 BLEU-4 不低于 `threshold`（默认 0.5；Papineni 等 2002）；不足四个 token 时为 0
grade-type-levenshtein-max = 输出去掉首尾空白后，最多增、删、改 `value` 个字符就成为 `reference`
grade-type-tool-output-contains = 某次工具调用（可用 `tool` 限定）的结果包含 `value`（不区分大小写）
grade-type-tool-input-contains = 某次工具调用（可用 `tool` 限定）的参数包含 `value`（不区分大小写）
grade-type-tool-input-not-contains = 任何工具调用（可用 `tool` 限定）的参数都不包含 `value`（不区分大小写）
grade-type-semantic-similarity = 评委认为输出与 `reference` 的语义相似度达到 `threshold`（1–5，默认 3）
grade-type-faithfulness = 评委认为输出的陈述有用例的 `context` 支持，分数不低于 `threshold`（1–5，默认 3）；`mode` 为 `score`，或用 `claims` 逐条判断
grade-type-answer-relevancy = 评委认为输出回应了用例的 `prompt`，分数不低于 `threshold`（1–5，默认 3）
grade-type-context-recall = 评委在输出中找到 `reference`（没有则 `context`）的要点，分数不低于 `threshold`（1–5，默认 3）；`mode` 同 `faithfulness`
grade-type-expectation = 评委认为 `evals.json` 中的期望在输出中成立
grade-type-min-length = 输出至少 `value` 个字符（Unicode 标量值）
grade-type-max-length = 输出至多 `value` 个字符（Unicode 标量值）
grade-type-word-count-min = 输出至少 `value` 个词（UAX #29）；每个汉字或假名算一个词
grade-type-word-count-max = 输出至多 `value` 个词（UAX #29）；每个汉字或假名算一个词
grade-type-cost-max = 执行的费用不超过 `value` 美元；费用未知则无法评估
grade-type-latency-max = 执行用时不超过 `value` 毫秒，排队除外
grade-type-turns-min = 智能体至少用了 `value` 轮
grade-type-turns-max = 智能体至多用了 `value` 轮
grade-type-tools-called = 智能体调用过工具 `value` 以及 `values` 中的每一个（两者至少写一个）；名称须完全一致
grade-type-tools-not-called = 智能体既没有调用 `value`，也没有调用 `values` 中的任何一个（两者至少写一个）；名称须完全一致
grade-type-tools-count-min = 智能体至少调用工具 `value` 次，包括子智能体的调用
grade-type-tools-count-max = 智能体至多调用工具 `value` 次，包括子智能体的调用
grade-type-tool-sequence = 智能体自己的工具调用符合 `values`，方式由 `mode` 决定：`strict`（默认）恰好是这些且顺序一致，`unordered` 恰好是这些、顺序不限，`in_order` 这些按此顺序出现、其间可有别的，`superset` 至少有这些，`subset` 不超出这些；子智能体的调用不算
grade-type-tool-call-f1 = 智能体自己的工具调用与 `values` 相比，F1 至少为 `threshold`（0–1，默认 0.5），顺序不限；子智能体的调用不算
grade-type-skill-used = 智能体加载了技能 `value`；未写时指本变体的技能
grade-type-skill-not-used = 智能体没有加载技能 `value`；未写时指本变体的技能
grade-type-mock-hit = mock `value`（`Bash:2` 即 `Bash` 的第二个）至少回答了 `threshold` 次调用（默认 1）；mock 未生效时无法评估
grade-type-custom = `.mjs` 文件 `fn` 的默认导出函数说通过；其余字段在 `assertion` 里
grade-type-assert-set = `children` 中任一（`mode: any`）或全部（`mode: all`）断言通过；整组只计一次，归入子断言所在的层，跨层时归入 behavior

## 断言写错了什么

grade-type-unknown = 没有断言类型 `{ $kind }`
grade-weight = `weight` 必须是大于 0 的数字
grade-field-missing = 缺少 `{ $field }`
grade-field-not-text = `{ $field }` 必须是文本
grade-field-empty = `{ $field }` 不能为空
grade-field-not-texts = `{ $field }` 必须是文本列表，且每一项都不为空
grade-field-not-calls = `{ $field }` 必须是调用列表，每项是工具名，或含有 `tool` 以及可选的 `input_contains`（文本或文本列表）的对象
grade-field-not-number = `{ $field }` 必须是非负数
grade-field-not-whole = `{ $field }` 必须是非负整数
grade-field-not-share = `{ $field }` 必须是 0 到 1 之间的数字
grade-field-not-score = `threshold` 必须是 1 到 5 之间的数字
grade-field-zero = `{ $field }` 至少为 1
grade-regex-flag = 这里的 `{ $flag }` 不是可用的正则标志；可用 `dgimsuvy`，每个至多一次，且 `u` 与 `v` 不能同时使用
grade-regex-invalid = 正则无法编译：{ $error }
grade-regex-foreign = `{ $written }` 是其他正则方言的写法：ECMAScript 没有这种语法，或另有含义
grade-regex-foreign-form = 在 ECMAScript 中请写 `{ $form }`
grade-regex-foreign-mode = 在 ECMAScript 中请写 `{ $form }`，并加上 `flags: { $flags }`
grade-regex-foreign-letters = 在 ECMAScript 中请写 `{ $form }`；要匹配各种文字的字母，写 `\p{"{"}L{"}"}` 并加上 `flags: { $flags }`
grade-regex-foreign-literal = 去掉两侧的斜杠：写 `{ $pattern }` 并加上 `flags: { $flags }`；若斜杠本身也要匹配，写 `{ $path }`
grade-regex-foreign-slashes = 去掉两侧的斜杠：写 `{ $pattern }`；若斜杠本身也要匹配，写 `{ $path }`
grade-regex-foreign-flags = 去掉 `{ $modifiers }`，写 `flags: "{ $flags }"`
grade-regex-foreign-none = ECMAScript 没有这种语法，请换一种写法
grade-equals-number = `{ $source }` 是数字，读入后成为 `{ $text }`；如要与原样文字比较，请加引号
grade-json-extract = `extract` 只能是 `fenced`
grade-schema-shape = `schema` 必须是对象或布尔值
grade-schema-invalid = schema 无法编译：{ $error }
grade-schema-idle = `{ $keyword }` 在 { $draft } 中不起作用：请用 `$schema` 指明另一版草案（最新的是 "https://json-schema.org/draft/2020-12/schema"），或去掉它
grade-schema-misspelt = `{ $written }` 不是 JSON Schema 的关键字，不会检查任何东西；是不是 `{ $meant }`？
grade-schema-two-drafts = `{ $new }` 只在 2020-12 中有意义，而 `{ $old }`（按这里的写法）只在更早的草案中有意义：请用 `$schema` 指明草案，并按该草案书写
grade-tools-unnamed = 请用 `value` 写一个工具名，或用 `values` 写多个
grade-mock-name = `value` 必须以 `工具:序号` 的形式指明 mock，例如 `Bash:2` 表示 `Bash` 的第 2 个 mock
grade-mock-absent = 该用例没有 `{ $tool }` 的第 { $number } 个 mock，只有 { $count } 个
grade-rouge-reference = 参考文本只有 { $count } 个词，不足以计算 ROUGE-{ $n }；请加长参考文本或减小 `n`
grade-set-empty = `children` 中至少要有一个断言
grade-set-mode = `mode` 必须是 `any` 或 `all`
grade-sequence-mode = `mode` 只能是 { $modes }
grade-custom-missing = 无法读取 `{ $file }`：{ $error }
grade-custom-outside = `{ $file }` 不是用例所在目录中的文件；请把它放到该目录下
grade-node-missing = 无法启动 `{ $program }`：{ $error }；请安装 Node.js，或使用 `--custom-runtime embedded`

## 测得的结果

grade-found = 输出包含 `{ $value }`，位于第 { $at } 个字符之后
grade-absent = 输出不包含 `{ $value }`
grade-all-found = 输出包含全部 { $count } 项文本
grade-some-found = 输出包含 { $count } 项文本中的 { $found } 项；缺少 `{ $first }`
grade-regex-matches = `{ $pattern }` 匹配到 `{ $text }`，位于第 { $at } 个字符之后
grade-regex-no-match = `{ $pattern }` 没有匹配
grade-equal = 输出等于 `{ $value }`
grade-not-equal = 输出是 `{ $actual }`，不是 `{ $value }`
grade-affix = 该处是 `{ $actual }`，与 `{ $value }` 比较
grade-json-is-valid = 是合法 JSON
grade-json-invalid = 输出不是合法 JSON：{ $error }
grade-json-invalid-but-fenced = 输出不是合法 JSON：{ $error }；但其中唯一的代码块可以通过：设置 `extract: fenced` 即可读取它
grade-json-no-block = 输出中没有 JSON 代码块
grade-json-blocks = 输出中有 { $count } 个 JSON 代码块，应当只有一个
grade-schema-accepts = 符合 schema
grade-schema-rejects = `{ $at }` 处不符合 schema：{ $error }
grade-schema-rejects-unlisted = 不符合 schema，违反之处过多，不一一列出
grade-rouge = ROUGE-{ $n } 召回率 { $actual }，阈值 { $limit }
grade-bleu = BLEU-4 为 { $actual }，阈值 { $limit }
grade-idle = `{ $sample }` 的 `{ $kind }` 无论回答什么都{ $passes ->
    [yes] 通过
   *[no] 不通过
  }：对空回答、对提示词、对由其他符号组成的文本都是如此
grade-idle-help = { $passes ->
    [yes] 提高要求，或去掉它：它对每个变体都算通过
   *[no] 放宽要求，或去掉它：它对每个变体都算不通过
  }
grade-idle-more = 另有 { $count } 项检查无论回答什么结果都一样
grade-bleu-reference = 参考文本只有 { $words } 个词；BLEU 比较四个词的片段，任何回答都只能得 0
grade-bleu-reference-help = 短文本可用 `rouge_n_min` 和 `levenshtein_max` 比较
grade-bleu-short = 少于四个词元时 BLEU-4 为 0；参考文本有 { $reference } 个，输出有 { $output } 个
grade-levenshtein = 编辑距离 { $actual }，上限 { $limit }
grade-levenshtein-over = 编辑距离超过上限 { $limit }
grade-length-min = 长度 { $actual }，要求至少 { $limit }
grade-length-max = 长度 { $actual }，要求至多 { $limit }
grade-words-min = { $actual } 个词，要求至少 { $limit }
grade-words-max = { $actual } 个词，要求至多 { $limit }
grade-cost = 成本 ${ $actual }，上限 ${ $limit }
grade-latency = { $actual } 毫秒，上限 { $limit } 毫秒
grade-turns-min = { $actual } 轮，要求至少 { $limit }
grade-turns-max = { $actual } 轮，要求至多 { $limit }
grade-calls-min = { $actual } 次工具调用，要求至少 { $limit }
grade-calls-max = { $actual } 次工具调用，要求至多 { $limit }
grade-tools-all-called = 要求的工具都已调用
grade-tools-none-called = 这些工具都没有调用
grade-tool-called = 调用了 `{ $tool }`
grade-tool-not-called = 没有调用 `{ $tool }`
grade-tool-output-found = 第 { $call } 次调用（`{ $tool }`）的结果包含 `{ $value }`
grade-tool-output-absent = 所查的 { $count } 次工具调用的结果都不包含 `{ $value }`
grade-tool-input-found = 第 { $call } 次调用（`{ $tool }`）的参数包含 `{ $value }`
grade-tool-input-absent = 所查的 { $count } 次工具调用的参数都不包含 `{ $value }`
grade-calls-match = 调用与列表一致：{ $calls }
grade-call-missing = 缺少一次 `{ $expected }` 调用
grade-call-extra = 第 { $call } 次调用（`{ $tool }`）不在列表中，或次数超出
grade-call-other = 第 { $call } 次调用是 `{ $tool }`，列表中是 `{ $expected }`
grade-call-f1 = 工具调用的 F1 为 { $actual }（精确率 { $precision }，召回率 { $recall }），阈值 { $limit }
grade-call-f1-none = 没有调用任何工具：F1 为 0，阈值 { $limit }
grade-mock-hits = mock `{ $value }` 命中 { $actual } 次，要求至少 { $limit } 次
grade-set = 其中 { $count } 个断言有 { $passed } 个通过
grade-custom-said = { $text }
grade-custom-true = 函数返回 true
grade-custom-false = 函数返回 false

## 为什么没有评分

grade-judging-off = 评委已关闭
grade-cost-unknown = 成本未知
grade-latency-unknown = 耗时未知
grade-skill-used = 智能体加载了技能 `{ $skill }`
grade-skill-not-used = 智能体没有加载技能 `{ $skill }`
grade-own-skill-used = 智能体加载了该技能
grade-own-skill-not-used = 智能体没有加载本变体的技能
grade-no-trace = 执行器没有提供执行轨迹
grade-no-turns = 执行器没有提供轮数
grade-no-mocks = 执行器没有用 mock 应答工具调用
grade-tool-output-unseen = 已见的结果中没有，另有 { $count } 次调用的结果未见
grade-regex-timeout = 匹配 `{ $pattern }` 超过 { $seconds } 秒
grade-regex-broke = 匹配 `{ $pattern }` 失败：{ $error }
grade-json-unreadable = 输出是 JSON，但无法用 schema 校验：{ $error }
grade-schema-gave-up = schema 中的某个正则在此输出上步数过多
grade-schema-too-long = 在这份输出上展开 schema 中的引用耗费过多
grade-levenshtein-too-long = 参考文本与输出过长，无法计算编辑距离：请减小 `value` 或缩短参考文本
grade-custom-timeout = `{ $file }` 运行超过 { $seconds } 秒
grade-custom-given-up = `{ $file }` 已有 { $count } 次运行超过 { $seconds } 秒，本次运行中不再启动。请修正它，再重新给同样的回答评分：`omk eval --regrade latest`。
grade-custom-memory = `{ $file }` 需要的内存超过 { $mib } MiB
grade-custom-never = `{ $file }` 的 promise 一直没有结果
grade-custom-threw = `{ $file }` 出错：{ $error }
grade-custom-commonjs = `{ $file }` 是 CommonJS 写法（{ $error }）；请把 `module.exports` 改为 `export default function (output, context)`，把 `require` 改为 `import`
grade-custom-no-function = `{ $file }` 的默认导出不是函数；请写 `export default function (output, context)`
grade-custom-improper = 函数必须返回布尔值，或含布尔值 `pass` 的对象；实际返回 `{ $found }`
grade-custom-engine = 自定义断言引擎出错：{ $error }
grade-check-broke = 检查 `{ $kind }` 自身在此输出上出错；请反馈

## Judges

grade-needs-context = 此类型需要用例的 `context`：用来对照回答的文字
grade-needs-facts = 此类型需要用例的 `context`，或列出事实的 `reference`
grade-judged = 得分 { $score }（满分 5），阈值 { $threshold }
grade-judged-mode = `mode` 只能是 `score` 或 `claims`
grade-reply-refused = 评委拒绝评分
grade-reply-truncated = 评委的回复被截断
grade-reply-empty = 评委没有回复内容
grade-reply-not-json = 评委的回复不是一个 JSON 对象，或者有重复的字段
grade-reply-wrong-id = 评委的回复没有带上请求的编号
grade-reply-no-reasoning = 评委没有给出理由
grade-reply-no-field = 评委的回复缺少 `{ $field }`
grade-reply-score-first = 评委先给了分数再给理由
grade-reply-winner = 胜者为 `{ $winner }`，应为 "A"、"B" 或 "tie"
grade-reply-groups = 回复中没有分组，或者某组不足两个成员、含有未知或重复的成员、缺少理由或 0 到 1 的把握
grade-reply-questions = 回复中没有问题，或者问题为空、超过 { $most } 个字符
grade-reply-name = 回复中的名称是 `{ $name }`，而不是不超过 { $most } 个字符的一行文字
grade-reply-score = 评委的分数不是 1 到 5 的整数：{ $score }
grade-reply-claims = 评委的 `claims` 不是一组“有支持或没有支持”的陈述
grade-reply-passed = 评委的 `passed` 是 { $passed }，而不是 true 或 false
grade-reply-no-claims = 评委没有找到任何陈述
