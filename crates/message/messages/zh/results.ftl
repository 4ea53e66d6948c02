# 其他工具的结果：读取、配对以及报告中的说明。
results-absent = 文件中没有它的结果
results-recorded = `{ $tool }` 记录的是错误而不是回答
results-ungraded = 文件中没有它的分数
results-ungraded-why = 无法评分：{ $why }
results-reason = { $text }

## reading
results-cannot-read = 无法读取 `{ $file }`：{ $why }
results-directory = `{ $file }` 是目录
results-directory-help = 请指定其中的结果文件；可直接读取的目录是 skill-creator 的（`EVAL/CONFIGURATION/run-N/grading.json`）
results-iterations = `{ $file }` 中有多个迭代的运行：{ $folders }
results-iterations-help = 请指定其中一个：同一用例在每个迭代中是不同的试验
results-many-folders = `{ $file }` 中的文件夹超过 { $most } 个
results-no-file = `{ $file }` 不是普通文件
results-no-file-help = 请先把结果写入文件，如 `your-command > results.jsonl`
results-too-large = `{ $file }` 有 { $megabytes } MB；最多读取 { $most } MB
results-too-large-help = 请拆分文件，或只把每个结果的 id、组、分数和错误导出为 CSV
results-too-many = `{ $file }` 的结果超过 { $most } 个
results-long-line = `{ $place }`：该行超过 { $most } MB
results-not-utf8 = `{ $place }`：文本不是 UTF-8
results-not-utf8-help = 请将文件另存为 UTF-8
results-bad-json = `{ $place }`：{ $why }
results-bad-json-help = 文件不完整，或不是所识别的格式：可用 `--format` 指定另一种
results-bad-csv = `{ $place }`：{ $why }
results-quote-open = `{ $place }`：此处开始的引号没有闭合
results-quote-goes-on = `{ $place }`：此处开始的引号在第 { $line } 行闭合，其后紧跟文字，中间的行可能已丢失
results-quote-help = 请闭合引号；带引号的文本中，引号要写两遍：`"say ""yes"""`
results-column-twice = `{ $place }`：有两列都叫 `{ $column }`
results-column-twice-help = 请给其中一列改名
results-uneven-row = `{ $place }`：该行有 { $found } 个字段，首行有 { $expected } 个
results-uneven-row-help = 含分隔符、引号或换行的文本请加引号
results-bad-database = 无法读取数据库 `{ $file }`：{ $why }
results-endless-database = 已停止读取数据库 `{ $file }`：所需的步骤超过了这种大小的文件应有的数量
results-bad-database-help = 请在没有程序打开它时复制；如已损坏，请从该工具导出结果
results-unfinished-database = 数据库 `{ $file }` 有一次未完成的更改，旁边留有日志：其中的内容既不是更改之前的，也不是更改之后的
results-unfinished-database-help = 请用写入它的程序打开一次，或运行 `sqlite3 { $file } 'PRAGMA user_version'`，未完成的更改就会被撤销
results-no-table = 数据库 `{ $file }` 中没有表 `{ $table }`
results-computed-column = { $file }：表 `{ $table }` 有计算得出的列，读取可能没完没了
results-no-table-help = 它不是所认为的那个工具的数据库，或版本不同：请从该工具导出结果
results-bad-archive = 无法解压 `{ $file }`：{ $why }
results-bad-archive-help = 请完整复制该文件，或用写出它的工具转换
results-unpacks = `{ $file }` 中的 `{ $entry }` 解压后超过读取上限
results-unpacks-all = `{ $file }` 解压后有 { $megabytes } MB；最多读取 { $most } MB
results-unpacks-all-help = 请拆分日志，或每次评测较少的样本
results-unfinished-log = `{ $file }` 是从未完成的日志
results-unfinished-log-help = 请让评测完成，或用 `inspect` 恢复该日志
results-log-status = `{ $file }`：评测以状态 `{ $status }` 结束，可能缺少样本
results-bad-xml = `{ $place }`：{ $why }
results-bad-xml-help = 文件不完整，或不是 XML
results-skipped = `{ $file }`：略去 { $count } 个被跳过的测试
results-numbered = `{ $file }`：仅末尾数字不同的测试按同一用例的重复读取；若各自是独立的用例，请用 `--pair-by id`
results-unknown-format = 无法识别 `{ $file }` 的格式
results-unknown-format-help = 请用 `--format` 指定：{ $formats }
results-empty = `{ $file }` 中没有结果（按 `{ $format }` 读取）
results-no-run = `{ $file }` 中没有运行{ $run ->
    [none] {""}
   *[other] `{ $run }`
  }
results-runs = 其中的运行，最新的在前：{ $list }
results-run-chosen = `{ $file }` 中有 { $count } 次运行；读取的是最新的 `{ $run }`（可用 `--run` 指定另一次）
results-unchecked = `{ $file }`：略去 { $count } 个没有任何断言的结果，它们未经检查即算通过
results-retried = `{ $file }`：{ $runs } 次运行中有 { $count } 次失败后重新运行，最多 { $most } 次；文件中只有最后一次，分数因此是多次尝试的结果
results-compares-arms = `{ $file }` 中有相互比较各组的断言，一组的分数因此取决于其他组

## columns
results-columns-chosen = `{ $file }`：列 { $columns }
results-no-column = `{ $place }`：没有列 `{ $column }`（`{ $flag }`）
results-columns = 现有的列：{ $columns }
results-no-score-column = `{ $place }`：没有列使用分数的常用名称
results-no-score-column-help = 请用 `--score-column` 指定；现有的列：{ $columns }
results-no-id-column = `{ $place }`：没有列使用用例 id 或提示词的常用名称
results-no-id-column-help = 请用 `--id-column` 指定；现有的列：{ $columns }
results-no-id = `{ $place }`：`{ $column }` 为空
results-no-arm = `{ $place }`：表示组的 `{ $column }` 为空
results-not-a-score = `{ $place }`：`{ $column }` 中的 `{ $value }` 不是分数
results-not-a-score-help = 分数是有限的数，或 true/false、pass/fail、correct/incorrect；空白、NaN 和 null 表示没有分数

## scores
results-outside-unit = `{ $place }`：`{ $score }` 是 { $value }，不在 0 与 1 之间
results-outside-unit-help = 请声明量表，如 `--scale 1..5`（最好的写在后面，越低越好时写 5..1），或用 `--score` 读取另一个分数
results-waza-unit-help = waza 的评分器不会给出这样的分数：请恢复该工具写出的原文件，或用 `--format` 指定格式
results-outside-declared = `{ $place }`：`{ $score }` 是 { $value }，不在所声明的量表 { $worst } 与 { $best } 之间
results-scale-of-passes = `{ $place }`：`{ $score }` 只有通过、失败或部分正确，没有量表
results-scale-of-passes-help = 请去掉 `--scale`；若通过反而更差，请写 `1..0`
results-falls = `{ $score }` 越低越好，`{ $file }` 中如此说明
results-falls-help = 请声明量表，最差的值写在前面，如 `--scale 1..0`
results-may-fall = `{ $score }` 可能是越低越好的分数
results-may-fall-help = 请声明量表，最差的值写在前面：越低越好写 `--scale 1..0`，越高越好写 `--scale 0..1`
results-mixed-scales = `{ $small }` 与 `{ $large }` 的量表不同：前者的分数都在 { $low } 到 { $high } 之间，后者有 { $most }
results-mixed-scales-help = 请统一到同一量表；若本来就是同一量表，请把分数换算为 0 到 1 之间的值，并去掉 `--scale`
results-wide-scale = `{ $score }` 的所有值都在 { $least } 至 { $most } 之间；所声明的量表 { $worst } 至 { $best } 是其 { $times } 倍宽，任何差异都会显得很小
results-wide-scale-help = 请声明分数实际所用的量表；若确实是这一个，请加上 `--yes`
results-no-score = 文件中没有分数 `{ $score }`
results-which-score = 文件中有 { $count } 个分数，该工具并不以其中任何一个作决定
results-scores = 请用 `--score` 指定一个：{ $list }

## arms and cases
results-one-arm = `{ $file }` 只有一个组：{ $arm }
results-one-arm-help = 请把实验组的结果作为第二个文件给出，或用 `--arm-column` 或 `--by` 说明各组由什么构成
results-which-control = 有 { $count } 个组，无从得知哪个是对照
results-control-unsaid = 无从得知哪个组是对照：{ $why ->
    [names] 两个组的名字都像对照
    [numbers] 按行的顺序，名字中的编号是递减的
   *[rows] 各行中两个组的先后不一
  }
results-arms-shared = 各文件有相同的组：{ $list }
results-arms-shared-help = 请指定按什么分组：{ $list }
results-arms = 请用 `--control` 指定，若不是其余全部，再用 `--treatment` 指定；现有的组：{ $list }
results-many-arms = 有 { $count } 个组要比较；最多 { $most } 个
results-many-cells = 用例 × 组 × 重复共 { $count } 个；最多比较 { $most } 个
results-many-cells-help = 用 `--paired-only` 时，某组缺少的不占位置；或减少要比较的组
results-further-columns = { $count } 列（{ $list }）也是分数，算作文件中的实验组；若不是，请删去
results-no-arm-named = 没有名为 `{ $name }` 的组，或有多个
results-control-is-treatment = `{ $control }` 同时被指定为对照和实验组
results-no-dimension = 文件中没有可用来分组的 `{ $name }`
results-no-dimension-help = `--by` 可取：{ $list }
results-no-case = `{ $place }`：该结果既没有 id，也没有所提的问题，无法配对
results-no-case-id = `{ $place }`：该结果没有 id，而用例要按 id 配对
results-no-case-input = `{ $place }`：该结果没有所提的问题，而用例要按问题配对
results-asks-else = `{ $place }`：用例 `{ $case }` 所提的问题与 `{ $first }` 处不同
results-asks-else-help = `--pair-by input` 按所提的问题配对；若各组的提示词本来就写法不同，`--pair-by id` 仍按 id 配对
results-no-case-help = 请用 `--id-column` 指定 id 所在的列
results-no-pairs = 没有任何用例出现在所有组中（按{ $by ->
    [id] {" "}id{" "}
   *[input] 所提的问题
  }配对）
results-no-pairs-help = { $by ->
    [id] 请检查各文件是否属于相同的用例，id 的写法是否一致
   *[input] 请检查各文件是否属于相同的用例、措辞是否一致，或为用例加上 id
  }
results-twice = `{ $place }`：用例 `{ $case }` 在 `{ $arm }` 中的第 `{ $trial }` 次试验出现了两次
results-twice-help = 请删去其一；没有试验列时，同一用例的多个结果按重复读取
results-failure-rate = 此处的 --max-failure-rate 最多为 0.5
results-failure-rate-help = 若一半以上的结果出错或缺失，其余部分说明不了整体
results-many-trials = `{ $place }`：用例 `{ $case }` 在一个组中的结果超过 { $most } 个

## said of a report
imported-origin = { $tool } 的结果，来自 { $files }
imported-origin-unknown = { $tool } 的结果，来自 { $files }；文件中没有：{ $unknown }
imported-fact = { $fact ->
    [grader] 由谁评判
    [tool-version] 工具版本
    [models] 模型
    [order] 顺序
    [seed] 种子
    [prompts] 提示词
    [answers] 回答
    [errors] 错误
   *[cost] 成本
  }
imported-as-is = 得分为 1 + 4 × `{ $score }`（文件中为 0–1）；用例按{ $paired ->
    [id] {" "}id{" "}
   *[input] 所提的问题
  }配对
imported-pass-fail = `{ $score }` 通过得 5 分，失败得 1 分；用例按{ $paired ->
    [id] {" "}id{" "}
   *[input] 所提的问题
  }配对
imported-scale = 按所声明的量表，`{ $score }` 的 { $worst } 至 { $best } 对应 1–5 分；用例按{ $paired ->
    [id] {" "}id{" "}
   *[input] 所提的问题
  }配对
imported-unpaired = { $count } 个用例并非所有组都有（{ $list }）{ $out ->
    [yes] ，不计入均值；界限仍计入它们可能的任何得分
   *[no] ，在其他组中算作缺失（用 `--paired-only` 时不算失败）
  }
imported-models-differ = 各组由不同的模型回答，比较的也包括模型：{ $list }
imported-model = { $arm } 由 { $models } 回答

## the command
results-control-by-name = 对照：`{ $control }`，依其名称（可用 `--control` 指定另一个）
results-control-first = 对照：`{ $control }`，文件中的第一个（可用 `--control` 指定另一个）
results-own-report = `{ $file }` 是 omk 的报告：将重新计算
results-own-report-beside = `{ $file }` 是 omk 的报告，不能与其他文件比较
results-own-report-beside-help = 请用 `omk report verdict` 重新计算，或用 `omk diff` 比较两份报告
results-spare-grading = `{ $file }` 与 `run-N` 目录并列，未计入
results-suites-named = `{ $file }`：{ $count } 个测试的名称被多个套件使用：各算一个用例，名称中带上套件
results-suites-repeat = `{ $file }`：{ $count } 个测试的名称被多个套件使用：算作同一用例的重复
results-no-scores = `{ $file }`：没有任何结果带分数，无从比较
results-log-error = `{ $file }` 没有样本：评估以错误结束：{ $why }
results-log-no-samples = `{ $file }` 写入时没有包含其 { $count } 个样本
results-log-no-samples-help = 请不带 `--no-log-samples` 重新运行评估
results-log-empty = `{ $file }` 没有样本：评估结束时的状态为 `{ $status }`
