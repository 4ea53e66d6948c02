## 技能在真实会话中的表现
observe-head = { $sessions } 个会话中的 { $segments } 段工作，{ $first } 至 { $last }（一段是为一个提问、用一个技能做的工作）
observe-skill = `{ $skill }`：{ $band ->
    [green] 绿
    [yellow] 黄
   *[red] 红
  }，{ $confidence ->
    [high] 可信度高
   *[low] 可信度低：只能看出大的缺口
  }；{ $sessions } 个会话中的 { $segments } 段
observe-skill-few = `{ $skill }`：段数太少，不下判断（{ $sessions } 个会话中的 { $segments } 段；至少需要 5 段）
observe-no-skill = 没有用技能：{ $sessions } 个会话中的 { $segments } 段
observe-rate = 缺口率 { $rate }%（95% 区间 { $low }% 到 { $high }%），加权 { $weighted }%，{ $set }（{ $path }）的 { $count } 段中的 { $segments } 段
observe-coverage = 知识库：{ $looked ->
    [0] 没有查阅任何内容
   *[other] { $total } 个文件中读取了 { $accessed } 个（{ $share }%）
  }，{ $set }（{ $path }）的 { $segments } 段
observe-rate-none = 缺口率：未测量，因为没有片段（{ $set }（{ $path }）共 { $count } 段）
observe-tools = 工具：{ $known } 次调用中 { $rate } 失败（95% 区间 { $low } 到 { $high }）；{ $refused } 次被拒绝或取消，{ $unknown } 次结果不明
observe-no-tools = 工具：没有结果明确的调用；{ $refused } 次被拒绝或取消，{ $unknown } 次结果不明
observe-each = 每段的中位数（四分位数）：{ $turns } 条消息，{ $tokens } 个输出 token，{ $duration } 秒；token 的离散度 { $spread }；被用户中止 { $interrupted } 次
observe-tokens = token：输入 { $input }，读缓存 { $read }，写缓存 { $written }，输出 { $output }
observe-context = 上下文：技能的正文每次加载最多占 { $chars } 个字符
observe-attribution = 归属：智能体记录 { $recorded } 段，加载之后 { $loaded } 段，后来用到其文件 { $used } 段；另有 { $carried } 个后续提问不计入
observe-more-skills = 另有 { $count } 个技能在存储的文件中（`--json`）
observe-inbox-title = 先写这些页面
observe-inbox-empty = 没有找过却没找到的东西
observe-group = { $place }. { $name } — { $sessions } 个会话需要它，搜索 { $signals } 次，最近一次在 { $last }
observe-group-searches = { $id }，找过：{ $list }{ $more ->
    [0] {""}
   *[other] {" "}等，另有 { $more } 个
  }
observe-group-exists = 存在却没找到：{ $list }
observe-group-done = 已于 { $at } 完成
observe-group-back = 再次出现：{ $at } 标记为完成，之后又有人需要
observe-group-dismissed = 已于 { $at } 驳回：{ $reason }
observe-inbox-code = 找过却没找到的代码
observe-inbox-closed = 已完成和已驳回
observe-inbox-decide = omk observe done ID、omk observe dismiss ID --reason TEXT、omk observe reopen ID
observe-inbox-limited = 收件箱只含在 { $kb } 中或为它进行的搜索{ $count ->
    [0] {""}
   *[other] ；另有 { $count } 次搜索不在其中
  }
observe-evidence = { $file }:{ $line }  { $prompt }
observe-more-groups = 另有 { $count } 个在存储的文件中（`omk observe inbox --json`）
observe-thinking = 也在模型的思考中查找了显式标记和存疑语句：其中 { $count } 个信号只出现在思考里
observe-never-loaded = 提供了却从未加载：{ $names }{ $more ->
    [0] {""}
   *[other] {" "}等，另有 { $more } 个
  }
observe-copies = { $count } 段出现在多个文件中，只计一次
observe-skipped = 略过：无法读取的行 { $unreadable } 行，未知类型的记录 { $unknown } 条
observe-unread = 没有读取：`{ $path }`：{ $why }
observe-more-unread = 另有 { $count } 个文件没有读取
observe-stored = 已存储：{ $path }
observe-progress = 已读 { $all } 个会话中的 { $done } 个
observe-no-format = 不是已知的会话格式
observe-no-path = `{ $path }` 不存在
observe-nothing = 在 { $looked } 中没有找到会话
observe-no-rules = 没有采用 `{ $file }` 中有关缺口的设置：{ $why }
observe-nothing-own = 这里没有智能体保存的本项目会话
observe-nothing-help = 请指明会话文件或目录：omk observe PATH…
observe-no-segments = 找到 { $sessions } 个会话，其中没有符合条件的工作
observe-no-segments-help = 请放宽 --last、--from、--to 或 --skills
observe-wrong-time = `{ $text }` 不能作为 { $flag } 的值
observe-empty-period = 时间段的结束早于开始
observe-period-help = 写法如 --last 7d（m、h、d、w）、--from 2026-03-01、--to 2026-03-31T12:00:00Z
observe-gap-unknown = 观察 { $observation } 的收件箱中没有缺口 `{ $id }`
observe-gap-unknown-help = 缺口列在：omk observe inbox
observe-none-stored = { $dir } 中没有已存储的观察
observe-none-stored-help = 先做一次：omk observe
observe-unreadable = `{ $path }` 不是已存储的观察：{ $why }
observe-impossible = `{ $path }` 被改动过：{ $what }。请从备份恢复，或重新运行 `omk observe`
observe-compare-title = { $a } → { $b }
observe-compare-notice = 两段使用时间不是测试集：问的东西和找到的东西都不同，因此这些比率的变化本身不能证明什么
observe-compare-before = 之前：{ $text }
observe-compare-after = 之后：{ $text }
observe-compare-new = 新出现：之前没有
observe-compare-gone = 已消失：之后没有

## 用例草稿
sample-head = 由观察 { $id } 起草的 { $count } 个用例：找过答案却没有找到的提问。请逐个阅读，去掉个人信息，并在评分标准中写明正确答案包含什么。
sample-rubric = 回答说明知识库中关于 `{ $subject }` 的内容。猜测，或者只说不知道的回答，得 1 分。
sample-written = 已写出 { $count } 个草稿：{ $path }
sample-review = 使用之前请逐个阅读：已遮盖形式已知的密钥和个人数据，其他内容保留
sample-nothing = 该观察中没有找过却没找到的东西
sample-nothing-help = 请观察更多会话：omk observe PATH…
sample-exists = `{ $path }` 已存在，予以保留
sample-exists-help = 用 --output 指定另一个文件，或删除这一个
sample-no-kb = 没有知识库：没有 --kb，.claude/knowledge 中也没有文件
sample-no-kb-help = 请指明其文件或目录：omk sample --probe --kb docs
sample-asking = 正在请 { $judge } 就 { $files } 个文件提出问题：发送文件名、标题和原则，已遮盖形式已知的密钥
sample-no-questions = 没有得到问题：{ $why }
sample-none-in-scope = 提出的问题都不在知识库的范围之内：什么也没有写
sample-probe-head = { $count } 个探测问题的草稿：由 { $judge } 根据知识库的结构提出。请删去超出范围的。请与人写的用例分开保存：它的缺口率显示的是另一条边界。
sample-probe-rubric = 回答说明知识库中关于这一点的内容（`{ $scope }`）。猜测，或者只说不知道的回答，得 1 分。
sample-probe-review = 使用之前请删去超出范围的问题，并与人写的用例分开保存：缺口率只对一组用例成立
