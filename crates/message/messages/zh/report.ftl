# report：汇总、对比、结论、报告文件

## 错误
report-error-record = 无法读取运行记录：{ $why }
report-error-no-variant = 没有可以出报告的变体
report-error-interval = 没有 `{ $method }` 这种区间：请用 `expanded`、`percentile`、`bca` 或 `t`
report-error-id = `{ $id }` 不能作报告名：只能用字母、数字、`.`、`_` 和 `-`
format-version = `{ $path }` 的格式版本是 { $version }，本程序只读版本 { $reads }：请用写下它的 omk，或移走该文件后重新生成
report-error-damaged = `{ $path }` 不是 omk 的报告：第 { $line } 行第 { $column } 列的内容不是报告应有的
report-error-cut = `{ $path }` 不是 omk 的报告：文件不完整，到第 { $line } 行就结束了
report-error-json = `{ $path }` 不是 omk 的报告：第 { $line } 行第 { $column } 列不是 JSON
report-error-field = `{ $path }` 不是 omk 的报告：止于第 { $line } 行的对象没有 `{ $field }`
report-error-names-damaged = `{ $path }` 已损坏；它记录旁边的报告是否隐藏名称，并保存盲评运行的名称。请从备份恢复。没有备份就删除它：自带名称的报告会打开；盲评运行可用 `omk eval --regrade { $id }` 重新生成一份报告
report-error-names-lost = 缺少 `{ $path }`：其中有各变体的名称，以及名称是否已揭晓。请把它放回报告旁边。没有备份时，`omk eval --regrade { $id }` 可用同样的回答重新生成一份报告
report-error-names-other = `{ $path }` 不是与旁边的报告一起写成的那个：它缺少报告的标签（{ $labels }）、有别的标签，或其中的名称不属于这份报告。请从备份恢复正确的文件。没有备份时，`omk eval --regrade { $id }` 可用同样的回答重新生成一份报告
report-error-lock = 无法锁定目录 `{ $path }`：{ $why }；另一个程序占用着它，或其文件系统不支持锁
report-error-file = `{ $path }`：{ $why }
report-error-output = 无法写出报告：{ $why }

## 为什么没有分数
report-missing-not-run = 没有运行
report-missing-not-needed = 未执行：没有它也已有定论
report-missing-ungraded = 回答未评分
report-missing-not-planned = 该用例没有评分项
report-missing-refused = 模型拒绝回答
report-missing-truncated = 回答在输出上限处被截断
report-missing-limit-hit = 智能体因轮数或费用上限而停止
report-missing-empty = 回答为空
report-missing-timeout = 调用超时
report-missing-rate-limited = 服务商拒绝调用：请求过多
report-missing-server = 服务商的服务器出错
report-missing-dropped = 连接中断
report-missing-malformed = 无法解析返回内容
report-missing-unreachable = 无法建立连接
report-missing-auth = 密钥被拒绝
report-missing-no-credit = 账户余额或配额已用完
report-missing-rejected = 服务商拒绝了该请求
report-missing-spawn = 程序无法启动
report-missing-mock = 有一次工具调用没有由它的 mock 回答
report-missing-crashed = 程序异常退出
report-missing-killed = 智能体在途中被外部终止
report-missing-skill = 技能自己报告了错误
report-missing-no-recording = 没有该调用的录制
report-missing-interrupted = 运行被中断
report-missing-budget = 预算不允许该调用
report-missing-recorded = 结果中该处是错误
report-missing-absent = 结果中没有它
report-missing-replaced = 后来另录了一个回答代替它
report-missing-checks = `{ $checks }` 并非每次运行都能评估，分数所依据的检查不同

## 不是有效的测量
report-invalid-interrupted = 运行在完成前被中断
report-invalid-budget = 预算在运行完成前用尽
report-invalid-aborted = 没有一次调用能成功，运行已中止
report-invalid-judge-failed = 评委无法访问或没有给出可用的回复，运行已中止
report-invalid-records-missing = 计划中的部分执行缺少记录
report-invalid-failures = { $ran } 次执行中有 { $failed } 次失败，最多允许 { $limit }
report-invalid-dead = `{ $variant }` 的每次执行都失败了
report-invalid-not-delivered = 没有任何智能体得到 `{ $variant }` 的资产：它没有被测量
report-invalid-leak = `{ $variant }` 有 { $count } 次执行读取了另一个变体的资产：测到的不只是 `{ $variant }` 本身
report-invalid-unscored = `{ $variant }` 的回答都没有得分：检查无法评估

## 只有一个变体
report-solo-unscored = `{ $variant }` 的回答都无法评分
report-solo-under = `{ $variant }` 得 { $mean } 分，低于阈值 { $threshold }
report-solo-reached = `{ $variant }` 得 { $mean } 分，达到阈值 { $threshold }

## 为什么是这一档
report-why-few-pairs = { $n ->
    [0] 没有一个用例在两个变体上都有分数；至少需要 { $needed } 对才能比较
   *[other] 只有 { $n } 对分数；至少需要 { $needed } 对才能比较
  }
report-why-unscored = `{ $variant }` 的回答都无法评分：{ $outcome ->
    [answered] { $total } 次执行中有 { $count } 次已回答，但计划中的某一层无法评估
    [refused] { $total } 次执行中有 { $count } 次模型拒绝回答
    [truncated] { $total } 次执行中有 { $count } 次回答在输出上限处被截断
    [limit-hit] { $total } 次执行中有 { $count } 次智能体因轮数或费用上限而停止
    [empty] { $total } 次执行中有 { $count } 次回答为空
    [failed] { $total } 次执行中有 { $count } 次失败
    [over-budget] { $total } 次执行中有 { $count } 次预算不允许
   *[not-run] { $total } 次执行中有 { $count } 次没有运行
  }
report-why-below = 差值的区间在 0 以下（{ $low } 到 { $high }）
report-why-below-all = 全部 { $n } 个差值都是 { $diff }（p { $p }）
report-why-layer-below = { $layer ->
    [fact] 事实
    [behavior] 行为
   *[judge] 评委
  }层下降 { $diff } 分，且均值 { $mean } 低于阈值 { $threshold }
report-why-above = 差值的区间在 0 以上（{ $low } 到 { $high }）
report-why-above-all = 全部 { $n } 个差值都是 { $diff }（p { $p }）
report-why-inside = 差值的区间（{ $low } 到 { $high }）在 ±{ $limit } 以内：可以排除有意义的差异
report-why-refused-first = 模型的 API 在回答开始之前，起初拒绝了 `{ $variant }` { $ofVariant } 的运行、`{ $control }` { $ofControl } 的运行：这不会挑选回答，但两者并非在相同条件下提问
report-why-looser-limits = 这一结论取决于比默认值宽松的限值（{ $flags }）：按默认值为 { $tier }
report-why-look = 这是第 { $number } 次比较这两份知识资产{ $changed ->
    [yes] ，其间用例有变动
   *[no] ，用例相同
  }：区间两侧各留出 { $risk }，而不是 2.5 %
report-why-look-without = 这是第 { $number } 次比较这两份知识资产，之前几次的 { $samples } 个用例已不在或已修改（把它们算上，差异为 { $mean }）：区间两侧各留出 { $risk }，而不是 2.5 %
report-why-not-worse = 与 `{ $control }` 的差值不低于 { $low }，可排除超过 { $margin } 的下降
report-why-inside-all = 全部 { $n } 个差值都是 { $diff }，在 ±{ $limit } 以内：可以排除有意义的差异
report-why-wide = 差值的区间（{ $low } 到 { $high }）包含 0，且超出 ±{ $limit }，既不能排除偶然，也不能排除有意义的差异
report-why-wide-all = 全部 { $n } 个差值都是 { $diff }（p { $p }），数量太少，无法排除偶然或 { $limit } 分的差异
report-doubt-trivial = 只提升了 { $diff } 分，小于 { $limit }，不足以判为进步
report-doubt-pairs = 只有 { $n } 对分数；判为进步至少需要 { $needed } 对
report-doubt-layer = { $layer ->
    [fact] 事实
    [behavior] 行为
   *[judge] 评委
  }层得 { $mean } 分，低于阈值 { $threshold }
report-doubt-layer-missing = { $layer ->
    [fact] 事实
    [behavior] 行为
   *[judge] 评委
  }层无法评分
report-doubt-unanswered = 对照组有 { $control } 次、实验组有 { $treatment } 次运行没有回答（拒答、截断、为空或触及上限）：各记 1 分时，差异为 { $diff }（{ $low } 到 { $high }）
report-doubt-lost = { $planned } 对中缺 { $samples } 对，足以改变结论：补上后差异可能在 { $low } 到 { $high } 之间；请用 `omk eval --retry-failed --resume`（后接本次运行的 id）重跑它们
report-doubt-lost-elsewhere = { $planned } 对中缺 { $samples } 对，足以改变结论：补上它们后差异可能在 { $low } 到 { $high } 之间；请{ $tool ->
    [csv] {""}
    [jsonl] {""}
    [junit] {""}
   *[other] 用 { $tool }{" "}
  }重跑它们
report-doubt-left-out = { $planned } 个用例中有 { $samples } 个在某一组没有结果。它们不计入均值，却足以改变结论：补上后差异可能在 { $low } 到 { $high } 之间；请{ $tool ->
    [csv] {""}
    [jsonl] {""}
    [junit] {""}
   *[other] 用 { $tool }{" "}
  }重跑它们
report-doubt-unseen = 这 { $n } 个用例中没有出现的某类情况可能抵消这一提升：最坏时，{ $risk } 的抽样会得到这样的用例集（上限 { $most }）；约 { $needed } 个用例起，这样的提升才站得住
report-doubt-unseen-ever = 这 { $n } 个用例中没有出现的某类情况可能抵消这一提升：最坏时，{ $risk } 的抽样会得到这样的用例集（上限 { $most }）
report-doubt-gain-of-clusters = 同一簇的用例只计一次时为 { $mean }，按全部用例为 { $over }：提升只属于簇
report-doubt-clusters-hide = 按全部用例，差异为 { $over }，超过 { $limit }：同一簇的用例只计一次，把它藏了起来
report-why-loss-of-clusters = 按全部用例，差异为 { $over }：下降只属于簇
report-next-clusters = 逐个查看 `{ $treatment }` 每一簇中的用例：它们问的是同一件事吗？
report-doubt-asked-again = `{ $variant }` 有 { $runs } 个回答、`{ $control }` 有 { $controlRuns } 个回答在失败（超时、出错、无法读取）后重新请求；如果第一次的回答很差，差异可能是 { $low } 到 { $high }
report-doubt-redrawn = `{ $variant }` 有 { $runs } 个回答、`{ $control }` 有 { $controlRuns } 个回答代替了先前已有的回答（从缓存、日志或录制中删除，其余保留）；如果先前的回答很差，差异可能是 { $low } 到 { $high }
report-next-both-again = 修复使 `{ $treatment }` 第一次尝试失败的原因（提高 `--timeout`？），再重新运行两个变体
report-doubt-nothing-to-lose = `{ $variant }` 在这些用例上几乎没有可失的分：只比最低分高 { $room }，显示不出 { $limit } 的下降
report-why-loss-unseen = 在这 { $n } 个用例上它更差；其中没有出现、而它有所改进的某类情况可能弥补这一点（约 { $needed } 个用例可以看出）
report-why-loss-unseen-ever = 在这 { $n } 个用例上它更差；其中没有出现、而它有所改进的某类情况可能弥补这一点
report-why-small-loss = 小幅下降是真的（{ $mean }）；{ $limit } 及以上的下降已排除
report-doubt-unseen-difference = 这 { $n } 个用例中没有出现的某类情况可能造成超过 { $limit } 的差异：最坏时，{ $risk } 的抽样会得到这样的用例集（上限 { $most }）
report-doubt-low-recall = 应加载技能的执行中有 { $share } 加载了它，要求 { $limit }
report-doubt-low-precision = 加载了技能的执行中有 { $share } 属于应加载的查询，要求 { $limit }
report-doubt-never-loaded = { $executions } 次执行中没有一次加载了该技能：提升不来自它的内容
report-doubt-margin = 区间下限为 { $low }，不能排除超过 { $margin } 的下降
report-doubt-margin-unmeasured = 没有可比的分数差值，不能排除超过 { $margin } 的下降
report-doubt-layer-fell = { $layer ->
    [fact] 事实
    [behavior] 行为
   *[judge] 评委
  }层在 { $n } 对上平均下降 { $fell } 分：区间上界 { $high } 低于 0
report-doubt-capability-fell = 能力 `{ $name }` 在 { $n } 对上平均下降 { $fell } 分：区间上界 { $high } 低于 0
report-doubt-dimension-fell = 评委维度 `{ $name }` 在 { $n } 对上平均下降 { $fell } 分：区间上界 { $high } 低于 0
report-doubt-dimension-collapsed = 含评委维度 `{ $name }` 的 { $n } 个用例全部下降，平均下降 { $fell } 分
report-doubt-layer-collapsed = { $layer ->
    [fact] 事实
    [behavior] 行为
   *[judge] 评委
  }层的 { $n } 个用例全部下降，平均下降 { $fell } 分
report-doubt-capability-collapsed = 能力 `{ $name }` 的 { $n } 个用例全部下降，平均下降 { $fell } 分
report-doubt-invalid = 本次运行不是有效的测量
report-why-tasks = { $samples } 个用例其实是 { $tasks } 道任务：近似重复的用例和同一 `cluster` 的用例只算一次
report-why-loss-lost-elsewhere = { $planned } 对中缺 { $samples } 对，足以改变这一下降的结论：请{ $tool ->
    [csv] {""}
    [jsonl] {""}
    [junit] {""}
   *[other] 用 { $tool }{" "}
  }重跑它们
report-why-one-of-file = 按文件中 { $count } 个实验组之一来读：其区间与比较全部实验组时相同
report-why-rests-on-file = 结论依据的是文件自带的分数：{ $tool ->
    [csv] {""}
    [jsonl] {""}
    [junit] {""}
   *[other] { $tool } 的{" "}
  }`{ $score }`{ $grader ->
    [no] ，由谁评判文件未说明
   *[yes] {""}
  }{ $order ->
    [no] ；两组执行之间的漂移与提升无法区分
   *[yes] {""}
  }
report-why-loss-lost = { $planned } 对中缺 { $samples } 对，足以改变这一下降的结论：请用 `omk eval --retry-failed --resume`（后接本次运行的 id）重跑它们
report-next-lost = 重跑 `{ $treatment }` 丢失的部分：`omk eval --retry-failed --resume`（后接本次运行的 id）
report-next-imported = 请{ $tool ->
    [csv] {""}
    [jsonl] {""}
    [junit] {""}
   *[other] 用 { $tool }{" "}
  }重跑失败或缺失的部分，再对新文件求结论；用 `--paired-only` 时，本就不属于某个组的用例不算失败
report-next-part = 查看 `{ $treatment }` 下降的那项能力的用例，并据此修改知识资产

## 警报
report-alarm-missing = `{ $variant }` 的 { $planned } 次执行中有 { $missing } 次没有分数，最多允许缺失 { $limit } %
report-alarm-budget = 预算使 `{ $variant }` 有 { $count } 次执行未能运行
report-alarm-checks = 对照组有 { $control } 的检查无法评估，实验组有 { $treatment }；两者最多相差 { $limit } 个百分点
report-alarm-unlike = { $count } 个用例被排除，因为这些检查只在部分运行中能够评估：`{ $checks }`
report-alarm-unscored = `{ $variant }` 的{ $layer ->
    [fact] 事实
    [behavior] 行为
   *[judge] 评委
  }层有 { $share } 的权重无法评估，最多允许 { $limit } %
report-alarm-cached = 对照组有 { $control } 的调用由缓存回答，实验组有 { $treatment }（最多相差 { $limit } 个百分点），两组不是同时测得的：请用 `--no-cache` 重新运行
report-cached-control = `{ $control }` 有 { $count } 个答案来自缓存，{ $named ->
    [no] {""}
   *[yes] 由 { $by } {""}
  }于 { $oldest } 至 { $newest } 给出；{ $again }
report-cached-control-again = 其中 { $count } 个重新提问
report-cached-control-moved = 其中 { $count } 个重新提问，变动 { $mean }（{ $low } 到 { $high }）
report-cached-control-moved-alike = 其中 { $count } 个重新提问，变动 { $mean }
report-alarm-drifted = 对照自缓存的答案给出以来发生了漂移：重新提问的 { $n } 个用例变动 { $mean }（{ $low } 到 { $high }）
report-alarm-may-have-drifted = 对照的一部分来自缓存：计入重新提问的 { $n } 个用例所显示的漂移，差异为 { $mean }，可能低至 { $low }
report-alarm-models-unnamed = 对照组有 { $control } 的回答、实验组有 { $treatment } 的回答没有给出模型名，无法确认两组用的是同一个模型
report-alarm-versions = 回答来自多个版本的智能体（对照组回答数 : 实验组回答数）：{ $versions }，因此两组用的不是同一个智能体
report-alarm-program = 运行期间智能体的程序被替换：对照组有 { $control } 个回答、实验组有 { $treatment } 个回答来自新程序，因此两组用的不是同一个智能体
report-alarm-files = 恢复运行之前，工作目录中的文件有改动：对照组有 { $control } 个回答、实验组有 { $treatment } 个回答是在改动之后给出的，其余在改动之前
report-alarm-tools = 对照组有 { $control } 的执行、实验组有 { $treatment } 的执行提供了工具 `{ $tool }`，因此两组的智能体能做的事并不相同
report-alarm-server = `{ $variant }` 的 { $executions } 次执行中有 { $failed } 次无法使用 MCP 服务器 `{ $server }`，其智能体缺少该服务器的工具
report-alarm-models = `{ $model }` 回答了对照组 { $control } 的调用、实验组 { $treatment } 的调用，两组用的不是同一个模型

## 用例够不够
report-saturation-few = 不足 6 对
report-saturation-variance = 所有差值都相同
report-why-more-border = 区间已经够窄，但正好跨过 ±{ $limit }：增加用例可以看出差异在哪一侧
report-why-more-hopeless = 只靠增加用例，区间缩不到 ±{ $limit }
report-why-saturated = 增加用例帮助不大：区间已不再缩窄，因为后面的用例比前面的更分散
report-shares-few = 有分数的用例不足两个
report-shares-one-run = 每个用例只运行一次，无法把重复与用例区分开
report-shares-one-opinion = 每个回答只有一条评委意见，无法把评委的摇摆与其余部分区分开
report-shares-unjudged = 分数里没有评委的部分

report-next-twice = 用例加倍，`{ $treatment }` 的区间宽度变为 { $samples } 倍{ $repeats ->
    [none] {""}
   *[other] ；重复加倍，变为 { $repeats } 倍
  }{ $opinions ->
    [none] {""}
   *[other] ；评委意见加倍，变为 { $opinions } 倍
  }：{ $best ->
    [opinions] 增加评委意见与增加用例的效果相近
    [repeats] 增加重复与增加用例的效果相近
   *[samples] 增加用例最有效
  }
report-repeats-title = 每个用例运行 { $runs } 次
report-repeats-run = `{ $variant }` { $mean } ± { $sd }
report-repeats-runs = 各次运行：{ $list }
report-repeats-tests = `{ $b }` 对 `{ $a }`：以运行为单位 p { $runs }（Welch t 检验），以用例为单位 p { $samples }，判定依据后者
report-repeats-spread = `{ $treatment }` − `{ $control }` 的离散：{ $list }
report-repeats-spread-one = `{ $variant }` 的离散：{ $list }
report-repeats-part = { $part ->
    [samples] 用例之间
    [repeats] 重复之间
   *[opinions] 评委
  } { $share }

## 留出的用例
report-doubt-holdout-few = 留出的配对太少，无法比较：留出 { $holdout } 对，其余 { $train } 对；每部分至少需要 2 对
report-doubt-holdout = 提升没有延续到留出的用例：在其余用例上为 { $train } 分，在 { $n } 个留出的用例上为 { $holdout } 分
report-doubt-gap = 提升在留出的用例上变小了 { $gap } 分（{ $low } 到 { $high }）
report-next-holdout-few = 增加用例，或提高留出的比例：`--holdout` 是每个用例被留出的概率
report-next-holdout = `{ $treatment }` 可能只适应了调优时用的用例：换更多样的用例来调优，不要动留出的用例
report-holdout-few = 有一部分不足两对（用于调优的 { $train } 对，留出的 { $holdout } 对），无法判断差距
report-holdout-title = 留出：{ $total } 个用例中的 { $count } 个（每个被留出的概率为 { $share }）
report-holdout-part = { $part ->
    [train] 其余用例
   *[holdout] 留出用例
  }：{ $mean } 分，{ $interval }，{ $n } 对
report-holdout-part-none = { $part ->
    [train] 其余用例
   *[holdout] 留出用例
  }：没有分数对
report-holdout-gap = 差距：{ $gap } 分，{ $interval }
report-holdout-of = `{ $treatment }` − `{ $control }`
report-holdout-solo = `{ $variant }`：{ $n } 个用例上 { $train }，{ $m } 个留出用例上 { $holdout }

## 洞察
report-insight-prompt-ignored = { $variants } 的所有回答都是同一段文字：作答的程序是否读取了提示词？
report-insight-artifact-ignored = { $variants } 对全部 { $count } 个用例给出逐字相同的回答：作答的程序是否读取了资产？（命令以 `system` 得到它）
report-insight-uniform = { $count }/{ $total } 个用例在各变体间的分差 < { $limit }
report-insight-turning-check = 若去掉检查 `{ $check }`，`{ $treatment }` 的差异是 { $rest }，而不是 { $difference }
report-insight-low-discrimination = { $count }/{ $total } 条断言在所有变体上结果相同：无法区分变体
report-insight-all-fail = { $count }/{ $total } 条断言在所有变体的每次运行中都失败：可能过严或写错
report-insight-all-pass = { $count }/{ $total } 条断言在所有变体的每次运行中都通过：可能过松
report-insight-unmatched = { $count }/{ $total } 个 `regex` 模式没有匹配任何变体的任何回答：请先检查模式，写错的模式正是这样
report-insight-unmatched-not = { $count }/{ $total } 个 `not:` 下的 `regex` 模式没有匹配任何回答，因而说明不了什么：请检查模式，写错的模式总会通过
report-insight-high-cost = { $count }/{ $total } 个用例的成本远高于其他用例，至少为中位数的 { $factor } 倍：占总成本的 { $share }

## 下一步
report-next-delivery = 用 `omk show SAMPLE` 查看智能体列出的技能，检查 SKILL.md 的名称和 front matter；然后加 `--no-cache` 重新运行
report-next-description = 在 `{ $treatment }` 的描述里用提示词中的说法写明它做什么、何时使用；然后再测量内容
report-next-separate = 用 `omk show SAMPLE` 查看智能体是怎样接触到该资产的，让它够不着（`cwd` 里没有它，也不用 `--no-strict-baseline`），然后加 `--no-cache` 重新运行
report-next-resume = 继续运行：`omk eval --resume latest`
report-next-budget = 提高预算（或为模型提供价格）后用 `omk eval --resume latest` 继续：已付费的结果会保留
report-next-aborted = 修复导致最初的调用失败的原因，然后重新运行
report-next-judge-failed = 先修复评委，再用 `omk eval --resume latest --retry-failed` 继续：已付费的回答会保留，只补问缺失的评分
report-next-records = 继续运行以补齐缺失的部分：`omk eval --resume latest`
report-next-failures = 查看报告中的错误，修复后用 `omk eval --resume latest` 继续：已付费的回答会保留
report-next-regress = 不要发布 `{ $treatment }`：先看跌幅最大的用例丢了什么
report-next-regress-yet = 先不要发布 `{ $treatment }`：增加用例，并看跌幅最大的用例丢了什么
report-next-regress-layer = 不要发布 `{ $treatment }`：先在报告中看该层的哪些检查未通过
report-next-noise = 保留两者中更简单或更便宜的：`{ $treatment }` 即使改变了分数，也不到 { $limit } 分
report-next-ship = 可以发布 `{ $treatment }`
report-next-not-worse = 如果 `{ $treatment }` 更便宜、更快或更简单，就可以发布：可排除超过 { $margin } 的下降
report-next-ship-but = 可以发布 `{ $treatment }`，并看一看跌幅最大的用例
report-next-alarm = 查明 `{ $treatment }` 或其对照组为何缺失分数或结局不同，修复后重新运行
report-next-checks = 修复 `{ $checks }`（它并非在 `{ $treatment }` 与其对照组的每次运行中都能评估），然后重新运行
report-next-runtime = 让同一个智能体在同样的文件旁回答 `{ $treatment }` 和对照组：关闭自动更新，确保 MCP 服务器能启动，然后重新运行
report-next-afresh = 同时测量 `{ $treatment }` 与其对照组：用 `--no-cache` 重新运行
report-next-unscored = { $outcome ->
    [answered] 查明 `{ $variant }` 的检查为何无法评估并修复
    [refused] 查明模型为何拒绝以 `{ $variant }` 回答：在报告中阅读其输出
    [truncated] 用 `--max-tokens` 给 `{ $variant }` 更多空间，或要求更短的回答
    [limit-hit] 提高使 `{ $variant }` 停止的上限，或降低要求
    [empty] 查明 `{ $variant }` 的回答为何为空：手动运行其中一个提示词
    [failed] 在报告中查看 `{ $variant }` 的错误并修复
    [over-budget] 提高预算
   *[not-run] 继续运行
  }，然后重新运行；增加用例没有帮助
report-next-layer = 提高 `{ $treatment }` 低于阈值的那一层，或用 `--threshold` 表明已经足够好
report-next-trivial = 权衡这么小的提升是否值得 `{ $treatment }` 的代价
report-next-first-samples = 增加用例：`{ $treatment }` 现有 { $n } 对，从 { $needed } 对起才看得出进步
report-why-more = 约 { $needed } 个用例可以确定是否超过 ±{ $limit }（现有 { $n } 个）
report-why-more-gain = 如果提升确如所见（{ $gain }），约需 { $enough } 个用例；要确定是否超过 ±{ $limit }，约需 { $needed } 个（现有 { $n } 个）
report-next-more-samples = 为 `{ $treatment }` 再增加约 { $more } 个用例，即可确定是否超过 ±{ $limit }
report-next-two-numbers = 为 `{ $treatment }` 增加用例：如果提升确如所见（{ $gain }），再加约 { $enough } 个；要确定是否超过 ±{ $limit }，再加约 { $more } 个
report-next-gain-samples = 为 `{ $treatment }` 再增加约 { $more } 个用例，届时如所见的提升（{ $gain }）即为 PROGRESS
report-next-repeats = { $same ->
    [yes] 或者用 `--repeat { $repeat }` 再问 `{ $treatment }` 的这 { $n } 个用例
   *[no] 对 `{ $treatment }`，重复可以省用例：每个用例 { $runs } 次需要 { $needed } 个，{ $repeat } 次需要 { $samples } 个
  }
report-next-try-repeats = 每个用例只运行一次，看不出是否可以用重复代替更多用例；`--repeat 3` 可以看出
report-next-hopeless = 只靠增加用例得不出结论：分数太分散；请用更精确的断言或评分标准，或 `--repeat`
report-saturation-reach = 区间的半宽为 { $reach }{ $saturated ->
    [yes] ；区间已不再缩窄
   *[no] {""}
  }
report-next-some-samples = 增加与这 { $n } 个类似的用例，或用 `--repeat` 增加每个用例的次数，直到区间给出结论
report-next-solo = 给 `{ $variant }` 找一个对照组：`--control baseline` 可以看出它值多少
report-next-floor = 增加对照组能做好的用例：在这些用例上 `{ $treatment }` 与对照组都没有可失的分，显示不出下降
report-next-ceiling = 增加更难的用例：`{ $treatment }` 与其对照组在这些用例上都是满分 5 分，显示不出差异

## 结论的表述
story-progress = `{ $treatment }` 优于 `{ $control }`：{ $figures }。
story-regress = `{ $treatment }` 不如 `{ $control }`：{ $figures }。
story-regress-layer = `{ $treatment }` 不如 `{ $control }`：其 `{ $layer }` 层下降 { $fell }。
story-cautious = { $lies ->
    [inside] `{ $treatment }` 与 `{ $control }` 没有有意义的差异（{ $figures }）
    [preferred] 评审更偏好 `{ $treatment }` 而不是 `{ $control }`（{ $figures }）
   *[above] `{ $treatment }` 得分高于 `{ $control }`（{ $figures }）
  }，但{ $doubt }。
story-noise = `{ $treatment }` 与 `{ $control }` 没有有意义的差异：{ $range }，±{ $limit } 以上才有意义。
story-underpowered = 数据太少，分不出 `{ $treatment }` 与 `{ $control }`：{ $range } 都有可能。
story-underpowered-equal = 数据太少，分不出 `{ $treatment }` 与 `{ $control }`：{ $figures }，其他用例会有多大起伏无从得知。
story-underpowered-few = 数据太少，分不出 `{ $treatment }` 与 `{ $control }`：{ $n ->
    [0] 没有用例在两边都有得分
   *[other] 只有 { $n } 个用例在两边都有得分
  }，至少需要 { $needed } 个。
story-underpowered-doubt = 数据太少，分不出 `{ $treatment }` 与 `{ $control }`：{ $doubt }。
story-unscored = `{ $treatment }` 与 `{ $control }` 无法比较：其中一方没有任何得分。
story-numberless = `{ $treatment }` 对比 `{ $control }`：{ $tier }；报告中缺少相应数字。
story-solo = 只运行了 `{ $variant }`：{ $score }，{ $reaches ->
    [under] 低于阈值
   *[reached] 达到阈值
  } { $threshold }。
story-solo-doubt = 只运行了 `{ $variant }`：{ $score }，达到阈值 { $threshold }，但{ $doubt }。
story-solo-unscored = 只运行了 `{ $variant }`，没有任何得分。
story-invalid = 不是有效的测量：{ $why }。不能据此下结论。
story-not-worse = `{ $treatment }` 比 `{ $control }` 差不超过 { $margin } 分。
story-not-worse-cost = `{ $treatment }` 比 `{ $control }` 差不超过 { $margin } 分，成本为其 { $share } 倍。
story-may-be-worse = `{ $treatment }` 可能比 `{ $control }` 差 { $margin } 分以上。
story-score = { $mean }（{ $range }）
story-figures = { $unit ->
    [preference] { $mean }（−1 到 1 之间）
   *[points] { $mean } 分
  }（{ $level } 区间 { $range }，{ $n } 个{ $of ->
    [tasks] 任务
   *[samples] 用例
  }）
story-figures-equal = { $n } 个{ $of ->
    [tasks] 任务
   *[samples] 用例
  }上都是 { $unit ->
    [preference] { $mean }（−1 到 1 之间）
   *[points] { $mean } 分
  }（p { $p }）
story-figures-short = { $mean }，{ $range }
story-figures-short-equal = 每个{ $of ->
    [tasks] 任务
   *[samples] 用例
  }上都是 { $mean }
story-left-out = { $planned } 个用例中比较了 { $n } 个；{ $why }
story-left-out-class = { $count } 个：{ $why }
story-left-out-rest = { $count } 个因其他原因

## 终端
report-goal-reached = 达到目标
report-goal-missed = 未达到目标
report-no-verdict = 无结论
report-numbers-would-say = 目前的数字会这样说，但不应据此行动：
report-exit-ship = 退出码 0：门禁放行
report-exit-cautious = 退出码 0：门禁放行 CAUTIOUS（`--gate cautious`）
report-exit-goal = 退出码 0：门禁放行（`--goal not-worse`）
report-exit-goal-missed = 退出码 1：门禁拒绝（`--goal not-worse`）
report-exit-off = 退出码 0：门禁已关闭（`--report-only`）
report-exit-aa = 退出码 0：没有误报（`--aa`）
report-exit-aa-alarm = 退出码 1：误报（`--aa`）
report-exit-refused = 退出码 1：门禁拒绝
report-exit-invalid = 退出码 3：不是有效的测量
report-exit-interrupted = 退出码 130：已中断
report-uncopied = 智能体所用的 `{ $directory }` 副本缺少{ $why ->
    [ignored] 被 Git 忽略的
   *[unreadable] 无法读取的
  } { $count } 个路径：{ $list }{ $more ->
    [0] {""}
   *[other] 等，另有 { $more } 个
  }
report-permissions = 智能体无需询问即可做的事：{ $list }；各在一次性副本中运行，{ $sandbox ->
    [yes] 不能在别处写文件
   *[no] 没有沙箱
  }
report-about = { $samples } 个用例 × { $repeat } 次，{ $executor }{ $model ->
    [none] {""}
   *[other] {" "}{ $model }
  }
report-row-score = 得分（1–5）
report-row-interval = { $level } 区间
report-row-layer = { $layer ->
    [fact] · 事实
    [behavior] · 行为
   *[judge] · 评委
  }
report-row-checks = 通过的检查
report-row-answered = 已回答
report-row-cost = 每次回答费用
report-row-time = 每次回答用时
report-row-tokens = 每次回答 token
report-control = { $name }（对照）
report-of = { $part } / { $whole }
report-range = { $low } 到 { $high }
report-no-spread = 无离散
report-unknown = 未知
report-difference-title = 差异
report-difference = `{ $treatment }` − `{ $control }`：{ $mean } 分，{ $interval }，{ $pairs } 对
report-difference-over-samples = 按全部用例 { $over }
report-difference-none = `{ $treatment }` − `{ $control }`：没有可比较的分数对
report-interval-of = { $level } 区间 { $low } 到 { $high }
report-interval-family = { $level } 区间 { $low } 到 { $high }（{ $family } 个实验组同时成立）
report-interval-not-yet = 配对太少，还没有每次查看都成立的区间
report-interval-none = 没有区间
report-interval-point = 没有离散，因而没有区间
report-difference-more = { $wins } 个更好，{ $losses } 个更差，{ $ties } 个相同
report-p = p { $p }
report-p-holm = p { $p }（Holm）
report-effect = 效应量 d_z = { $dz }
report-by-layer = 分层：{ $list }
report-layer-difference = { $layer ->
    [fact] 事实
    [behavior] 行为
   *[judge] 评委
  } { $mean }（{ $low } 到 { $high }）
report-layer-difference-point = { $layer ->
    [fact] 事实
    [behavior] 行为
   *[judge] 评委
  } { $mean }
report-moved-title = 变化最大的用例
report-moved-better = 变好：{ $list }
report-moved-worse = 变差：{ $list }
report-checks-title = 变化最大的检查
report-check-moved = { $check }：{ $control } → { $treatment }
report-noticed-title = 值得注意
report-and-more = { $list }，另有 { $more } 个
report-lost-title = 未测到
report-lost = `{ $variant }`：{ $list }
report-lost-class = { $count } × { $why }
report-lost-checks = { $count } × `{ $check }` 无法评估（{ $why }）
report-excluded = { $count } 个用例未进入与 `{ $treatment }` 的比较：{ $list }
report-excluded-why = { $samples }（{ $why }）
report-next-title = 下一步
report-in-samples = { $text }：{ $list }
report-cost = 费用：{ $usd }
report-cost-at-least = 费用：至少 { $usd }；运行被强行结束时有 { $count } 次调用尚未返回，可能已计费
report-cost-unknown = 费用：至少 { $usd }，其余未知
report-cost-unknown-all = 费用：未知
report-cached = { $count } 个回答来自缓存
report-retried = { $count } 次尝试失败后重试
report-path = 报告：{ $path }

## 一屏以内的摘要
report-brief-about = { $treatments } 对比 { $control }：{ $about }
report-brief-solo = { $variant }：{ $about }
report-brief-head = { $what ->
    [score] 得分
    [interval] { $level } 区间
    [difference] 差异
    [pairs] 对数
    [fact] 事实
    [behavior] 行为
    [judge] 评委
    [checks] 检查
    [answered] 已回答
    [cost] 每次费用
    [time] 每次用时
   *[tokens] 每次 token
  }
report-brief-gaps = 缺口率 { $rates }，测试集 { $set }（{ $count } 个用例），只对该测试集成立{ $named ->
    [0] {""}
   *[other] ；没有找到：{ $list }
  }
report-brief-apart = 未比较 { $left } 个；{ $pairs } 对上：`{ $control }` { $a }，`{ $treatment }` { $b }（上表得分：按 { $all_a } 个和 { $all_b } 个）
report-brief-apart-several = 有用例未能比较：差异按成对的用例计算，得分按各自全部有得分的用例计算
report-brief-moved = { $wins } 个更好，{ $ties } 个相同，{ $losses } 个更差{ $list ->
    [none] {""}
   *[other] ：{ $list }
  }
report-brief-left-out = 未比较 { $count } 个：{ $list }
report-brief-why = { $why }（{ $variants }）
report-brief-cause = 更常失败：{ $check }，{ $control } → { $treatment }，用例 { $samples }
report-brief-holdout = 留出 { $count } 个；{ $text }
report-brief-more = 另有 { $count } 条：`omk report export { $report } --format terminal`（或 `--details`）
report-brief-more-details = 另有 { $count } 条：`--details`
report-brief-more-treatments = 另有 { $count } 个实验变体：`--details`
report-brief-family = { $family } 个差异的区间同时成立
report-brief-reasons = 另有 { $count } 条理由：`--details`
report-brief-next = 下一步：{ $text }
report-brief-show-worse = 下降最多的用例：双方回答、检查和理由
report-brief-show-better = 上升最多的用例：双方回答、检查和理由
report-brief-show-excluded = 一个未参与比较的用例：得到的是什么
report-brief-failures = 失败了什么，按原因归类
report-brief-diff = 每个有变化的用例和检查

## --dry-run
report-plan-title = 计划：{ $calls } 次调用，不运行也不写入任何内容
report-plan-grid = { $left ->
    [0] { $samples } 个用例
   *[other] { $all } 个用例中的 { $samples } 个
  } × { $variants } 个变体 × { $repeat } 次
report-plan-row-variants = 变体
report-plan-row-differs = 不同
report-plan-differs = { $parts }；模型、工具、用例和限制都相同
report-plan-differs-nothing = 没有
report-plan-row-executor = 执行器
report-plan-row-sandbox = 沙箱
report-plan-sandbox = 生效：{ $guards }
report-plan-sandbox-none = 当前系统上没有任何一项生效
report-plan-row-uncopied = 未复制
report-plan-row-permissions = 权限
report-plan-row-urls = URL
report-plan-url-http = { $url }：经 HTTP（{ $samples }）
report-plan-url-mcp = { $url }：由 MCP 服务器 { $server }（{ $samples }）
report-plan-row-grading = 评分
report-plan-row-cost = 费用
report-plan-row-order = 顺序
report-plan-row-power = 功效
report-plan-asked-again = 其中对照的 { $count } 次调用会与实验组同时重新进行；若结果有变动，则全部重新进行
report-plan-row-cached = 缓存
report-plan-executor = { $executor }{ $model ->
    [none] {""}
   *[other] {"，模型 "}{ $model }
  }，最多同时 { $concurrency } 次调用
report-plan-grading = { $assertions } 条断言，{ $judged ->
    [0] 没有评委
   *[other] { $judged } 个用例有评委
  }
report-plan-unscored = { $count } 个用例没有评分项：{ $list }
report-plan-cost = 约 { $low } 到 { $high }（{ $basis }）
report-plan-cost-unknown = 未知：没有该执行器与模型的价格
report-plan-cost-urls = 不含 { $count } 个 URL 的页面
report-plan-budget = 上限 { $usd }
report-plan-cached = { $calls } 次调用中有 { $cached } 次会由缓存回答
report-plan-order = { $list }、…
report-plan-earlier = 按同一用例集的报告 `{ $report }` 中的离散程度：
report-plan-earlier-changed = 按报告 `{ $report }` 中的离散程度（用例集已改动，{ $samples } 个用例中 { $same } 个未变）：
report-plan-earlier-repeat = （当时每个用例运行 { $then } 次，现在 { $now } 次）
report-plan-earlier-more = 另有 { $more } 个实验组
report-plan-expected = `{ $treatment }`{ $known ->
    [yes] {""}
   *[no] （其中没有它，取最大的离散程度）
  }：{ $samples } 个用例{ $detectable ->
    [none] 什么也显示不出
   *[other] 可显示 { $detectable } 分的差异
  }（检验功效 80 %）；显示 { $effect } 分的差异{ $needed ->
    [0] 靠增加用例做不到
   *[other] 需要 { $needed } 个
  }{ $observed ->
    [none] {""}
   *[other] ，显示当时的 { $observed } 需要 { $shows } 个
  }
report-invalid-no-answer = 返回的 { $count } 次执行都没有可用的回答：被拒答、截断或为空
report-next-no-answer = 在报告中查看返回的是什么：拒答、被截断的回答（调大 `--max-tokens`）还是空回答；增加用例没有帮助

## judges
report-invalid-judges = 计划的 { $planned } 条评委意见中缺失 { $missing } 条，最多允许 { $limit }
report-alarm-judges-missing = 评委对 `{ $variant }` 的 { $planned } 条意见中缺失 { $missing } 条，最多允许 { $limit } %
report-alarm-judges-differ = 对照组缺失 { $control } 的评委意见，实验组缺失 { $treatment }；两者最多相差 { $limit } 个百分点
report-alarm-agreement = 评委之间意见不一：Krippendorff α 为 { $alpha }，至少需要 { $limit } 才能采信
report-alarm-pair-agreement = 评委对哪个回答更好意见不一：Krippendorff α 为 { $alpha }，至少需要 { $limit } 才能采信
report-delivery-loaded = `{ $variant }` 在 { $executions } 次执行中被加载 { $loaded } 次
report-delivery-read = `{ $variant }` 的文件在 { $executions } 次执行中被打开 { $read } 次
report-note-rarely-loaded = `{ $variant }` 在 { $executions } 次中只被加载 { $loaded } 次：问题在描述，不在内容
report-note-self-preference = `{ $judges }` 与被测模型来自同一厂商：评委可能偏爱同类
report-insight-agreement-undefined = 评委之间的一致性无定义：{ $why ->
    [few] { report-undefined-few }
    [variance] { report-undefined-variance }
    [one] { report-undefined-one }
    [numbers] { report-undefined-numbers }
   *[other] 原因见报告的 `judging.agreement`
}
report-insight-tripwire = { $total } 个本应失败的用例中有 { $count } 个通过了：用例或其检查不符合设计
report-next-judges = 在报告的 `missing` 中查看评委的回复：若评委当时无法访问，用 `omk eval --resume latest` 继续；否则换一个 `--judge-model`，用 `omk eval --regrade latest` 重新评分（只调用评委）
report-next-agreement = 把评分标准写得更明确，或换用其他评委：本次的评委对同样的回答看法不同
report-next-position = 换用其他评委，或使用多个评委：本次的评委只看回答的位置
report-undefined-few = 可以比较的分数少于两个
report-undefined-variance = 没有方差：所有分数相同
report-undefined-one = 单个用例决定了结果
report-undefined-numbers = 数值过大
report-undefined-unsaid = 报告未给出原因
report-undefined-interval = 没有区间：用例太少，或太多用例只有一个取值
report-unadjusted-few = 等长时：配对太少，无法判断
report-unadjusted-variance = 等长时：所有配对的回答长度差相同，无法区分长度与处理的影响
report-unadjusted-one = 等长时：只有一个用例的长度不同，它会决定结果
report-unadjusted-outside = 等长时：无定义，每一对中都是同一变体的回答更长
report-equal-length = 等长时：{ $mean } 分，95 % 区间 { $low } 到 { $high }（回答长度平均相差 { $longer } 个字符）
report-judges-title = 评委
report-judge = `{ $judge }`：{ $count } 条意见，{ $mean } ± { $sd }
report-judge-one = `{ $judge }`：一条意见，{ $mean }
report-judge-none = `{ $judge }`：{ $count } 条意见都没有分数
report-judge-missing = { $planned } 条中缺失 { $missing } 条，多因：{ $why }
report-judge-kin = 与被测模型同一厂商
report-agreement = 一致性：Krippendorff α 为 { $alpha }，{ $interval }
report-agreement-undefined = 一致性：无定义，{ $why }
report-agreement-question = 在 `{ $question }` 上：α 为 { $alpha }
report-agreement-question-undefined = 在 `{ $question }` 上：无定义，{ $why }
report-judge-pair = `{ $a }` 与 `{ $b }`：相差 { $apart } 分，r 为 { $r }
report-judge-pair-undefined = `{ $a }` 与 `{ $b }`：相差 { $apart } 分，r 无定义，{ $why }
report-judge-pair-none = `{ $a }` 与 `{ $b }`：没有两者都评过分的回答
report-repeats = `{ $judge }` 问了 { $repeat } 次：同一回答相差 ± { $sd } 分，α 为 { $alpha }
report-repeats-undefined = `{ $judge }` 问了 { $repeat } 次：同一回答相差 ± { $sd } 分，α 无定义，{ $why }
report-repeats-none = `{ $judge }` 没有对任何回答评分两次
report-triggers-title = 触发：{ $should } 条查询应加载技能，{ $others } 条不应加载（其中 { $near } 条只差一点）
report-triggers-recall = 召回率
report-triggers-precision = 精确率
report-triggers-f1 = F1
report-triggers-rate = { $share }（{ $low }–{ $high }）
report-triggers-flips = { $treatment } 与 { $control } 相比：{ $better } 条更常正确（{ $gained }），{ $worse } 条更少正确（{ $lost }）；McNemar 检验 p { $p }
report-triggers-wrong = { $variant } 出错的查询：{ $list }
report-triggers-unmeasured = { $variant } 有 { $count } 次执行说明不了什么：执行失败，或者在加载技能之前就达到限制
report-triggers-confusion = 使用 { $variant } 时加载的技能（按执行次数）：
report-triggers-expected = 查询应加载
report-triggers-self = 本技能
report-triggers-no-skill = 不加载
report-tripwires-title = 诱错用例（本应失败，不计入分数）
report-tripwires = `{ $variant }` 在 { $samples } 个中有 { $failed } 个按设计失败
report-tripwires-passed = 通过 { $count } 个：{ $list }
report-tripwires-missing = { $count } 个没有分数：{ $list }

# 成对比较

report-missing-no-opinion = 评委没有给出结论
report-missing-not-compared = 这两个回答没有被比较
report-why-preference = 评委对实验组的偏好为 { $preference }（{ $low } 到 { $high }；{ $n } 个用例）
report-why-preference-points = 这里的分数由评委的偏好折算：偏好为 { $preference }（−1 到 1），1 相当于 4 分
report-why-preference-decides = 只有 { $n } 个用例有分数，比较需要 { $needed } 个，因此由评委的偏好决定
report-doubt-scores = 其他各层的分数没有显示出这一提升
report-alarm-pairs = { $planned } 对回答中有 { $missing } 对没有比较结果，最多允许 { $limit } %
report-alarm-position = 评委偏向某个位置：先展示的回答胜出的比例为 { $share }（{ $low } 到 { $high }），无偏向时应为 50 %
report-invalid-pairs = { $answered } 对回答中，评委有 { $unjudged } 对没有给出可用的结论，最多允许 { $limit }
report-pairwise-title = 成对比较
report-pairwise-none = `{ $treatment }` − `{ $control }`：没有用例被比较
report-pairwise-preference = `{ $treatment }` 对 `{ $control }`：偏好 { $preference }，{ $interval }，{ $samples } 个用例
report-pairwise-verdicts = 胜 { $wins }，负 { $losses }，平 { $ties }，其中 { $inconsistent } 次因两种顺序结论不一致；p { $p }
report-pair-judge = `{ $judge }`：{ $decided } 个结论，其中 { $inconsistent } 个两种顺序不一致
report-pair-judge-none = `{ $judge }`：{ $planned } 次比较都没有结论
report-pairwise-position = 先展示者在 { $count } 次中胜出 { $share }（{ $low } 到 { $high }）
report-pairwise-missing = { $planned } 对中有 { $missing } 对没有结论：{ $list }
report-strengths = 强度（对数几率）：{ $list }
report-strength = `{ $variant }` { $strength }（{ $low } 到 { $high }）
report-strengths-why = 没有强度：{ $why }
report-strengths-apart = 有些变体从未与其他变体比较：{ $groups }
report-strengths-unbounded = { $best } 从未输过，{ $worst } 从未赢过，任何有限的强度都不够大
report-strengths-many = 强度适用于 2 到 64 个变体，而不是 { $count } 个
report-strengths-none = 无法计算
report-plan-requests = 评委共被询问 { $scores ->
    [0] { $comparisons }
   *[other] { $comparisons ->
        [0] { $scores }
       *[other] { $scores } + { $comparisons }
    }
} 次，不计不可用的回复{ $comparisons ->
    [0] {""}
   *[other] （其中 { $comparisons } 次用于比较，两种顺序各一次）
}
report-plan-judge-cost = 评委：{ $low } 到 { $high }
report-plan-classifier = 存疑语句：最多请 { $model } 复核 { $most } 句
report-plan-classifier-cost = 存疑语句：最多请 { $model } 复核 { $most } 句，费用至多 { $high }

## What length does to judges

report-length-shift = 告诉评委长度不代表质量后，分数变动 { $mean }（{ $low } 到 { $high }，{ $n } 个用例）
report-length-shift-variant = `{ $name }`：{ $mean }（{ $low } 到 { $high }，{ $n } 个用例）
report-length-shift-difference = `{ $name }` 与对照之差：{ $mean }（{ $low } 到 { $high }，{ $n } 个用例）
report-length-shift-missing = { $count } 个回答未计入：只有一种方式有评分
report-length-shift-meaning = 有该提示减去没有该提示，用例上的 95 % 区间；差值若有变动，说明长度在其中起了作用
## 人工评分

report-gold-title = 评委与人
report-gold-none = { $files } 个文件里的 { $annotations } 条标注没有一条能与评委的分数对上
report-gold-about = { $people } 的 { $annotations } 条标注用上了 { $used } 条，涉及 { $samples } 个用例
report-gold-overall = 全部评分项
report-gold-agreement = { $name }：α { $alpha }，κ { $kappa }，偏差 { $bias }，平均相差 { $apart }，n = { $n }
report-gold-ci = { $value } [{ $low }, { $high }]
report-gold-undefined = 无定义（{ $why ->
    [no-variance] 没有变化
    [unstable] 分数几乎没有变化
    [not-finite] 有数值不是有限数
   *[other] 评分太少
}）
report-gold-adjusted = 去掉本身就是评委的标注者：α { $alpha }，n = { $n }
report-gold-among = 标注者之间：α { $alpha }
report-gold-mean = 评委层，`{ $variant }`
report-gold-difference = 评委层，`{ $treatment }` − `{ $control }`
report-gold-estimate = { $name }：评委给出 { $judge }，人会给出 { $people }（PPI++，λ { $lambda }，已标注 { $n } 个）
report-gold-collusion = `{ $annotator }` 似乎就是评委 `{ $judge }`：与自己一致说明不了什么，判定只读其他人的评分
report-gold-stale = { $count } 条标注已过期：它们评的输出不在本次运行里
report-gold-unplaced = { $count } 条标注既没有写明变体也没有写明输出，而可能的输出不止一个
report-gold-unknown-sample = { $count } 条标注的用例不在本次运行里
report-gold-unknown-variant = { $count } 条标注的变体或重复不在本次运行里
report-gold-unjudged = { $count } 条标注的输出没有评委的分数
report-gold-open = { $count } 条标注还没有分数
report-gold-twice = { $count } 条标注所评的输出，同一个人已经评过
report-gold-tripwire = { $count } 条标注属于诱错用例：本就应该失败的用例不参与与人工评分的比较
report-gold-not-needed = { $count } 条标注属于得出结论时还用不到的用例：任何数字都不依据它们
report-gold-withdrawn = { $count } 条标注已裁定有误：裁定只涉及有分歧的标注，因此剩下的会高估评委
report-gold-unverified = { $count } 条标注没有 `outputSha256`：无法证明评的就是这个输出
report-doubt-gold-alpha = 评委与人的一致性 α 为 { $alpha }，可能低至 { $low }；至少达到 { $limit } 才能采信评委
report-doubt-gold-undefined = 可用的人工评分有 { $n } 个，看不出评委是否与人一致
report-doubt-gold-worse = 在评委层，人给实验组的分数低于对照组：按预测增强推断为 { $low } 到 { $high }
report-doubt-gold-interval = 评委看到的提升没有得到人工评分的证实：按预测增强推断为 { $low } 到 { $high }
report-doubt-gold-few = 人只在 { $n } 个用例上看到差别；要证实评委看到的提升，需要 { $needed } 个
report-doubt-gold-none = 没有任何用例由人完整评分（每个问题、两个变体的回答），因此无法证实评委看到的提升
report-doubt-gold-pairwise = 人工评分针对单个回答，看不出评委的成对比较是否正确
report-doubt-gold-gate = 若由人评分，`{ $variant }` 的评委层均值为 { $mean }，低于阈值 { $threshold }
report-next-gold = 为 `{ $treatment }` 多做一些人工评分（`omk gold init`），或改进评委：把评分标准写得更清楚，或换一个模型

report-error-unverifiable = 无法使用 `{ $path }`：{ $why }
report-impossible = `{ $field }` 为 { $value }，任何测量都得不到这个值
report-error-edited = { $what }。请从备份恢复，或重新生成报告：`omk eval --regrade { $id }`
report-error-feedback = `{ $field }` 为 { $value }，没有人能给出这样的意见。请从备份恢复报告，或从其 `feedback` 中删去这条意见
report-unverifiable-comparisons = 它有 { $count } 项比较，而变体只有 { $variants } 个
report-unverifiable-variants = 它没有列出变体，或有变体重名，或变体多于任何运行
report-unverifiable-size = { $samples } 个用例、{ $variants } 个变体、{ $repeat } 次重复，多于其结果中的 { $held } 次执行
report-unverifiable-judges = { $count } 个评委，超出任何运行的规模
report-unverifiable-resamples = 重抽样 { $count } 次，超出任何运行的次数
report-error-rules = 其判定依据规则 { $rules }，本程序只读规则 { $reads }：请用写下它的 omk 读取，或用本程序重新评测
report-verdict-agrees = { $tier }，退出码 { $code }：所存的每个数字都能由结果得出
report-verdict-disagrees = 有 { $count } 个所存的数字无法由结果得出
report-verdict-same = 判定仍为 { $tier }，退出码 { $code }
report-replaced = 所存的判定为 { $stored }，但由报告自身的数字得出 { $shown }，此处采用后者：文件被改动过；`omk report verdict` 会连同数字一起重新计算
report-replaced-treatment = 所存的 `{ $treatment }` 等级为 { $stored }，但由报告自身的数字得出 { $shown }，此处采用后者：文件被改动过；`omk report verdict` 会连同数字一起重新计算
report-replaced-code = 所存的退出码为 { $stored }，但由报告自身的数字得出 { $shown }，此处采用后者：文件被改动过；`omk report verdict` 会连同数字一起重新计算
report-replaced-parts = 所存判定的部分内容与报告自身的数字不符，此处采用由数字得出的内容：文件被改动过；`omk report verdict` 会连同数字一起重新计算
report-replaced-of = { $id }：{ $text }
report-verdict-other = 所存的判定为 { $stored }（退出码 { $storedCode }）；由结果得出的是 { $tier }（退出码 { $code }）
report-verdict-version = 该报告由 omk { $version } 写成，其计算方式可能不同
report-reasons-more = 另有 { $count } 条；JSON 报告列出全部
report-verdict-more = 另有 { $count } 处（`--json` 列出全部）
report-not-following = 所存为 { $stored }，由{ $from }得出的是 { $recomputed }
report-from-checks = 该用例的检查与评委意见
report-from-results = 各用例结果
report-from-pairs = 评委的比较
report-from-opinions = 评委意见
report-from-summary = 汇总与比较
report-from-inputs = 判定的依据
report-from-verdict = 判定
report-from-costs = 结果、变体与评委的费用
report-from-findings = 各项发现及其权重
report-from-gold = 计数与评委的分数
report-from-key = `messageKey`
report-as-stored-title = 以下内容按所存采用，因为报告不含其依据：
report-as-stored-checks = 每项检查在回答中的结论（`omk eval --regrade` 加上其 id 可重新评分），以及每条评委意见
report-as-stored-delivered = 智能体得到、加载和读取了什么：报告中没有技能的文件
report-as-stored-artifacts-read = 智能体读了谁的资产：报告中没有资产本身
report-as-stored-meta = `meta` 中除计数与合计以外的内容：运行了什么，用了哪些设置和种子，评委花了多少
report-as-stored-family = 文件中有多少个实验组，以及所有区间同时成立的水平：未比较的组的结果在文件中，不在报告里
report-as-stored-cached = 被新答案替换的缓存答案不在报告中
report-as-stored-feedback = 由人在运行之后给出
report-as-stored-gold = `gold` 中由人工评分得出的部分：评分在其目录中（`omk gold compare` 可重新计算）
report-as-stored-ended = 运行提前结束的原因
report-as-stored-samples = `analysis.sampleQuality` 从文本得出的发现（扣分与得分除外）：它读取的是用例原文
report-as-stored-gaps = `analysis.gap`：智能体找过什么由轨迹得知，报告中没有轨迹
report-as-stored-coverage = 它来自运行的轨迹，报告只保存其中一部分

report-diff-unlike = A 与 B 能评估的检查不同
report-diff-blind = 有一份报告正在盲评：与另一份报告相同的内容会透露回答出自谁手
report-diff-blind-help = `omk report reveal ID` 揭晓它的名称
report-diff-no-pair = 两份报告中没有同名的变体
report-diff-name-variants = 请指明要比较的变体：`--variant A:B`，冒号前为 A 中的名称，后为 B 中的名称
report-diff-no-variant = 报告 `{ $report }` 中没有变体 `{ $variant }`
report-diff-variants = 现有 { $variants }
report-diff-alone = 报告只有一个变体，没有可比较的对象
report-diff-second = 请再给出一份报告
report-diff-samples = 两份报告的用例集不同{ $changed ->
    [0] {""}
   *[other] ；有改动 { $changed } 个：{ $changedList }
}{ $added ->
    [0] {""}
   *[other] ；只在 B 中 { $added } 个：{ $addedList }
}{ $removed ->
    [0] {""}
   *[other] ；只在 A 中 { $removed } 个：{ $removedList }
}
report-diff-force = `--force` 比较两边相同的 { $count } 个用例
report-diff-nothing = 两边没有相同的用例
report-diff-inside = 报告
report-diff-a = A
report-diff-b = B
report-diff-nothing-help = 请比较同一用例文件的运行（`omk trend` 会列出哪些可以放在一起），或重新评分其中一次：`omk eval --regrade` 加上其 id
report-power-beyond = { $n } 个用例没有（量表只到 { $most }）
report-diff-common = 两边相同的用例：{ $count } 个
report-diff-changed = 有改动 { $count } 个：{ $list }
report-diff-added = 只在 B 中 { $count } 个：{ $list }
report-diff-removed = 只在 A 中 { $count } 个：{ $list }
report-diff-differs = 两边不同，因而也可能影响数字的有：
report-diff-pair = `{ $a }` → `{ $b }`
report-diff-same-artifact = `{ $a }` → `{ $b }`：资产相同
report-diff-other-artifact = `{ $a }` → `{ $b }`：资产已改动
report-diff-simultaneous = { $interval }，对 { $family } 项比较同时成立
report-diff-no-mean = 没有用例在两边都有分数
report-diff-gap = `{ $variant }`：缺口率 { $rate }，覆盖率 { $coverage }，测试集 { $set }（{ $count } 个用例）
report-diff-mean = { $a } → { $b }：{ $mean }，{ $interval }，{ $pairs } 个用例
report-diff-crossed = 越过阈值 { $threshold }（p { $p }）：
report-diff-up = 现在达到，{ $count } 个：{ $list }
report-diff-down = 不再达到，{ $count } 个：{ $list }
report-diff-checks = 检查：由不通过变为通过 { $passing } 项，由通过变为不通过 { $failing } 项
report-diff-cost = 每个回答的费用 { $a } → { $b }
report-diff-time = 用时 { $a } → { $b }
report-diff-looks = 其中有计划了查看的运行：区间按结束它的那次查看计算，无论是哪一次都成立；按固定数量计算的 p 值则不成立，因此不给出。
report-diff-two-runs = 两次运行不是对照比较：其间变化的其他一切也计算在内。要得到判定，请一起运行两个变体（`omk eval --variants A,B`）。
report-diff-other-runs = `{ $b }` 及其对照在这些用例上另有 { $runs } 次运行（{ $list }）。从几次中挑最好的，总会碰巧看到提升：按 { $number } 次之一来读，差异在 { $range } 之内。
report-diff-two-orders = 两次运行都计划了查看，且用例的顺序不同，因此无法保证共有用例上的任何区间成立：请为两次运行指定相同的 `--seed`，或让其中一次运行到底。
report-diff-no-interval = 没有已知成立的区间
report-diff-beyond = { $count } 个用例不计在内：得出结论时它们尚在运行（{ $list }）
report-diff-held-out = { $count } 个留出用例计算在内，但下面不点名
report-diff-preference = 相对 `{ $control }` 的偏好：{ $a } → { $b }：{ $mean }，{ $interval }，{ $samples } 个用例
report-diff-preferred = 相对 `{ $control }` 的偏好：{ $mean }（胜率 { $share }），{ $interval }，{ $samples } 个用例
report-diff-other-control = 无法确认 `{ $control }` 在两次运行中相同，因此变化也可能来自它
report-diff-control = 评委拿其他变体与它比较
report-diff-crossed-only = 跨过阈值 { $threshold } 的用例：
report-power-looks = 针对查看 { $looks } 次的运行：这是需要计划的用例数；能提前得出结论时会提前结束
report-power-mean = 平均运行
report-power-preference = `{ $a }` → `{ $b }`，评委的偏好（−1 到 1；±0.2 即胜率 60 %）
report-power-true-preference = 真实偏好（−1 到 1）
report-power-detectable-preference = 能显示的最小真实偏好（−1 到 1）：{ $list }
report-trend-preference = 偏好 { $mean } { $interval }
report-diff-excluded = 未计入 { $count } 个：{ $list }；首个的原因：{ $why }

report-trend-nothing = 没有可显示的报告
report-trend-skipped = 跳过 `{ $path }`：{ $why }
report-trend-series = `{ $set }` · { $executor }{ $model ->
    [none] {""}
   *[other] {" "}· { $model }
}
report-trend-project = 项目 { $project }，{ $path }
report-trend-judges = 评委：{ $list }
report-trend-changed = 与之前不属同一序列：{ $list }
report-trend-noted = 自 { $id } 起：{ $list }
report-trend-invalid = 无效
report-trend-report = 报告
report-trend-score = 得分
report-trend-difference = 差异
report-trend-verdict = 判定
report-trend-cost = 费用
report-trend-versions = `{ $variant }` 的版本（各自从首次运行起）
report-trend-dirty = + 被测内容与该提交不同：之后又有改动，或尚未提交
report-trend-gaps = `{ $variant }` 的知识缺口
report-trend-commit = 提交
report-trend-coverage = 覆盖率
report-trend-gap-rate = 缺口率
report-trend-set = 用例集
report-trend-samples = 用例数

report-power-pilot = 先导：`{ $id }`
report-power-pilot-note = 小规模先导的离散程度并不确定：请按范围的上端计划。
report-power-progress-note = 这些数以 PROGRESS 为准：至少 { $pairs } 对，并且从未出现的一类用例推翻不了提升。
report-power-given = 给定的数字
report-power-layer = `{ $a }` → `{ $b }`，{ $layer } 层
report-power-no-spread = 所有差异都相等：这样的先导无法说明需要多少用例
report-power-risk = 功效（看得出的概率）{ $power }，α（误报的风险）{ $alpha }：
report-power-risk-family = 功效（看得出的概率）{ $power }，α（误报的风险）{ $family } 项比较合计 { $alpha }，每项 { $each }：
report-power-sd = 差异的标准差 { $sd } 分
report-power-sd-preference = 偏好的标准差 { $sd }
report-power-sd-preference-interval = 偏好的标准差 { $sd }（假定偏好服从正态分布，95 % 区间 { $low } 到 { $high }）
report-power-sd-each = 各变体的标准差 { $sd } 分
report-power-sd-interval = 差异的标准差 { $sd } 分（假定差异服从正态分布，95 % 区间 { $low } 到 { $high }）
report-power-pairs = { $count } 对
report-power-correlation = 相关系数 { $correlation }
report-power-observed = 所见差异 { $mean }，{ $interval }
report-power-difference = 真实差异（分）
report-power-samples = 用例数
report-power-range = 离散程度可能的范围
report-power-with = { $n } 个用例 { $difference }
report-power-detectable = 能显示的最小真实差异（分）：{ $list }
# 计划的查看
report-stopping-rule = { $looks ->
    [one] 查看 1 次，在 { $counts } 个{ $of ->
        [tasks] 任务
       *[samples] 用例
    }之后：其区间两侧各留出 { $risks }
   *[other] 最多查看 { $looks } 次，分别在 { $counts } 个{ $of ->
        [tasks] 任务（同一簇的用例算一个）
       *[samples] 用例
    }之后；一旦某次查看对每个实验变体都有定论，运行就结束。各次查看的区间两侧各留出 { $risks }，因此所有查看合起来误报的风险与只看一次相同
  }
report-stopping-unused = 计划的查看不起作用：只有 { $samples } 个用例，而第 { $first } 个用例之前不会查看
report-stopping-decided = 第 { $look } 次查看（共 { $looks } 次）有了定论，运行结束：运行了 { $planned } 个用例中的 { $looked } 个
report-stopping-undecided = 最后一次查看仍无定论：{ $planned } 个用例全部运行
report-stopping-ended = 结束时仍无定论：运行了 { $planned } 个用例中的 { $looked } 个
report-stopping-saved = 无需再做：{ $calls } 次执行{ $requests ->
    [0] {""}
   *[other] ，{ $requests } 次评委请求
  }
report-stopping-saved-cost = 无需再做：{ $calls } 次执行{ $requests ->
    [0] {""}
   *[other] ，{ $requests } 次评委请求
  }，约 { $usd }
report-stopping-beyond = 得出定论时有 { $count } 个用例正在进行，只计入费用：{ $list }
report-stopping-holds = 差异的区间在每次查看时都成立
report-stopping-early = 提前结束运行的提升会偏大：模拟中，真实提升为 0.5 时平均最多偏大 0.02，0.3 时最多 0.06，0.2 时最多 0.12
report-stopping-left = 有 { $count } 个用例不在计划之内（`--max-samples`）
report-stopping-no-p = 配对数由数据决定时，按固定配对数计算的 p 值不成立
report-stopping-caution = 单个变体的区间、效应量、一致性以及与人工评分对照的区间均按事先固定的用例数计算：它们描述所运行的部分，没有考虑何时结束的选择
report-stopping-cost-basis = 每次执行按该变体已有回答的平均价格，每次评委请求按已发请求的平均价格
report-stopping-cost-unknown = 回答或评委的价格未知
report-stopping-cost-regrade = 回答来自先前的运行：本来就不会产生费用
report-plan-row-stopping = 查看
report-plan-mean-samples = 如果差异仍为 { $observed }，平均运行约 { $samples } 个（共 { $planned } 个）用例（{ $calls } 次调用）就有定论；没有差异时几乎全部运行
report-as-stored-judge-calls = `stopping.judgeCallsSaved`：结果中没有本会询问评委的次数
report-as-stored-saved = `stopping.costSavedEstimate`：它取决于本会询问评委的次数

## 格式
report-format-terminal = 命令所显示的摘要：判定、理由、数字、下一步
report-format-json = 完整的报告，供程序读取
report-format-markdown = 用于合并请求或议题的摘要
report-format-junit = 供 CI 读取的 JUnit XML：每个用例或任务一个测试
report-format-csv = 每次执行一行，供电子表格与数据分析使用
report-format-jsonl = 每次执行一个 JSON 对象：分数、检查、费用、提示词与回答
report-format-html = 含表格与图的单个页面，用浏览器查看
report-format-inspect = Inspect 日志，每个变体一个 JSON 文件
report-format-otel = OpenTelemetry 追踪（OTLP JSON，GenAI 约定），每次执行一行
report-format-atif = ATIF 智能体轨迹（Harbor 所用格式），每次执行一行
report-col-treatment = 实验变体
report-col-variant = 变体
report-col-layer = 层
report-col-scores = 对照 → 实验变体
report-col-difference = 差异
report-col-preference = 偏好
report-col-p = p
report-col-outcomes = 更好 / 更差 / 相同
report-col-verdicts = 胜 / 负 / 平
report-col-pairs = 配对
report-col-samples = 用例
report-col-why = 未回答的原因
report-md-layers = 各层
report-md-layer = { $layer ->
    [fact] 事实
    [behavior] 行为
   *[judge] 评委
  }
report-md-family = 区间与 p 对全部 { $family } 个实验变体同时成立
report-md-more = 另有 { $count } 项
report-md-moved = 变化最大之处：{ $treatment }
report-md-excluded = { $count } 个用例未进入比较：{ $list }
report-md-lost-checks = { $count } × { $check } 无法判定（{ $why }）
report-md-foot = 报告 `{ $id }`，omk { $version }
report-case-tripwire = 该用例本应失败，不影响判定
report-case-regressed = 得分 { $score }，对照为 { $control }
report-case-preferred = 评委更喜欢对照的回答：{ $preference }（−1 到 1）
report-case-unjudged = 评委对它没有结论
report-by-title = 按 `{ $key }`
report-by-none = 没有用例写明 `{ $key }`
report-by-without = （未写明）
report-by-samples = 用例
report-by-tasks = 任务
report-by-more = 以上是用例最多的 { $shown } 行；另有 { $count } 行未列出。
report-by-capability = 涉及多项能力的用例在每项能力的行中都算。区间对至少 6 道任务的所有能力同时成立；更小的没有区间。
report-by-describes = 这些行只作描述；判定不读它们，也没有区间。
report-aa-title = 同一份资产运行两次
report-aa-alarm = 除偶然之外毫无差别：此处的 PROGRESS 和 REGRESS 都是误报
report-aa-still = 没有用例摇摆：两次得分处处相同
report-aa-wavering = 摇摆最大的用例：{ $list }
report-aa-sd = 差异的标准差：{ $tasks } 道任务，{ $sd } 分
report-aa-decisive = 若都这样摇摆，约 { $samples } 个用例即可判定有无 { $effect } 的差异

## omk show
sample-title = { $report } 的用例 `{ $sample }`
sample-score = `{ $variant }`：{ $score }
sample-scores = `{ $control }` { $from }，`{ $treatment }` { $to }
sample-difference = `{ $control }` { $from } → `{ $treatment }` { $to }（{ $difference }）
sample-excluded = 未与 `{ $treatment }` 比较：{ $why }
sample-asked = 提问：
sample-asked-in = {"  "}提问：见 { $path }
sample-tripwire = 本应失败：不计入任何得分
sample-held-out = 留出的用例：据此调整会使它失效
sample-pairwise = 评委比较其回答，而不是打分
sample-checks = 检查
sample-passed = 通过
sample-failed = 失败
sample-unavailable = 未评估
sample-found = 实际为 { $actual }
sample-why = `{ $variant }` 的第 { $number } 项：{ $why }
sample-answer = `{ $variant }`：{ $about }
sample-run = `{ $variant }`，第 { $number } 次：{ $about }
sample-mixed = 各次运行的结局不同
sample-tokens = { $count } 个 token
sample-regraded = 回答来自被重新评分的运行
sample-cached = 来自缓存
sample-no-text = 没有文本
sample-partial = 失败前收到的内容，从不计分：
sample-missing = 没有得分：{ $why }
sample-more-lines = 还有 { $count } 行：`--json`
sample-opinion = 评委 `{ $judge }`{ $asked ->
    [none] {""}
   *[other] {" "}就 { $asked }
  }：{ $score }
sample-tools = { $count } 次工具调用
sample-more-calls = 还有 { $count } 次调用：`--json`
sample-no-result = 没有看到结果
sample-empty-result = （空）
sample-tool-result = → { $text }
sample-tool-failed = 失败 → { $text }
sample-tool-not-run = 未执行 → { $text }

## 合并请求上的评论
report-format-github = 合并请求上的评论：结论、表格、变差的部分
report-format-github-annotations = GitHub Actions 的命令，在资产改动处显示提示
report-format-gitlab = GitLab 的代码质量报告
report-format-otel-logs = OpenTelemetry 事件：对每个答案的评价（`gen_ai.evaluation.result`）
comment-cost = 每个回答的成本
comment-worse = 变差：{ $count } 个用例
comment-answers = { $sample } 的两个回答
comment-page = 每个用例及两边的回答
comment-earlier = 此前：
comment-more = 变好的部分、疑点、命令
comment-annotation = 与对照相差 { $diff } 分（{ $control } → { $treatment }）
