# 命令行帮助；键由命令路径与参数名组成。

help-about = 这份知识资产值得上线吗？模型相同，用例相同，只换资产
help-examples =
    示例：
      omk init my-eval && cd my-eval   创建一个项目
      omk eval --dry-run               查看会运行什么、花费多少
      omk eval                         比较并判定：退出码 0 表示可以上线
help--help = 显示帮助
help--version = 显示版本
help--json = 在标准输出上只打印一个 JSON 文档
help--lang = 消息的语言：en 或 zh [默认：OMK_LANG，其次为系统区域设置]
help--no-color = 不使用颜色（NO_COLOR 同样有效）

help-init-about = 创建一个小项目：一个技能的两个版本、用例、eval.yaml
help-init-examples =
    示例：
      omk init           写入当前目录；已存在的文件保持不变
      omk init my-eval   写入 my-eval/
help--dir = 要写入的目录 [默认：当前目录]

help-doctor-about = 检查能否开始运行：程序、密钥、端点、用例、技能、磁盘、费用
help-doctor-examples =
    示例：
      当前目录中的项目
          omk doctor
      另一个项目，换用别的执行器
          omk doctor ./my-project --executor codex
      一个技能，按 Agent Skills 规范检查
          omk doctor skills/my-skill
      所有发现，供 CI 使用
          omk doctor --json
      智能体会不会让一个变体的模型看到另一个变体的资产？
          omk doctor --isolation

    它不执行技能、用例或检查中提到的任何东西，也不询问模型。

    退出码：
      0    一切正常
      1    有警告
      2    有问题
help-doctor--target = eval.yaml、含有它的目录，或一个技能 [默认：工作目录]
help-doctor--isolation = 另外为每个变体调用一次智能体，由 omk 自己在本机的服务应答：有没有另一个变体的内容到达模型？
help-doctor--executor = 按这个执行器检查，与 omk eval 相同
help-doctor--model = 按这个模型检查，与 omk eval 相同
help-eval-about = 比较资产：每个用例在每个变体上运行、评分、判定
help-eval-examples =
    示例：
      按 ./eval.yaml 运行
          omk eval
      比较 skills/ 中的两个版本
          omk eval --control v1 --treatment v2
      把已提交的版本与空白基线比较
          omk eval --control baseline --treatment git:HEAD:v2
      合并请求：只评测变化的部分，与目标分支比较
          omk eval --control git:origin/main:v1 --treatment v1 --since origin/main
      换一个提供方
          omk eval --executor openai-api --model gpt-4o
      任意程序：输入 JSON，输出文本或 JSON
          omk eval --executor './my-agent --fast'
      保存每个回答，再用保存的回答离线运行
          omk eval --record recordings/
          omk eval --executor replay --recordings recordings/
      中断之后继续
          omk eval --resume latest
      重新请求失败的部分，其余保持不变
          omk eval --resume latest --retry-failed
      有疑点的进步也放行
          omk eval --gate cautious
      在摘要之后按能力列表
          omk eval --by capability
      同一份资产运行两次，看哪些用例会摇摆
          omk eval --control v1 --aa

    退出码：
      0    允许上线
      1    门禁拒绝
      2    用法或输入有误，未执行任何调用
      3    不是有效的测量
      130  已中断，可以继续
help--project = 一个 eval.yaml，或含有它的目录 [默认：当前目录]
help--control = 对照：名称、baseline、previous、placebo、git:… 或路径
help--treatment = 与对照比较的变体；多个用逗号分隔
help--variants = 简写：第一个为对照，其余为实验变体
help-bench-run--variants = 变体名称：第一个为对照 [默认：v1,v2]
help-bench-ci--variants = 变体名称：第一个为对照 [默认：v1,v2]
help--control-cwd = 对照执行时的工作目录
help--aa = 对照与自身比较：在毫无差别时，用例会摇摆多少
help--treatment-cwd = 各实验变体执行时的工作目录，按顺序给出
help--since = 只评测自该提交以来有变化的实验变体
help--resume = 继续一次中断的运行：它的 id，或 latest
help--retry-failed = 重新请求 --resume 的运行中失败的部分，包括已有定论的运行和评委不可用的意见
help--accept-changes = 与 --resume 同用：即使智能体工作目录中的文件有改动也继续；报告会注明，判定不会是 PROGRESS
help--strict-journal = 与 --resume 同用：日志中有无法读取或被改动过的行时拒绝继续，而不是重新请求其内容
help--regrade = 对先前运行的回答重新评分：其 id 或 latest；只询问评委，不执行任何调用
help--min-effect = 有意义的最小差异，按 1-5 分制 [默认：0.2]
help--min-preference = 评委比较回答时有意义的最小偏好，0 到 1 [默认：0.1]
help--trivial-diff = 低于此差异不算进步，按分 [默认：0.1]
help--ci = 区间方法：expanded、percentile、bca 或 t [默认：expanded]
help--bootstrap-samples = 自助法重抽样次数，至少 1000 [默认：10000]
help--bootstrap = 自助法区间总会计算；为兼容而保留
help--looks = 运行期间查看这么多次，一旦每个实验变体都有定论就结束
help--max-samples = 最多运行这么多个用例（同一簇的算一个），按抽取的顺序；未指定 --looks 时查看 5 次
help--stop-when-decided = 与 --looks 5 相同
help--gate = 门禁放行的最低一档：progress 或 cautious [默认：progress]
help--goal = 门禁对实验变体的要求：better（优于对照），或 not-worse（不比对照差出 --margin 以上）[默认：better]
help--margin = 仍算“不更差”的最大下降，以分计；需要 --goal not-worse [默认：0.2]
help--report-only = 无论判定如何都以 0 退出

help--samples = 用例文件 [默认：eval-samples.json、.yaml 或 .yml]
help--skill-dir = 按名称查找变体的目录 [默认：skills]
help--delivery = 资产如何到达模型：system-prompt、skill 或 project [默认：system-prompt]
help--triggers = 运行 eval.yaml 里的 triggers 而不是用例：该加载技能时是否加载？
help--with = 与 triggers 所针对的技能一同提供的其他技能
help--kb = 知识库的文件和文件夹，用来度量覆盖率，以逗号分隔
help--min-recall = 触发查询的召回率下限，0 到 1
help--min-precision = 触发查询的精确率下限，0 到 1
help--max-gap-rate = 允许的最高缺口率，0 到 1
help--gap-rate-regression = 与同一测试集、同一变体的上一份报告相比，缺口率最多允许上升多少，0 到 1
help--varies = 变体可以不同的部分，用逗号分隔，例如 artifact,cwd [默认：artifact]
help--executor = claude、codex、gemini、…-api、openai、replay 或命令
help--model = 被测模型 [默认：由执行器决定]
help--effort = 推理强度，如果模型支持
help--temperature = 采样温度
help--max-tokens = 最长回答，按 token 计
help--max-turns = 智能体的最多轮数
help--allowed-tools = 智能体可以使用的工具；'' 表示都不可用
help--recordings = replay 执行器读取的目录 [默认：recordings]
help--record = 把每次执行录制到目录中，供重放使用
help--judge-mode = 打分（rubric）或比较各变体的回答（pairwise）[默认：rubric]
help--judge-model = 评委：模型名，或 executor:model [默认：该执行器自己的，例如 haiku]
help--judge-models = 多个评委，用逗号分隔；最好来自不同厂商
help--judge-executor = 没有写明执行器的评委所用的执行器 [默认：与被测模型相同]
help--gold-dir = 人工评分所在的目录，用来检验评委
help--judge-repeat = 每个评委对每个回答评几次 [默认：1]
help--no-debias-length = 不告诉评委长度不代表质量
help--no-judge = 跳过评审：不计评分标准与由评委打分的断言
help--dry-run = 预览调用次数与花费；不运行也不写入
help--repeat = 每个用例与变体的执行次数 [默认：1]
help--concurrency = 同时进行的调用数上限 [默认：1]
help--timeout = 一次调用的时限（秒）；排队不计 [默认：600]
help--retry = 基础设施故障之后再尝试的次数 [默认：2]
help--rpm = 每分钟请求数上限
help--tpm = 每分钟 token 数上限
help--no-url-fetch = 原样发送提示词与上下文中的 URL，不替换为抓取到的内容
help--allow-missing-urls = 抓取不到的 URL 保留为文本，继续运行
help--allow-private-urls = 也从本机及其内网的地址抓取 URL
help--mcp-config = 用来抓取 URL 的 MCP 服务器，格式同 .mcp.json [默认：项目的 .mcp.json，需先用 --trust-mcp 同意]
help-eval--trust-mcp = 同意启动项目 .mcp.json 中抓取 URL 的 MCP 服务器；记住这一同意，直到文件改变
help--no-cache = 不读也不写回答缓存
help--budget-usd = 整次运行的最高花费（美元）
help--budget-per-sample-usd = 单个用例的最高花费，含所有变体与重复（美元）
help--budget-per-sample-ms = 单个用例的执行总时间上限（毫秒）
help--allow-unknown-cost = 允许价格未知的模型在金额预算下运行
help--holdout = 留出这一比例的用例，看实验组的提升能否延续到它们 [默认：不留出]
help--max-failure-rate = 允许失败的执行比例，超过则测量无效 [默认：0.1]
help--seed = 顺序与重抽样的种子 [默认：由用例集得出]
help--strict-baseline = 不让变体看到彼此的资产，即使 eval.yaml 允许 [默认]
help--no-strict-baseline = 允许变体看到彼此的资产
help--permissions = 智能体无需询问即可做什么：default、edits（修改其副本中的文件）或 bypass（使用所有工具）[默认：default]
help--no-sandbox = 隔离的智能体不在沙箱中运行
help--network = 智能体可访问的网络：open（本机可访问的一切）或 none（除模型外都不可访问）[默认：open]
help--custom-runtime = 自定义断言的运行环境：embedded 或 node [默认：embedded]
help--threshold = 每一层的门槛，按分 [默认：3.5]
help--output-dir = 报告写入的目录 [默认：项目的 .omk/reports，否则 ~/.oh-my-knowledge/reports]
help--blind = 在报告中隐藏变体名称
help--no-texts = 不把用例和资产的文本写进报告

help-bench-about = 早期版本的命令：bench init、bench run、bench ci、bench report
help-bench-init-about = 创建一个小项目（与 `omk init` 相同）
help-bench-run-about = 运行评测并以 JSON 打印报告
help-bench-report-about = 以网页展示已存的报告（与 `omk report` 相同）
help-bench-ci-about = 运行评测；每个变体都达到门槛时退出码为 0，否则为 1
help-prices-about = 列出计算成本和预算所用的价格，以及自定义价格的位置
help-prices--model = 只看这个模型；没有价格时报错
help-journal-about = 删除旧运行的日志
help-journal-prune-about = 删除旧日志：其运行不能再恢复或重新评分
help-journal-prune--older-than = 最后写入早于这么多天的 [默认：30，给出其他限制时除外]
help-journal-prune--keep = 除最近这么多个以外的全部
help-journal-prune--max-size = 最旧的，直到其余不超过这么多 MB
help-journal-prune--dry-run = 只打印将删除哪些
help-cache-about = 查看回答缓存
help-cache-explain-about = 打印一个用例的缓存键由什么组成，以及为何命中或未命中
help--sample = 用例的 id
help-completions-about = 打印某个 shell 的补全脚本
help--shell = shell 的名称
help-man-about = 打印手册页，或把每个命令的手册页写入目录
help-verdict-about = 对其他工具的结果作出判定：promptfoo、Inspect、JUnit、CSV 等；不执行任何任务
help-verdict--files = 结果文件：一个包含所有组的文件，或每组一个文件，对照的在前
help-verdict--control = 其他组与之比较的组 [默认：只有两组时为第一组]
help-verdict--treatment = 与对照比较的组；可重复给出 [默认：其余全部]
help-verdict--by = 各组由什么构成，如 prompt、provider 或 model [默认：所有不同之处]
help-verdict--score = 读取的分数 [默认：该工具据以决定的分数]
help-verdict--scale = 分数的量表，最差的值在前，如 1..10；越低越好时写 10..1 [默认：0..1]
help-verdict--yes = 即使所声明的量表比分数宽十倍或以上，也继续
help-verdict--pair-by = 用例按什么配对：id，或 input，即所提的问题 [默认：所有结果都有 id 时为 id]
help-verdict--paired-only = 某组缺少的用例不计入均值，也不算失败，但计入界限
help-verdict--format = 文件的格式：promptfoo, inspect, deepeval, lm-eval, openai-evals, claude-plugin, waza, agent-skills, junit, jsonl 或 csv [默认：自动识别]
help-verdict--run = 文件中有多次运行（如数据库）时读取哪一次 [默认：最新的]
help-verdict--id-column = CSV、JSON lines：用例 id 所在的列
help-verdict--arm-column = CSV、JSON lines：组所在的列
help-verdict--score-column = CSV、JSON lines：分数所在的列
help-verdict--trial-column = CSV、JSON lines：为同一用例的各次试验编号的列
help-verdict--error-column = CSV、JSON lines：错误所在的列；有错误的算缺失，不算失败
help-verdict--threshold = 实验组须达到的平均分 [默认：无]
help-verdict--max-failure-rate = 结果中错误或缺失的比例上限，超过则测量无效 [默认：0.1]
help-verdict--seed = 重抽样的种子 [默认：由用例得出]
help-verdict--no-texts = 不把所提的问题写进报告
help-verdict-examples =
    示例：
      一个 promptfoo 输出中的两个提示词
          omk verdict output.json
      其中的四列：一个对另一个
          omk verdict output.json --by prompt --control old --treatment new
      每组一个文件，对照在前
          omk verdict before.json after.json
      来自 notebook 的表格
          omk verdict scores.csv --id-column question --arm-column system --score-column rating --scale 1..5
      每组一列
          omk verdict wide.csv --control baseline --treatment candidate
      更便宜的那个够好吗？
          omk verdict output.json --goal not-worse --margin 0.2

    退出码：
      0    允许发布
      1    门禁拒绝
      2    用法或输入有误
      3    不是有效的测量
help-man--output-dir = 把所有命令的手册页写入此目录

help-report-about = 在本机浏览器中以网页展示已存的报告；处理已存的报告
help-report-examples =
    示例：
      在浏览器中查看项目的报告
          omk report
      使用另一个端口，不打开浏览器
          omk report --port 8080 --no-open
      某个目录中的报告
          omk report --reports-dir ci-reports

    只有本机能访问该服务器。按 Ctrl-C 结束。
help-studio-about = 以网页展示已存的报告（与 `omk report` 相同）
help-report--blind = 盲评：在揭晓之前隐藏名称、分数和成本
help-studio--blind = 盲评：在揭晓之前隐藏名称、分数和成本
help-bench-report--blind = 盲评：在揭晓之前隐藏名称、分数和成本
help-report-reveal-about = 揭晓盲评报告中的名称，并记录揭晓时间
help--port = 报告服务器的端口；0 表示任意空闲端口 [默认：OMK_BENCH_PORT，其次 7799]
help--no-open = 不打开浏览器；没有终端时本来就不打开
help-report-export-about = 以其他格式写出已存的报告：用于 CI、合并请求、电子表格、追踪或 Agent Skills
help-report-export-examples =
    示例：
      有哪些格式
          omk report export --list
      合并请求的评论
          omk report export latest --format markdown --output comment.md
      供 CI 读取的测试结果
          omk report export latest --format junit --output report.xml
      每次执行一行，供电子表格使用
          omk report export ID --format csv --output executions.csv
      智能体做了什么，供 OpenTelemetry 使用
          omk report export ID --format otel --output traces.jsonl
help--format = 格式；--list 列出全部格式
help--output = 写入此文件 [默认：标准输出]；agent-skills 与 inspect 则为目录 [默认：技能名-workspace、inspect-logs]
help--list = 列出格式，不写入任何内容
help--by = 另按用例的某个键列表，可选 capability、difficulty、construct、provenance 或 cluster
help--details = 打印所有数字和发现，而不只是一屏以内的内容
help--export = 同时以其他格式写出报告，例如 junit=report.xml；可重复给出
help-report-verdict-about = 由结果重新计算已存的报告；按判定退出，若有数字不符则退出码为 3
help-report-verdict-examples =
    示例：
      omk report verdict latest                 所存的每个数字都能由结果得出吗？
      omk report verdict ID --json              每个不符之处：路径、所存、重新计算所得

    退出码：
      3                                         有所存的数字不符
      2                                         无法读取报告
      其他                                      与运行本身相同
help--report = 报告的 id、报告文件，或 latest
help--reports-dir = 报告所在目录 [默认：项目的 .omk/reports，否则 ~/.oh-my-knowledge/reports]
help-debias-about = 测量评委的偏差对已存运行的影响
help-debias-length-about = 用相反的长度设置再次评审一次运行的回答，并显示改变了什么
help-debias-length--id = 运行的 id，或 latest
help-debias-length--concurrency = 同时进行的调用数上限 [默认：与该运行相同]
help-debias-length--budget-usd = 评委最多可花费的美元

help-failures-about = 把已存报告中的失败归类：哪些检查、多少次、在哪个变体上
help-failures-examples =
    示例：
      上次运行出了什么问题，在哪个变体上
          omk failures latest
      实验组做错了什么
          omk failures latest --variant v2
      请模型给每个聚类起个名称
          omk failures latest --label --judge-model haiku
help-failures--report = 报告的 id、文件，或 latest
help-failures--variant = 只看一个变体
help-failures--label = 请模型给最大的十个聚类命名；名称不改变任何结果
help-failures--judge-model = 由谁命名：模型名，或 executor:model [默认：报告所用执行器的评委]
help-failures--judge-executor = 没有写明执行器时该模型所用的执行器 [默认：与报告相同]
help-failures--budget-usd = 命名最多可花费的美元
help-failures--no-cache = 即使缓存中有名称也重新询问，且不写入缓存
help-gold-about = 用人工评分检验评委：待评分的模板、一致性、偏差
help-gold-examples =
    示例：
      抽 20 个用例人工评分，不显示回答来自哪个变体
          omk gold init latest --gold-dir gold --annotator ann --samples 20 --blind
      文件是否正确，是否与报告相符
          omk gold validate --gold-dir gold latest
      评委有多可信
          omk gold compare latest --gold-dir gold
      下一次运行就以此为准
          omk eval --gold-dir gold
help-gold-init-about = 把报告中的输出写成模板供人工评分；已评的分数不会被覆盖
help-gold-init--report = 报告的 id、文件，或 latest
help-gold-init--gold-dir = 人工评分文件所在的目录
help-gold-init--annotator = 由谁评分 [默认：USER]
help-gold-init--samples = 抽取多少个用例，包含所有变体的输出 [默认：全部用例]
help-gold-init--blind = 不显示输出来自哪个变体
help-gold-validate-about = 检查人工评分文件：列出每个问题及其文件和行号；有问题时退出码为 2
help-gold-validate--report = 人工评分应当与之相符的报告：id、文件，或 latest
help-gold-validate--gold-dir = 人工评分文件所在的目录
help-gold-import-about = 把人们在报告页面上给出的评分写入人工评分文件
help-gold-import--report = 报告的 id、文件，或 latest
help-gold-import--gold-dir = 人工评分文件所在的目录
help-gold-import--blind = 只写入揭晓名称之前给出的评分
help-gaps-about = 知识库的缺口：列出报告中的缺口，并把对它们的决定保存在 gaps.json 中
help-gaps-examples =
    示例：
      omk gaps list                                          最新报告中的缺口
      omk gaps done gap-1a2b3c4d                             知识已经补上
      omk gaps dismiss gap-1a2b3c4d --reason '不归我们管'    不需要补上
      omk gaps reopen gap-1a2b3c4d                           重新打开
help-gaps-list-about = 列出报告中的缺口及其状态，需要它的用例最多的在前
help-gaps-list--report = 报告的 id、文件，或 latest
help-gaps-list--project = gaps.json 所在的项目：eval.yaml 或其目录 [默认：工作目录]
help-gaps-list--judge-model = 让这个模型（或 executor:model）判断缺少的东西中哪些只是说法不同
help-gaps-list--judge-executor = 该模型的执行器（如果它没有指明）
help-gaps-list--budget-usd = 这次询问的最高成本，单位为美元
help-gaps-list--no-cache = 不从缓存读写回复
help-gaps-done-about = 把缺口标为已完成：以后的运行如果又需要它，会说明它再次出现
help-gaps-done--id = 缺口的 id，见列表
help-gaps-done--report = 含有该缺口的报告：id、文件，或 latest [默认：latest]
help-gaps-done--project = gaps.json 所在的项目：eval.yaml 或其目录 [默认：工作目录]
help-gaps-dismiss-about = 驳回一个缺口，并给出理由
help-gaps-dismiss--id = 缺口的 id，见列表
help-gaps-dismiss--report = 含有该缺口的报告：id、文件，或 latest [默认：latest]
help-gaps-dismiss--project = gaps.json 所在的项目：eval.yaml 或其目录 [默认：工作目录]
help-gaps-dismiss--reason = 为什么它不是缺口，或不需要补上
help-gaps-reopen-about = 重新打开一个缺口
help-gaps-reopen--id = 缺口的 id，见列表
help-gaps-reopen--report = 含有该缺口的报告：id、文件，或 latest [默认：latest]
help-gaps-reopen--project = gaps.json 所在的项目：eval.yaml 或其目录 [默认：工作目录]
help-gold-disputes-about = 显示人与评委的分歧：报告页面上的，或人工评分文件中的
help-gold-disputes--gold-dir = 人工评分所在的目录 [默认：报告页面上的评分]
help-gold-settle-about = 裁定人与评委之间的一处分歧：其中一方有误
help-gold-settle--report = 报告的 id、文件，或 latest
help-gold-settle--sample = 用例的 id
help-gold-settle--variant = 被评回答所属的变体
help-gold-settle--wrong = 谁错了：gold（人，其评分不再计入）或 judge（评委）
help-gold-settle--gold-dir = 裁定此目录中人工评分文件的评分 [默认：报告页面上的评分]
help-gold-settle--by = 只针对此人的评分 [默认：此回答的所有评分]
help-gold-compare-about = 用人工评分检验报告中的评委：一致性、偏差、人会怎么评
help-gold-compare--report = 报告的 id、文件，或 latest
help-gold-compare--gold-dir = 人工评分文件所在的目录
help-gold-compare--variant = 标注既没有写明变体也没有写明输出时，评的是哪个变体

help-show-about = 显示已存报告中的一个用例：双方的回答、检查、评委的理由、工具调用
help-show-examples =
    示例：
      上次运行的一个用例，含所有变体的回答
          omk show s001
      更早一次运行的
          omk show s001 2026-03-01T10-00-00-v1-v2
      某个变体的回答
          omk show s001 --variant v2
      存下的全部内容
          omk show s001 --json
help-show--sample = 用例的 id
help-show--report = 报告的 id、报告文件，或 latest [默认：latest]
help-show--variant = 只显示此变体的回答
help-diff-about = 将一份报告与另一份逐用例比较；或将其实验变体与对照比较
help-diff-examples =
    示例：
      两次运行之间变了什么
          omk diff 2026-03-01T10-00-00-v1-v2 latest
      一次运行中各实验变体与对照的比较
          omk diff latest
      改了名的变体
          omk diff A.json B.json --variant v2:v3
      用例集扩充了：只比较未变的用例
          omk diff A.json B.json --force
      CI 中的守卫
          omk diff baseline.json latest --fail-on-regress
help--a = 起点：报告的 id、报告文件，或 latest
help--b = 终点；省略时比较 A 的实验变体与其对照
help--variant = 要比较的变体：一个名称，或 A:B 形式的两个名称 [默认：同名的变体]
help--force = 即使用例集不同，也比较两边相同的用例
help--fail-on-regress = 有变体变差（区间低于 0）时以 1 退出
help-trend-about = 按时间显示已存的报告，可比较的列入同一序列
help-trend-examples =
    示例：
      omk trend                                 已存报告的全部序列
      omk trend latest                          最新报告所属项目的序列
      omk trend --samples eval-samples.json     某个用例文件的序列
      omk trend --json                          全部数据点，供绘图
help-trend--report = 只看与此报告同一项目、同一用例文件的报告：其 id、文件，或 latest
help-trend--samples = 只看这些用例集的报告：其 id 或用例文件
help--limit = 最多读取多少个最新的文件 [默认：1000]
help-mocks-about = 录制智能体的工具调用，供以后由 mock 回答
help-mocks-record-about = 真实运行一次用例，把工具调用及其结果写成 mock 供检查
help-mocks-record-examples =
    示例：
      智能体在第一个实验变体下做了什么，写成 mocks.yaml
          omk mocks record
      一个用例，用别的变体和智能体
          omk mocks record --sample deploy --variant v2 --executor codex
      使用你自己设置中的服务器
          omk mocks record --no-strict-baseline --output recorded.yaml

    工具会真实运行。请检查录制的内容，再把每个用例的 mock 放进用例文件。
help-mocks-record--project = eval.yaml，或含有它的目录 [默认：当前目录]
help-mocks-record--variant = 录制哪个变体的调用 [默认：第一个实验变体，没有则为对照]
help-mocks-record--sample = 只录制这些用例，用逗号分隔 [默认：全部]
help-mocks-record--samples = 用例文件 [默认：eval-samples.json、.yaml 或 .yml]
help-mocks-record--executor = 智能体，同 omk eval [默认：claude]
help-mocks-record--permissions = 它无需询问即可做什么：default、edits 或 bypass，同 omk eval [默认：default]
help-mocks-record--network = 它能访问什么：open 或 none，同 omk eval [默认：open]
help-mocks-record--no-sandbox = 不使用沙箱
help-mocks-record--model = 它的模型，同 omk eval
help-mocks-record--allowed-tools = 它可以使用的工具，同 omk eval
help-mocks-record--timeout = 每个用例的时限，按秒 [默认：600]
help-mocks-record--no-strict-baseline = 使用它自己的设置和服务器，直接在工作目录中运行
help-mocks-record--output = 写入此文件 [默认：用例文件旁的 mocks.yaml]
help-mocks-record--force = 覆盖已有的录制
help-power-about = 显示某个效应需要多少用例：依据先导报告，或给定的数字
help-power-examples =
    示例：
      依据先导：每个差异所需的用例数，以及离散程度留下的范围
          omk power latest
          omk power latest --effect 0.2,0.3 --power 0.9
      依据数字：50 个用例能显示什么？
          omk power --sd 0.9 --correlation 0.6 --n 50
help-power--report = 先导：报告的 id、报告文件，或 latest
help--sd = 任一变体的得分在用例间的标准差，按分
help--correlation = 两个变体的得分在用例间的相关系数 R；差异的标准差 = sqrt(2 (1 - R)) * SD
help--effect = 要计划的真实差异，按分；偏好为 -1 到 1 [默认：0.1 到 1；偏好 0.05 到 0.5]
help--n = 用例数：这么多用例能显示的最小差异 [默认：10 到 500]
help-power--looks = 针对查看这么多次的运行 [默认：与先导运行相同]
help-power--stop-when-decided = 与 --looks 5 相同
help--power = 看出真实差异的概率 [默认：0.8]
help--alpha = 误报的风险，所有实验变体合计 [默认：0.05]
help-observe-about = 逐个技能查看真实会话中的表现：缺少的知识、失败的工具、成本
help-observe-examples =
    示例：
      omk observe                              智能体自己存下的、本项目的会话
      omk observe --last 7d --skills review    一个技能，一周
      omk observe logs/ more/session.jsonl     其他地方的会话
      omk observe inbox                        先写哪些页面，依据是什么
      omk observe compare 20260324-153045      最近一次观察与较早的一次
help-observe--paths = 会话文件或其目录 [默认：智能体自己存下的、本项目的会话]
help-observe--last = 只看距现在这段时间内开始的：90m、24h、7d、2w
help-observe--from = 只看这一天及以后开始的；UTC 日期，或 RFC 3339 时间
help-observe--to = 只看这一天及以前，或这一时间之前开始的
help-observe--skills = 只看用这些技能做的工作
help-observe--kb = 显示读了这个知识库的哪些文件，并限定收件箱 [默认：本项目的 .claude/knowledge，不限定收件箱]
help--analyses-dir = 存储观察的目录 [默认：项目的 .omk/analyses，否则 ~/.oh-my-knowledge/analyses]
help-observe--thinking = 也在模型的思考中查找标记和存疑语句
help-observe-inbox-about = 列出一再缺少的东西，最需要的在前，附依据所在
help--observation = 观察：其 id、文件，或 latest [默认：latest]
help-observe-inbox--kb = 只列在这个知识库中或为它进行的搜索，并指出其中含有这些词的页面
help-observe-inbox--judge-model = 让这个模型（或 executor:model）判断缺少的东西中哪些只是说法不同
help-observe-inbox--judge-executor = 该模型的执行器（如果它没有指明）
help-observe-inbox--budget-usd = 这次询问的最高成本，单位为美元
help-observe-inbox--no-cache = 不从缓存读写回复
help-observe-done-about = 把收件箱里的缺口标为已完成：以后的会话如果又需要它，会再次出现
help-observe-done--id = 缺口的 id，见收件箱
help-observe-dismiss-about = 驳回收件箱里的一个缺口，并给出理由
help-observe-dismiss--id = 缺口的 id，见收件箱
help-observe-dismiss--reason = 为什么它不是缺口，或不需要补上
help-observe-reopen-about = 重新打开收件箱里的一个缺口
help-observe-reopen--id = 缺口的 id，见收件箱
help-observe-show-about = 显示一次已存储的观察
help-observe-compare-about = 逐个技能比较两次已存储的观察
help-observe-compare--a = 较早的观察：其 id 或文件
help-observe-compare--b = 较晚的观察 [默认：latest]
help-sample-about = 由真实会话或知识库起草用例，写入待审阅的文件
help-sample-examples =
    示例：
      omk observe && omk sample --from-traces         用户问过、智能体没找到的
      omk sample --probe --kb docs                    这些文件应当能回答的问题
      omk eval --samples eval-samples.draft.yaml      逐个读过草稿之后
help-sample--from-traces = 由该观察的会话中缺少的东西起草：其 id、文件，或 latest
help-sample--probe = 让模型阅读知识库的结构，提出位于其边缘的问题
help-sample--kb = 知识库的文件和目录 [默认：.claude/knowledge]
help-sample--judge-model = 提出问题的模型，或 executor:model [默认：OMK_EXECUTOR 的评审，否则 claude 的评审]
help-sample--judge-executor = 该模型的执行器（如果它没有指明）
help-sample--budget-usd = 提问的最高成本，单位为美元
help-sample--no-cache = 不从缓存读写问题
help-sample--output = 要写的文件；已存在的予以保留 [默认：eval-samples.draft.yaml 或 eval-samples.probe.yaml]
help-sample--limit = 用例的最大个数 [默认：20]
help-import-about = 导入其他工具的用例：promptfoo、Agent Skills、Inspect、OpenAI evals、数据集的行
help-import-examples =
    示例：
      omk import promptfooconfig.yaml --output omk    提示词、测试和检查；没有对应的会列出
      omk import questions.jsonl --check equals       形如 {"{"}"input": ..., "ideal": ...{"}"} 的行
      omk import table.csv --prompt-column frage      按名称指定列
help-import--file = promptfoo 配置、evals.json、插件评测用例的目录，或 JSON Lines、JSON 列表、CSV 形式的数据集
help-import--format = 文件格式：promptfoo、agent-skills、plugin-eval 或 rows [默认：根据内容判断]
help-import--output = 写入的目录；已有的文件不会改动 [默认：.]
help-import--prompt-column = 数据集中提示词所在的列 [默认：根据列名]
help-import--expected-column = 期望答案所在的列 [默认：根据列名]
help-import--id-column = 标识所在的列 [默认：根据列名]
help-import--context-column = 上下文所在的列 [默认：根据列名]
help-import--check = 对应的断言：contains、equals、starts_with 或 semantic_similarity [默认：contains]
