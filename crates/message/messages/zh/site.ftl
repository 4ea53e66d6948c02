# site：报告服务器中报告以外的页面

site-skip = 跳到正文
site-navigation = 页面
site-foot = { $program } 展示的是本机上的文件，且只供本机访问
site-runs = 运行
site-trends = 趋势
site-run = 运行
site-diff = 两次运行的差异
site-search = 搜索
site-filter = 筛选
site-reset = 显示全部
site-all = 全部
site-pages = 其他页
site-artifact = 资产
site-test-set = 用例文件
site-project = 项目
site-when = 时间
site-what = 内容
site-result = 结果
site-samples = 用例
site-sample = 用例
site-commit = 提交
site-pick = 选择
site-compare = 比较
site-compare-help = 勾选两次运行即可比较：
site-none = 无
site-invalid = 无结论
site-passed = 通过
site-failed = 未通过
site-ungated = 无门槛
site-incomplete = 不完整
site-row-result = { $treatment }：{ $result }
site-row-title = { $treatments } 对比 { $control }
site-list-count = 共 { $count } 份报告
site-list-none = 没有符合这些条件的报告。
site-list-empty = 还没有报告。`{ $program } eval` 会写出一份。
site-unreadable = 无法作为报告读取的文件

## 进行中的运行
site-live-now = 正在运行
site-live-label = 进度
site-live-progress = 已完成 { $finished } / { $planned } 次执行
site-live-finished = 已完成 { $finished } 次执行
site-live-running = 自 { $time }（UTC）起运行中
site-live-stopped = { $time }（UTC）开始，未写出报告便停止；继续运行：{ $command }
site-live-reload = 重新载入
site-live-note = 得分与结论随报告给出：盯着进行中的运行下判断，看到的差异可能只是偶然。
site-live-note-stops = 某次查看有了定论，运行便会结束；得分与结论随报告给出。
site-live-looks = 第 { $look } 次查看（共 { $looks } 次）进行中：已完成 { $samples } 个用例（最多 { $planned } 个），顺序在运行前抽定
site-live-none-failed = 没有失败
site-live-failed = { $count } 次失败：{ $list }
site-live-spent = 已花费 { $spent }
site-live-spent-of = 已花费 { $spent }，上限 { $budget }
site-live-spent-more = 已知花费 { $spent }，另有未知花费
site-live-spent-of-more = 已知花费 { $spent }，上限 { $budget }，另有未知花费
site-live-spent-assumed = { $spent }（其中失败的调用按估计计 { $assumed }）
site-live-awaited = 正在等待
site-live-call = { $who ->
    [judge] { $cell } 的评委：{ $seconds }
   *[other] { $cell }：{ $seconds }
}

## 趋势
site-trend-intro = 每个资产历次运行的得分（1 到 5 分）及 95% 区间。只有用例、模型、评委与设置都相同的运行才连成一线。▼ 表示资产换了版本；提交后的 + 表示被测内容与该提交不同。
site-trend-breaks = 与之前的运行不可比较：
site-trend-back = 属于更早开始的序列
site-trend-more = 另有 { $count } 个资产；选择用例文件或资产即可查看

## 两次运行的差异
site-diff-comparable = 能否比较？
site-diff-settings-same = 模型、评委与设置都相同
site-diff-swap = 交换 A 与 B
site-diff-force = 比较两边共有的用例
site-diff-mean = { $a } → { $b } 分：{ $mean }，共 { $pairs } 对
site-diff-failing = 新增未通过
site-diff-passing = 新增通过
site-diff-samples = 有变化的用例，降幅最大的在前
site-diff-left-out = 未比较
site-trend-intro-skills = 各可调用技能的完成率随评测的变化，附 95% 区间。只有基准内容相同的评测才连成一线。
site-trend-benchmark = 基准内容：{ $version }
site-trend-skill = 技能的文件与上一次不同（{ $version }）
site-diff-benchmark-same = 基准 { $benchmark } 相同
site-diff-benchmark-other = 基准内容不同：{ $a }、{ $b }
site-diff-skill-settings-same = 设置相同
site-diff-kinds = 资产的对比与可调用技能的评测无法互相比较
site-diff-choose = 需要两次运行：`/diff?a=ID&b=ID`
site-diff-choose-help = 在列表中勾选两次

## 错误
site-error = 错误 { $status }
site-back = 返回运行列表
site-no-report = { $dir } 中没有报告 `{ $name }`
site-no-report-help = 列表中有全部报告
site-no-page = 没有这个页面
site-report-changed = `{ $path }`在读取时被更改；请重新加载页面
site-no-sample = 报告 `{ $report }` 中没有用例 `{ $sample }`
site-no-format = 这份报告没有 `{ $format }` 格式，可用的有 { $known }
site-no-method = 该地址只接受 { $methods }
site-foreign-host = 已拒绝：请求针对的是另一个主机
site-foreign-host-help = 请打开程序打印出的地址
site-cross-site = 已拒绝：请求来自其他网站
site-too-large = 已拒绝：请求超过 { $limit } 字节
site-busy = 同时的请求太多，请稍后再试
site-slow = 请求到达得太慢
site-failed-page = 无法生成页面：{ $why }
site-feedback-shape = 不是反馈：{ $why }
site-feedback-type = 反馈应为 JSON 或表单
site-feedback-object = 反馈应为一个 JSON 对象，例如 `{ $example }`
site-feedback-sealed = 此运行的名称已隐藏：请在它的盲评页面上评价；在别处只接受标签（如 `Variant A`）。揭晓之后可按名称评价
site-feedback-sealed-named = 这次运行的名称已隐藏：揭晓之前，意见只能在它的盲评页面上给出
site-feedback-sample = 报告中没有用例 `{ $sample }`
site-feedback-variant = 报告中没有变体 `{ $variant }`
site-feedback-rating = `{ $rating }` 不是评分：请给 1 到 5 的整数，或留空而只写评论
site-feedback-empty = 既没有评分也没有评论：请至少给出一项
site-feedback-long = 评论超过 { $limit } 字节：请缩短
site-feedback-kind = 可调用技能的评估不接受反馈

## 盲评
site-blind = 盲评
site-blind-row = 正在盲评的回答
site-blind-title = 哪个回答更好？第 { $number } 组，共 { $total } 组
site-blind-title-rated = 每个回答有多好？第 { $number } 组，共 { $total } 组
site-blind-done = 全部评完
site-blind-progress = 已评 { $judged } / { $total } 组
site-blind-intro = 名称、分数、成本和长度都已隐藏；每个用例中哪个回答是 A 由抽签决定。
site-blind-intro-rated = 名称、分数、成本和长度都已隐藏；每个用例中回答的顺序由抽签决定。请给每个回答打星：5 星最好，星数相同即为不分高下。
site-blind-left-out = { $count } 个用例未列出：有回答可看的变体不足两个。
site-blind-was-open = 你刚才提交的内容来自名称可见时打开的页面：已保存，但不算盲评。
site-blind-unrated = 请给每个回答打星：星数相同即为不分高下
site-blind-unjudged = 备注不能单独提交：请选出更好的回答，或给出星级
site-blind-store = 保存并继续
site-blind-answer = 回答
site-blind-cut = 仅显示开头部分。
site-blind-question = 哪个回答更好？
site-blind-a-much = A 好得多
site-blind-a = A 更好
site-blind-same = 差不多
site-blind-b = B 更好
site-blind-b-much = B 好得多
site-blind-note = 备注
site-blind-by = 你的名字
site-blind-stars = 分别给两个回答打星，用于与评委对比
site-blind-keys = 按键：1–5 选择并继续，n 写备注，Esc 离开输入框，j k 下一组、上一组
site-blind-keys-rated = 按键：1–5 给下一个回答打星，Backspace 撤回上一个，Enter 保存并继续，n 写备注，Esc 离开输入框，j k 下一组、上一组
site-blind-empty = 没有可比较的：没有哪个用例有两个变体的回答。
site-blind-again = 从头再看一遍
site-blind-reveal = 揭晓名称
site-blind-reveal-about = 揭晓后，所有人都能看到这次运行的名称、结论和成本。揭晓时间会被记录，此后的意见不再标为盲评。
site-blind-reveal-button = 立即揭晓
site-blind-closed = 这次对比正在盲评：揭晓之前不显示名称、分数和成本
site-blind-closed-help = 请在它的页面上评判，并在那里揭晓，或运行 `omk report reveal ID`
site-blind-stale = 左右位置已重新抽签：请重新打开页面
site-blind-no-number = 没有编号为 { $number } 的待评回答：这次运行共有 { $total } 组。请打开不带编号的页面
site-blind-start-title = 盲评
site-blind-start-about = 每次看一个用例的全部回答，不显示名称、分数、成本和长度；每个用例中哪个回答是 A 由抽签决定。揭晓之前，本服务器上这次运行的其他页面和导出都不可用。
site-blind-start-solo = 只有一个变体，没有可比较的。
site-blind-start-button = 开始
site-blind-back = 返回运行页
site-blind-revealed = 名称已于 { $when }（UTC）揭晓。
site-form-only = 此地址只接受表单
site-settle-unknown = `{ $settled }` 不是裁定：应为 `gold-wrong` 或 `judge-wrong`
site-settle-none = 这个回答没有评分

## 观察
site-analyses = 真实使用
site-analyses-intro = 技能在智能体存于磁盘的会话中的表现：已存储的观察，最新的在前。
site-analyses-compare-help = 勾选两次观察以并排显示：
site-analyses-none = 没有存储的观察：用 `omk observe` 生成一次
site-analyses-more = 另有 { $count } 次较早的观察未列出
site-analyses-compare = 两次观察并排
site-analyses-choose = 需要两次观察：`/analyses/compare?a=ID&b=ID`
site-analysis = 真实使用中的技能
site-analysis-no-skill = 没有用技能
site-analysis-left = 未加载、未读取
site-no-analysis = 没有存储的观察 `{ $name }`
site-band-green = 绿
site-band-yellow = 黄
site-band-red = 红
site-band-low = { $band }？段数不多
site-band-none = 段数太少
