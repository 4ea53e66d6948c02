# 命令行程序 `omk` 自身的文字。

cli-error = 错误：
cli-warning = 警告：
cli-hint = 提示：
cli-io = { $what }：{ $error }
cli-more-alike = `{ $file }` 中还有 { $count } 处同类问题：第 { $lines } 行
cli-more-alike-nowhere = 还有 { $count } 处同类问题
cli-input-errors = 输入中有 { $count } 处错误；未执行任何调用
cli-disk-full = 磁盘已满：请腾出空间，或指定另一个磁盘上的文件夹
cli-other-folder = 请指定一个有写入权限的文件夹
cli-other-home = 请把 `OMK_HOME`（eval-skills 为 `EVAL_SKILLS_HOME`）设为有写入权限的文件夹
cli-cannot-write = 无法写入 `{ $path }`
cli-program-timeout = `{ $program }` 在 { $seconds } 秒内没有结束，已被终止：报告中缺少它的结果
cli-cannot-read = 无法读取 `{ $path }`
cli-record-in-use = 另一次运行正在向 `{ $path }` 录制
cli-record-in-use-help = 等那次运行结束，或用 `--record` 指定另一个目录

cli-init-created = 已创建 { $path }
cli-init-kept = 已保留 { $path }（原本就存在）
cli-init-next = 下一步：
cli-init-steps =
    omk eval --executor replay   用录制的回答比较两个技能
    omk eval --dry-run           查看真实运行会做什么、花费多少
    omk eval                     调用 eval.yaml 指定的模型
cli-init-steps-own =
    omk eval --dry-run   查看真实运行会做什么、花费多少
    omk eval             调用 eval.yaml 指定的模型

cli-project-missing = `{ $path }` 不存在
cli-project-no-file = `{ $path }` 既不是文件也不是目录
cli-project-missing-help = 请指定 `eval.yaml` 或含有它的目录；`omk init DIR` 可以创建一个
cli-no-variants = 没有可比较的对象：在 `{ $dir }` 中未找到任何技能
cli-no-variants-help = 请在其中放入 `NAME.md` 或 `NAME/SKILL.md`，或用 `--control` 与 `--treatment` 指定
cli-out-of-range = `{ $flag }` 的值是 { $value }，应在 { $low } 到 { $high } 之间
cli-margin-wide = `--margin { $margin }`：不比对照差出 { $margin } 分以上，几乎什么都能通过；分数的范围是 1 到 5 分
cli-margin-wide-help = 请取一个没人在意的损失：默认为 0.2
cli-same-variants = `{ $a }` 与 `{ $b }` 完全相同：资产以及模型得到的其余一切都一样；两者的差异只是偶然
cli-same-variants-help = 请换一份资产；若要测量偶然的波动，请用 `--aa` 运行同一份资产
cli-margin-without-goal = 给出了 margin（`--margin` 或 eval.yaml 中的 `margin`），但没有给出目标
cli-margin-without-goal-help = 请加上 `--goal not-worse`，或去掉 margin
cli-goal-excludes = `{ $flag }` 不能与 `--goal not-worse` 一起使用
cli-goal-excludes-help = 请去掉 `{ $flag }` 或目标；eval.yaml 中的设置同样生效
cli-too-many-directories = `--treatment-cwd` 给出了 { $directories } 个目录，而实验变体只有 { $treatments } 个
cli-too-many-directories-help = 请按顺序为每个实验变体给出一个目录
cli-cwd = 无法读取工作目录 `{ $path }`

cli-run-id = 运行 { $id }
cli-report-saved = 报告：{ $path }
cli-interrupted = 已中断：{ $total } 个结果中的 { $done } 个已保存
cli-resume-with = 继续运行：{ $command }
cli-no-journal = 此目录没有可以继续的运行
cli-no-journal-id = `{ $dir }` 中没有运行 `{ $id }`
cli-no-journal-help = `omk eval` 会开始一次新的运行
cli-journal-settings = 日志 `{ $path }` 由另一版本的 omk 写成，无法读取其中的设置：{ $error }
cli-plan-changed = 运行 `{ $id }` 开始之后输入有变化：{ $changes }
cli-plan-changed-help = 请用 `omk eval` 重新开始；仍然适用的回答会取自缓存
cli-plan-changed-program-help = 请换回当时的程序，或用 `omk eval` 重新开始，所有问题都会重新提问
cli-change-program = 程序（当时 { $before }，现在 { $now }）
cli-change-permissions = `{ $name }` 的权限
cli-change-sample = 用例 `{ $name }`
cli-change-variant = 变体 `{ $name }`
cli-change-other = { $name }
cli-change-cwd = 工作目录 `{ $path }`
cli-change-unknown = 此版本无法指明的内容
cli-resume-secret = 命令行 `{ $executor }` 中曾有密钥，密钥不会被保存
cli-resume-secret-help = 请重新给出：`omk eval --resume { $id } --executor …`
cli-budget-unknown-price = 设置了金额预算，但模型 `{ $model }` 的价格未知
cli-budget-unknown-price-help = 请把该模型加入 `{ $path }`，或用 `--allow-unknown-cost` 允许运行

cli-incomplete-budget = 完成 { $total } 个结果中的 { $done } 个后因预算停止：{ $why }
cli-incomplete-aborted = 运行已终止：{ $error }
cli-report-kept = 本次运行提前结束，因此保留完整运行的报告：{ $path }
cli-incomplete-judge = 评委失败，运行已终止；已有的回答会保留：{ $error }
cli-incomplete-first-call = 第一次调用失败，因此没有再发出其他调用：{ $error }
cli-incomplete-start = 没有一次调用成功，且失败都相同，因此不再发出调用：{ $error }

cli-unknown-language = OMK_LANG 为 `{ $tag }`，既不是 en 也不是 zh：消息使用系统语言，否则使用英文
cli-usage-unknown-argument = 未知参数 `{ $argument }`
cli-usage-unexpected-value = `{ $argument }` 不接受值，实际给出 `{ $value }`
cli-usage-unknown-command = 未知命令 `{ $command }`
cli-usage-commas = 多个值请用空格分隔，而不是逗号
cli-usage-no-option = 该命令不再接受更多的词：请把值写在其选项之后（`--option VALUE`）
cli-usage-missing-argument = 缺少必需的 `{ $argument }`
cli-usage-missing-command = 需要一个命令
cli-usage-conflict = `{ $argument }` 与 `{ $other }` 不能同时使用
cli-usage-twice = `{ $argument }` 只能出现一次
cli-usage-value-missing = `{ $argument }` 需要一个值
cli-usage-value = `{ $value }` 不是 `{ $argument }` 的有效值
cli-usage-valid = 可用的值：{ $values }
cli-usage-range = 应在 { $low } 到 { $high } 之间
cli-usage-at-least = 至少应为 { $low }
cli-usage-not-negative = 应为非负数
cli-usage-number = 这里需要一个数字
cli-usage-scale = 应为最差分与最好分，如 1..10
cli-usage-suggestion = 是不是想写 `{ $suggestion }`？
cli-usage-planned = `{ $word }` 尚未提供
cli-usage-more = 用 `--help` 查看全部用法
cli-usage-other = { $error }

cli-output-lost = 无法写入标准输出：{ $why }
cli-progress-resumed = { $total } 次执行中的 { $resumed } 次已在日志中
cli-progress-comparing = 所有回答已到齐；评委开始比较其中的 { $total } 对
cli-progress-classifying = 所有回答已到齐；模型开始复核 { $total } 句存疑语句
cli-hedging-truncated = 智能体共说了 { $found } 句不同的存疑语句，模型只复核 { $most } 句（`hedgingClassifier.maxCandidates`）；其余 { $beyond } 句照样作为信号保留
cli-progress-done = 已完成 { $done }/{ $total }，{ $text }（{ $cell }）
cli-progress-done-pairs = 已完成 { $done }/{ $total }，{ $text }
cli-progress-look = 第 { $number } 次查看（共 { $looks } 次）
cli-progress-answered = 已回答 { $answered }，失败 { $failed }
cli-progress-unanswered = 没有回答 { $count }
cli-progress-spent = { $usd }
cli-progress-spent-assumed = { $usd }（其中失败的调用按估计计 { $assumed }）
cli-progress-spent-unknown = 费用未知
cli-progress-rate = 每分钟 { $rate } 次
cli-progress-left = 约剩 { $amount } { $unit ->
    [seconds] 秒
    [minutes] 分钟
   *[hours] 小时
}
cli-progress-failed = { $cell } 失败：{ $error }
cli-progress-more-failures = 其余失败只计数，详见报告
cli-progress-more-retries = 之后的重试不再逐条显示，报告中会列出
cli-progress-retry = { $cell }：{ $error }；{ $seconds } 秒后重试
cli-progress-throttled = { $provider } 限制了速率：同时最多 { $limit } 个调用，{ $seconds } 秒内不再发送
cli-progress-ending = 即将结束：先完成进行中的 { $running } 个调用
cli-progress-grace = 正在停止：进行中的 { $running } 个调用最多再等 { $seconds } 秒；再来一次信号则立即结束
cli-progress-stopping = { $running ->
    [0] 正在停止：没有进行中的调用
   *[other] 正在停止：先完成进行中的 { $running } 个调用；再按一次立即结束
}
cli-progress-waiting = 仍在等待 { $running } 个调用；最久的是 { $cell }，已 { $seconds } 秒
cli-progress-awaited = { $provider } 限制了请求速率，还需等待 { $seconds } 秒
cli-progress-queued = 正在等待速率限制

cli-show-no-sample = { $report } 中没有用例 `{ $sample }`
cli-journal-line = { $id }，最后写入 { $date }，{ $size }
cli-journal-in-use = 有运行正在写入 { $id }：保留
cli-journal-removed = 已删除 { $all } 个日志中的 { $count } 个，{ $size }
cli-journal-would = 将删除 { $all } 个日志中的 { $count } 个，{ $size }
cli-cache-unknown-sample = 没有用例 `{ $sample }`
cli-cache-unknown-sample-help = 现有用例：{ $samples }
cli-cache-cell = { $cell }：{ $state }
cli-cache-hit = 已在缓存中
cli-cache-miss = 不在缓存中
cli-cache-key = 键 { $key }
cli-cache-part = { $name } = { $value }
cli-cache-differs = 最接近的已存回答在 `{ $name }` 上不同：存的是 { $stored }，这里是 { $asked }
cli-cache-nothing = 该用例与变体没有已存的回答
cli-report-large = 该计划的报告至少有 { $mib } MiB，而最多读取 { $most } MiB
cli-report-large-help = 请把任务或样本分成几部分运行，减少重复次数，或缩小输入（`omk eval --no-texts` 使报告不含输入）；尚未发出任何调用
cli-few-threads = 系统只允许本程序使用 { $threads } 个线程，不足以工作
cli-limit = 程序因系统的限制而停止：{ $why }
cli-limits-help = 请提高进程数（`ulimit -u`、容器的 `--pids-limit`）、打开文件数（`ulimit -n`）或内存（`ulimit -v`）的限制；已开始的运行可用 `--resume` 继续
cli-runtime = 无法启动运行时
cli-temporary = 无法在 `{ $folder }` 中创建临时文件：{ $cause }
cli-temporary-help = 请把 `TMPDIR` 设为一个存在且有写入权限的文件夹

cli-bench-below = `{ $variant }` 低于门槛：{ $mean } < { $threshold }
cli-bench-unscored = `{ $variant }` 没有分数可与 { $threshold } 比较
cli-bench-passed = 每个变体都达到 { $threshold }
cli-estimate-basis-assumed = 提示按每 token 4 字节计，另加智能体自带的 { $own } 个 token（假定值，`omk doctor` 可实测）；下限为一次请求、回答 { $short } 个 token，上限为 { $most } 次请求，每次重发此前的对话（按缓存价计）并新增 { $turn } 个 token，回答共 { $answers } 个 token
cli-estimate-basis-measured = 提示按每 token 4 字节计，另加智能体自带的 { $own } 个 token（由 `omk doctor` 实测）；下限为一次请求、回答 { $short } 个 token，上限为 { $most } 次请求，每次重发此前的对话（按缓存价计）并新增 { $turn } 个 token，回答共 { $answers } 个 token
cli-estimate-basis = 提示按每 token 4 字节计，回答按 { $short } 到 { $long } 个 token 计；智能体会调用多次
cli-estimate-classifier = 按最多 { $most } 句存疑语句计
cli-executors = 可用的执行器及其在本机的状态：
cli-dry-run-broken-report = `{ $path }` 不是可读的报告，已跳过
cli-dry-run-not-ready = 目前还不能开始运行：{ $why }
cli-executor-not-ready = 执行器尚未就绪

cli-pairwise-alone = 用例 `{ $sample }` 采用成对比较，但只有一个变体
cli-pairwise-alone-help = 用 `--treatment` 指定另一个变体，或改用 `rubric` 评分
cli-stop-alone = 只有一个变体，计划的查看（`--looks`）没有可判定的差异
cli-stop-alone-help = 用 `--treatment` 指定另一个变体，或去掉 `--looks`
cli-stop-pairwise = 计划的查看（`--looks`）依据分数判定，而用例 `{ $sample }` 采用成对比较
cli-stop-pairwise-help = 改用 `rubric` 评分，或去掉 `--looks`
cli-nothing-scores = 没有任何用例能为回答打分
cli-nothing-scores-help = 请添加 `assertions`、`rubric` 或 `dimensions`；`--report-only` 只收集回答，不打分
cli-nothing-scored = 没有评委就没有任何内容会给回答打分
cli-nothing-scored-help = 请添加不需要评委的 `assertions`，或去掉 `--no-judge`
cli-judge-left-out = { $count } 个用例不经评委评分：评分标准、维度与由评委打分的断言均不计入
cli-delivery-no-agent = 不能向 `{ $executor }` 提供技能或项目文件：它只得到一段文本
cli-delivery-no-agent-help = 请使用智能体（`--executor claude`、`codex` 或 `gemini`），或 `--delivery system-prompt`
cli-permissions-no-agent = `{ $executor }` 没有权限模式 `{ $mode }`：它不是会请求许可的智能体
cli-permissions-no-agent-help = 请使用智能体（`--executor claude`、`codex` 或 `gemini`），或去掉 `permissions`
cli-permissions-open = 权限模式 `{ $mode }` 只用于在工作目录的一次性副本中运行的智能体，而不隔离时它直接在你的目录中工作
cli-permissions-open-help = 请去掉 `--no-strict-baseline`（`strictBaseline: false`），或使用 `--permissions default`（`permissions`，变体也可能有）
cli-permissions-no-sandbox = 可使用所有工具的智能体只在沙箱中运行
cli-permissions-no-sandbox-help = 请去掉 `--no-sandbox`（`sandbox: false`），或使用 `--permissions edits`（`permissions`，变体也可能有）
cli-network-no-agent = `{ $executor }` 不是智能体：无法断开其工具的网络
cli-network-no-agent-help = 请使用智能体（`--executor claude`、`codex` 或 `gemini`），或去掉 `network: none`
cli-network-open = 网络由隔离的智能体的沙箱断开，而沙箱已关闭
cli-network-open-help = 请去掉 `--no-sandbox` 和 `--no-strict-baseline`，或使用 `--network open`
cli-drift-artifact = `{ $variant }` 的资产与对照 `{ $control }` 不同，而 `varies` 没有写明
cli-drift-delivery = `{ $variant }` 的资产到达模型的方式与对照 `{ $control }` 不同，而 `varies` 没有写明
cli-drift-skills = 提供给 `{ $variant }` 的其他技能与对照 `{ $control }` 不同，而 `varies` 没有写明
cli-drift-cwd = `{ $variant }` 周围的文件与对照 `{ $control }` 的不同，而 `varies` 没有写明
cli-drift-permissions = `{ $variant }` 的智能体权限与对照 `{ $control }` 的不同，而 `varies` 没有写明
cli-drift-help = 让两者的 `{ $part }` 相同，这样结果只反映一处差别；或者声明要比较的内容：在 eval.yaml 里写 `varies: [{ $varies }]`
cli-triggers-none = 没有可运行的查询：缺少 `triggers`
cli-triggers-none-help = 在 eval.yaml 里写 `triggers: 文件`，或用 `--samples 文件` 指定
cli-triggers-which = 查询只针对一个技能，而这里有多个：{ $names }
cli-triggers-which-help = 用 `--control 名字` 指定它，用 `--treatment 名字` 指定它的另一个版本
cli-triggers-only = `{ $flag }` 需要一组应加载或不应加载某技能的查询
cli-triggers-only-help = 用 `--triggers` 运行 eval.yaml 里的查询，或用 `--samples 文件` 指定
cli-gaps-unknown = 报告 { $report } 没有缺口 `{ $id }`
cli-gaps-unknown-help = `omk gaps list` 会列出 id；用 `--report` 指定另一份报告
cli-gaps-no-reason = 驳回缺口要给出理由：`--reason 文字`
cli-gaps-damaged = 无法读取 `{ $path }` 第 { $line } 行：{ $why }
cli-gaps-damaged-help = 请修正该行，或删除该文件：那样所有缺口都回到未处理
cli-gaps-done = { $id } 已完成：`{ $subject }`（见 `{ $path }`）
cli-gaps-dismissed = { $id } 已驳回：`{ $subject }`（见 `{ $path }`）
cli-gaps-open = { $id } 重新打开：`{ $subject }`（见 `{ $path }`）
cli-delivery-open = 技能和项目文件只能交给隔离的智能体
cli-delivery-open-help = 请去掉 `--no-strict-baseline`，或使用 `--delivery system-prompt`
cli-mocks-exists = { $path } 已存在
cli-mocks-exists-help = 请用 `--output` 指定别的文件，或用 `--force` 覆盖
cli-mocks-no-executor = 无法录制 `{ $executor }` 的工具调用
cli-mocks-no-executor-help = 请改用可以录制工具调用的智能体：{ $executors }
cli-mocks-no-variant = 没有变体 `{ $variant }`
cli-mocks-no-sample = 没有用例 `{ $sample }`
cli-mocks-header = 由 `omk mocks record` 录制：变体 { $variant }，{ $executor }。
    请先检查，简化会变化的内容，再把每个用例的 `mocks` 放进用例文件。
    其中的路径相对于用例文件所在的目录。
cli-mocks-recorded-sample = 用例 `{ $sample }`：{ $mocks } 个 mock
cli-mocks-failed = 用例 `{ $sample }` 没有录制成功：{ $why }
cli-mocks-cut = 用例 `{ $sample }` 中途停止，已录制此前的调用：{ $why }
cli-mocks-no-file = `{ $path }` 已存在，且不能换成录制文件
cli-mocks-no-file-help = 请用 `--output` 指定别的文件：不是普通文件的，或指向不存在之处的链接，一律不动
cli-mocks-denied = 用例 `{ $sample }`：智能体的这次 `{ $tool }` 调用被拒绝，未录制：{ $input }（“{ $why }”）；可用 `--allowed-tools` 或 `--permissions` 放行
cli-mocks-denied-sandbox = 用例 `{ $sample }`：沙箱阻止了这次 `{ $tool }` 调用写入文件，未录制：{ $input }；`--permissions edits` 允许智能体写入自己的副本，`--no-sandbox` 允许写入任何位置
cli-mocks-denied-network = 用例 `{ $sample }`：这次 `{ $tool }` 调用时网络已关闭，未录制：{ $input }；请用 `--network open` 录制
cli-mocks-doubtful-sandbox = 用例 `{ $sample }`：请检查这次 `{ $tool }` 调用的 mock，沙箱可能阻止了其中的写入：{ $input }；`--permissions edits` 允许智能体写入自己的副本，`--no-sandbox` 允许写入任何位置
cli-mocks-doubtful-network = 用例 `{ $sample }`：请检查这次 `{ $tool }` 调用的 mock，当时网络可能已关闭：{ $input }；请用 `--network open` 录制
cli-mocks-left = 用例 `{ $sample }`：没有 mock 能回答 `{ $tool }` 的这次调用：{ $input }
cli-mocks-recorded = { $samples } 个用例的 { $mocks } 个 mock 已写入 { $path }：请检查后放进用例文件
cli-mocks-open = 用例 `{ $sample }` 有 mock，而没有隔离时（`--no-strict-baseline`）智能体操作的是真实文件
cli-no-agent = `{ $executor }` 只回答一轮且没有工具：允许的工具与轮数限制不起作用

cli-resume-record = 开始时没有用 `--record DIR` 的运行不能中途开始录制：已有的执行不在录制中
cli-resume-record-help = 去掉 `--record`，或带着它开始一次新的运行
cli-accept-alone = `--accept-changes` 继续先前的运行，须与 `--resume` 同用
cli-accept-alone-help = `omk eval --resume ID --accept-changes`，或 `--resume latest`
cli-resume-answers-gone = `{ $id }` 的日志缺少其报告中的 { $count } 个回答：有行被删除，重新请求会替换已测得的结果
cli-resume-answers-gone-help = 请开始新的运行：它会尽量取用缓存，并算作又一次查看
cli-files-changed = 运行 `{ $id }` 开始之后，智能体工作目录中的文件有改动：{ $files }
cli-files-removed = `{ $folder }`（其中有内容被删除）
cli-files-changed-help = 把改动或删除的恢复原样，把新增的移走（`git stash --include-untracked` 两者都做）后再次恢复运行；或用 `omk eval --resume { $id } --accept-changes` 继续：所有回答都保留，报告会说明哪些是在改动后的文件旁给出的，提升将判为 CAUTIOUS 而不是 PROGRESS
cli-files-accepted = 智能体会看到改动过的文件：{ $files }；提升将判为 CAUTIOUS，而不是 PROGRESS
cli-cwd-withheld = 工作目录 `{ $directory }` 本身就是智能体不该看到的内容（例如知识资产），所以它的副本会是空的
cli-cwd-withheld-help = 把 `cwd` 设为任务所需文件所在的目录；它可以位于其内部
cli-cwd-empty = 智能体在空目录中工作：`{ $directory }` 本身就是它们不该看到的内容（例如知识资产）
cli-prompt-loads-skill = 用例 `{ $sample }` 的提示词按名称加载技能 `{ $skill }`：提供该技能时 `{ $executor }` 会加入技能的正文，各变体得到的提示词就不同了
cli-prompt-loads-skill-help = 写名称时去掉前面的标记
cli-prompt-names-artifact = 用例 `{ $sample }` 写明了知识资产的位置（`{ $path }`），每个变体的智能体都能去那里读取
cli-prompt-names-artifact-help = 请从提示词和上下文中去掉该路径：每个变体的知识资产由 omk 提供
cli-copy-left-out = 智能体的副本里没有工作目录中的 { $count } 个路径，因为它们是被测内容的副本、其他版本或录制：{ $paths }
cli-prompt-names-cwd = { $count ->
    [1] 用例 `{ $sample }` 用完整路径提到了工作目录 `{ $directory }`：每个智能体得到的是其副本的路径
   *[other] { $count } 个用例（首先是 `{ $sample }`）用完整路径提到了工作目录 `{ $directory }`：每个智能体得到的是其副本的路径
}
cli-strict-journal-alone = `--strict-journal` 检查先前运行的日志，须与 `--resume` 同用
cli-strict-journal-alone-help = `omk eval --resume ID --strict-journal`，或 `--resume latest`
cli-retry-alone = `--retry-failed` 重新请求先前运行中失败的部分，须与 `--resume` 同用
cli-retry-alone-help = `omk eval --resume ID --retry-failed`，或 `--resume latest`
cli-retry-nothing = 没有失败的结果，因此不重新请求
cli-retry-failed = 重新请求：{ $executions } 次失败的执行，以及评委意见不全的 { $answers } 个回答和 { $pairs } 对回答；如果某个变体在超时或出错之后重新请求得更多，判定会把多出的第一次回答当作很差

cli-no-report = `{ $dir }` 中没有报告 `{ $report }`
cli-no-report-help = 请给出报告文件、`latest`，或报告 id 与 `--reports-dir`
cli-judge-instead = 它要担任评委：用 `--judge-executor` 或 `--judge-model` 指定另一个，或用 `--no-judge` 不用评委
cli-replay-instead = `--executor replay` 会比较 `{ $dir }` 中录制的回答，不需要账号
cli-judge-other = 它要担任评委：用 `--judge-executor` 或 `--judge-model` 指定另一个
cli-dry-run-judge-not-ready = 评委在这里还不能运行：{ $why }
cli-regrade-unknown-executor = 运行 `{ $id }` 没有记下由谁回答
cli-regrade-without = { $total } 个单元中有 { $count } 个在运行 `{ $id }` 里没有针对现在所问内容的回答
cli-regrade-without-help = 只有评分标准、断言或评委变了才能重新评分；被中断的运行用 `omk eval --resume { $id }` 完成
cli-regrade-no-answer = 重新评分的运行不执行任何调用
cli-debias-unjudged = 运行 `{ $id }` 中没有由评委打分的回答
cli-debias-unjudged-help = 给用例加上评分标准后重新评分：`omk eval --regrade { $id }`
cli-debias-compared-help = 该运行的评委是成对比较；请先让评委打分：`omk eval --regrade { $id } --judge-mode rubric`
cli-debias-expectations = 运行 `{ $id }` 的评委只判断期望是否满足，不涉及长度设置：没有可测量的内容
cli-debias-changed = 评委要回答的问题与运行 `{ $id }` 时不同：{ $changes } 此后有改动
cli-debias-changed-help = 先按现在的文件重新评分，再测量那次运行：`omk eval --regrade { $id }`，`omk debias length latest`

## 人工评分

cli-gold-no-reports = `{ $dir }` 里没有报告
cli-latest = 报告：{ $path }
cli-no-latest = `{ $reports }` 中没有在 `{ $dir }` 或其上级目录启动的运行的报告
cli-no-latest-help = `latest` 指本项目最近的报告：其他项目的报告请用 id 指定，例如 `{ $id }`
cli-gold-nothing = 报告里没有评委打过分的输出
cli-gold-nothing-help = 人工评分要与评委比较：给用例加上 `rubric` 或 `dimensions`，然后运行 `omk eval`
cli-gold-link = `{ $path }` 是链接，不会通过它写入
cli-gold-written = `{ $dir }` 里新增 { $outputs } 个待评分的输出，涉及 { $samples } 个用例
cli-gold-kept = 已有的 { $count } 个输出保持不变
cli-gold-fill-in = 填写 `scores`：1 到 5，可以有半分，未评的写 `null`；然后运行
cli-gold-command = {"  "}omk gold compare { $report } --gold-dir { $dir }
cli-gold-no-prompts = 不显示提示词和评分标准：`{ $path }` 已不是这份报告的用例文件
cli-gold-valid = `{ $dir }` 没有问题：{ $files } 个文件，{ $annotations } 条标注，{ $scores } 个分数，{ $open } 个未评
cli-gold-fits = { $annotations } 条标注中有 { $used } 条与报告相符
cli-gold-no-variant = 报告里没有变体 `{ $variant }`
cli-gold-variants = 变体有：{ $variants }
cli-judge-no-executor = 评委 `{ $model }` 的执行器 `{ $executor }` 不存在；如果它整个是模型名，请写成 `{ $whole }`
cli-judge-no-model = 评委需要模型：`{ $executor }:MODEL`
cli-judges-many = 共有 { $count } 个评委；一次运行最多询问 { $most } 个
cli-judge-twice = 评委 `{ $judge }` 出现了两次；要同一评委的多次意见，请用 `--judge-repeat`
cli-resume-judge-secret-help = 请为运行 `{ $id }` 再次给出评委：`--judge-executor COMMAND`

cli-diff-two-orders = 两次运行都在得出结论时结束，且用例的顺序不同，因此无法排除运气：请为两次运行指定相同的 `--seed`，或让其中一次运行到底
cli-diff-invalid = 运行 `{ $id }` 不是有效的测量，无法判断是否变差
cli-diff-few = { $variants } 的配对太少，看不出是否变差：需要 { $needed } 对
cli-diff-regressed = { $variants } 变差了
cli-no-reports-dir = 没有目录 `{ $dir }`
cli-trend-left = 另有 { $count } 份较早的报告未计入（`--limit { $limit }`）
cli-power-nothing = 请给出先导报告，或 `--sd` 与 `--correlation`
cli-power-range = `{ $flag } { $value }` 没有答案：必须大于 { $low } 且小于 { $high }
cli-power-below-alpha = 功效 { $power } 不高于误报风险 { $alpha }：不需要任何用例
cli-several-reports = 有 { $count } 份报告的 id 以 `{ $report }` 开头
cli-several-reports-help = 例如 { $ids }

## omk failures
cli-failures-interrupted = 已中断：显示的是此前得到的名称，再次运行只需为其余名称付费
cli-failures-no-judge = 回答来自录制内容：没有指定由谁给聚类命名
cli-failures-no-judge-help = 请指定模型：`--judge-model anthropic-api:claude-haiku-4-5`，或 `--judge-executor claude`
cli-failures-asking = 正在请 { $judge } 给出 { $count } 个名称

## 退出码，供文档使用
cli-exit-ok = 门禁放行；没有门禁的命令则表示已完成
cli-exit-refused = 门禁拒绝
cli-exit-usage = 用法、配置或输入有误；什么都没有执行
cli-exit-invalid = 不是有效的测量，或者结果无法写出；已测到的部分会保存
cli-exit-interrupted = 被中断；已完成的部分会保存，可以恢复

## 环境变量，供文档使用
cli-variable-omk-home = `omk` 的主目录，含 `reports`、`journal`、`cache` 和 `prices.json`；不设则为 `~/.oh-my-knowledge`
cli-variable-omk-executor = 参数和 `eval.yaml` 都没有指定时所用的执行器
cli-variable-omk-model = 参数和 `eval.yaml` 都没有指定时所用的模型；若 `OMK_EXECUTOR` 指定的执行器与实际所用的不同，则忽略
cli-variable-omk-lang = `en` 或 `zh`；`--lang` 优先，最后看系统区域设置
cli-variable-omk-bench-port = 报告服务器的端口，除非给出 `--port`（7799）
cli-variable-omk-pass-env = 看上去像密钥、但允许程序看到的变量名，用逗号分隔
cli-variable-omk-fixed-time = 代替当前时间的时刻，例如 `2026-03-01T10:00:00Z`：用于测试和可复现的报告
cli-variable-eval-skills-home = `eval-skills` 的主目录，含 `config.yaml` 和日志；不设则为 `~/.eval-skills`
cli-variable-anthropic-key = `anthropic-api` 的 key；`claude` 也会得到它
cli-variable-anthropic-token = `anthropic-api` 的 bearer token，代替 key；`claude` 也会得到它
cli-variable-anthropic-base = `anthropic-api` 和 `claude` 的 base URL
cli-variable-claude-bedrock = `claude` 使用 Amazon Bedrock，并得到以 `AWS_` 开头的变量
cli-variable-claude-vertex = `claude` 使用 Google Vertex AI，并得到以 `GOOGLE_` 开头的变量
cli-variable-claude-foundry = `claude` 使用 Microsoft Foundry，并得到以 `AZURE_` 开头的变量
cli-variable-openai-key = `openai-api` 的 key
cli-variable-openai-base = `openai-api` 的 base URL；它所指的服务可以不要 key
cli-variable-ccv-proxy = 取代 `anthropic-api`、`openai-api` 和 `claude` 的 base URL
cli-variable-proxy = 请求所用的代理；小写的同名变量优先
cli-variable-no-proxy = 不经代理访问的主机；小写的同名变量优先
cli-variable-no-color = 不使用颜色，同 `--no-color`
cli-variable-force-color = 输出不是终端时也使用颜色，除非值为 `0`
cli-variable-term = 值为 `dumb` 时不使用颜色
cli-variable-columns = 文本的宽度，40 到 200；不设则取终端的宽度，写入文件或管道时为 80
cli-variable-ci = 设置后按行打印进度，适合日志
cli-variable-locale = 系统区域设置；`--lang` 和 `OMK_LANG` 都没有时由它决定语言
cli-variable-path = 在哪里查找程序
cli-variable-tmpdir = 临时文件放在哪里
cli-variable-user = `omk gold init` 的标注者，除非用 `--annotator` 指定

## omk report export 与 --export
cli-export-unknown = 该报告没有 `{ $format }` 格式：可用 { $known }
cli-export-shape = `{ $given }` 没有写明以哪种格式写入哪个文件
cli-export-shape-help = 请写成 `--export FORMAT=FILE`，例如 `--export junit=report.xml`
cli-export-twice = 有两个导出写入同一文件 `{ $path }`
cli-output-is-input = `{ $path }` 是本命令的输入，不予覆盖：请指定别的文件
cli-export-stored = `{ $path }` 由 omk 保管（报告、日志或缓存），不予覆盖：请指定别的文件
cli-export-two-documents = `--json` 只打印一个文档，导出会是第二个：请用 `--output` 指定文件
cli-export-failed = 无法以 `{ $format }` 写出报告
cli-export-inspect-written = 已写入 `{ $path }`：{ $count } 个日志，每个变体一个；可用 `inspect view --log-dir` 查看
cli-export-written = 已写入：{ $path }

cli-since-nothing = 自 `{ $reference }` 以来，被评测的内容没有变化：未运行任何内容
cli-since-help = 请给出本仓库的提交、分支或标签，并获取足够的历史（GitHub Actions 中用 `fetch-depth: 0`）

## 报告服务器
cli-serve-failed = 无法启动报告服务器
cli-serve-address = { $address } 展示 { $dir } 中的报告；按 Ctrl-C 结束
cli-serve-port = 无法监听端口 { $port }：{ $error }
cli-serve-port-help = `--port 0` 使用任意空闲端口
cli-serve-variable = `{ $name }` 不是端口：`{ $value }`

cli-reveal-now = 名称已于 { $time }（UTC）揭晓；此后的意见不再标为盲评
cli-reveal-before = 名称已于 { $time }（UTC）揭晓过
cli-reveal-name = { $label } 是 `{ $name }`
cli-reveal-open = { $path } 不在盲评中：没有隐藏任何内容
cli-blind-next = 名称已隐藏：`omk report` 可供人盲评回答，`omk report reveal { $report }` 揭晓名称
cli-import-none = 报告中没有可写成人工评分的评分
cli-import-none-help = 可在 `omk report` 的页面上为回答打星
cli-import-none-blind = 不加 `--blind`，在看得到名称时给出的评分也会写入
cli-import-unscored = { $count } 个评分（{ $list }）对应的回答都没有评委的得分，因此不能写成人工评分
cli-import-unscored-help = 人工评分用来校正评委，需要评委对同一回答的单一得分：请为用例加上 `rubric`，再用 `omk eval --regrade { $id }` 让评委为已存储的回答打分
cli-import-done = 已将 { $written } 个评分写入 { $dir }
cli-import-kept = { $count } 个已经存在：同一人对同一输出的评分
cli-import-removed = 移除了 { $count } 个：已裁定有误
cli-disputes-none = 还没有人评价过这份报告的回答
cli-settle-none-help = `{ $command }` 列出所有评分
cli-settle-none-gold = { $path } 中没有对该变体所给回答的评分
cli-settled-gold = { $count } 个评分不再计入；`omk gold import` 会移除它写入的相应条目
cli-settled-judge = { $count } 个评分得到确认；分数和结论保持不变
import-exists = `{ $path }` 已存在
import-exists-help = 没有写入任何文件；请用 `--output` 指定其他目录
import-tests = 测试：共 { $all } 个，{ $whole } 个完整导入，{ $partly } 个部分导入，{ $not } 个未导入
import-unchecked = 已导入的测试中有 { $count } 个没有任何检查：请写上 `assertions` 或 `rubric`
import-checks = 检查：共 { $all } 项，{ $same } 项含义相同，{ $nearly } 项近似，{ $not } 项未导入
import-lacking = 未导入：
import-near = 导入后有差别：
import-difference = { $count } × { $what }（{ $place }）：{ $why }
import-next = 请先检查，然后运行：{ $command }

cli-url-failed = 无法抓取 `{ $url }`：{ $why }
cli-url-failed-help = 加上 `--allow-missing-urls` 会把它保留为文本；在用例中写 `urlFetch: false` 则不抓取其中的任何 URL
cli-url-missing = `{ $url }` 保留为文本：{ $why }
cli-url-used = 在用例 `{ $sample }` 的 `{ $field }` 中
cli-url-and = ；
cli-url-changed = `{ $url }` 的内容在运行开始之后变了，而它当时的文本既不在该运行的日志旁边，也不在其报告中
cli-url-lost = 无法再次抓取 `{ $url }`（{ $why }），而它当时的文本既不在该运行的日志旁边，也不在其报告中
cli-url-lost-help = 请恢复 `{ $path }` 或该运行的报告：运行的回答都在日志里，恢复后即可继续；若要用页面现在的内容，只能开始一次新的运行
cli-url-doubtful = 用例 `{ $sample }`：把 `{ $url }` 当作完整的 URL，把紧接其后的“{ $rest }”当作正文
cli-url-doubtful-help = 如果没错，在 URL 后面加一个空格；如果 URL 还没有完，写成 `<{ $url }{ $rest }…>`
cli-url-open = 看不出紧接其后的“{ $rest }”是否属于它
cli-url-open-help = 如果 URL 到 `{ $url }` 为止，在它后面加一个空格；如果还没有完，写成 `<{ $url }{ $rest }…>`
cli-urls-private = 该文件允许从本机及其内网的地址抓取用例中的 URL
cli-urls-private-help = 那里返回的内容会进入提示词：如果该文件不是你写的，请去掉 `allowPrivateUrls`
cli-mcp-untrusted = `{ $file }` 中的 MCP 服务器要抓取这些用例的 URL，但还没有人同意启动它们：{ $servers }
cli-mcp-server = `{ $name }`：{ $what }
cli-mcp-server-with = `{ $name }`：{ $what }，并交给它 { $given }
cli-mcp-no-program = `{ $name }`（未安装）
cli-mcp-unfit-regex = 没有询问 MCP 服务器 `{ $server }`：其工具的 `urlTransform`（`{ $regex }`）不匹配
cli-mcp-unfit-pattern = 没有询问 MCP 服务器 `{ $server }`：其模式 `{ $pattern }` 不匹配，写成 `{ $plain }` 才匹配
cli-mcp-unfit-help = `urlPatterns` 是主机名和路径的开头，其中 `*` 代表任意文本；`urlTransform` 才是正则表达式
cli-mcp-untrusted-help = 先看一下 `{ $file }`；然后运行一次 `omk eval --trust-mcp`，或每次都加上 `--mcp-config { $file }`
cli-mcp-trusted = 已同意启动 `{ $file }` 中的 MCP 服务器，直到该文件改变：{ $servers }
cli-mcp-nothing = 项目中没有抓取 URL 的 MCP 服务器
cli-mcp-nothing-help = 这样的服务器有 `urlPatterns` 和 `fetchTool`
cli-prices-head = 美元／百万 token：输入、输出、读缓存、写缓存；价格日期
cli-prices-none = `{ $model }` 没有价格
cli-prices-own = 其他价格写入 `{ $file }`：{"{"} "version": 1, "models": {"{"} "MODEL": {"{"} "input": 2, "output": 10, "cacheRead": 0.2, "cacheWrite": 2.5 {"}"} {"}"} {"}"}
