# page: a report's page

page-title = { $treatments } 对比 { $control }
page-title-solo = { $variant }
page-why = 存疑之处
page-arms = 数据
page-fallen-title = 变差的检查
page-fallen = { $check }：{ $control } → { $treatment }
page-and-more = 另有 { $count } 个
page-samples-title = 用例
page-samples = { $count } 个
page-search = 搜索
page-any-capability = 全部能力
page-any-difficulty = 全部难度
page-apply = 应用
page-asked = 提问
page-good = 好的回答是
page-checks = 检查
page-check = 检查
page-reasons = 理由
page-answers = 回答
page-terminal = 终端命令：
page-feedback = 你的评价
page-feedback-blind = 盲评
page-feedback-left = 另有 { $count } 条较早的意见，只在报告的 `feedback` 中。
page-feedback-open = 给出时名称可见
page-rating = 星级
page-comment = 评论
page-send = 提交
page-previous = 上一个
page-next = 下一个
page-all-runs = 全部报告
page-theme = 浅色 / 深色
page-tools = 工具调用：{ $list }{ $alone ->
        [0] {""}
       *[other] ；其中 { $alone } 次并非每个变体都有
    }
page-tools-more = 另有 { $count } 次见报告。
page-tool-at = { $time } 后
page-view-run = 运行
page-view-difference = 差异
page-view-marked = 排版
page-view-plain = 原文
page-keys = 按键
page-key-next = 下一个、上一个用例
page-key-open = 打开用例
page-key-close = 收起，或离开搜索框
page-key-search = 搜索
page-key-filter = 只看变差、变好、不变
page-key-run = 只看当前用例的这次运行，再按一次看全部
page-key-marked = 回答按 Markdown 排版，或显示原文
page-key-help = 显示这些按键
page-filter-all = 全部
page-filter-worse = 变差
page-filter-better = 变好
page-filter-equal = 不变
page-filter-different = 有差异
page-filter-flipped = 翻转
page-filter-wavering = 不稳定
page-filter-left-out = 未比较
page-filter-failed = 无回答
page-word-worse = 变差
page-word-better = 变好
page-word-equal = 不变
page-word-left-out = 未比较
page-word-none = 差异未知
page-tag-tripwire = 诱错用例
page-cut = 文件过大：省略了 { $equal } 个无差异用例的回答，报告本身仍包含它们。
page-judge = 评委
page-judge-of = 评委：{ $dimension }
page-run = 第 { $number } 次
page-no-texts = 报告中没有提示词：它使用了 --no-texts。
page-no-text = 无文本（{ $bytes } 字节）
page-answer-cut = 共 { $bytes } 字节，此处为前 64 KB；报告包含全部内容。
page-tool-failed = 失败
page-tool-not-run = 未执行
page-tool-no-match = 无匹配
page-tool-mock = 由 mock 应答
page-plot-differences = 每个用例：实验组 − 对照组
page-plot-differences-of = 每个用例：{ $treatment } − 对照组
page-plot-counts = ▲ { $wins } 个变好，▼ { $losses } 个变差，● { $ties } 个不变。
page-plot-mean = ◆ 平均 { $mean } 分，区间 { $low } 到 { $high }；色带内的差异没有意义（±{ $limit }）。
page-plot-mean-point = ◆ 平均 { $mean } 分，无区间；色带内的差异没有意义（±{ $limit }）。
page-plot-parts = 按层与部分
page-plot-parts-of = 按层与部分：{ $treatment }
page-plot-parts-more = 另有 { $count } 个
page-plot-costs = 得分与每个回答的成本
page-plot-costs-caption = 越靠左越便宜，越高越好：{ $list }。实心：没有同价或更便宜而更好的变体。
page-plot-saturation = 样本够吗？区间宽度随用例数的变化
page-plot-saturation-caption = { $n } 个用例时区间宽 { $width } 分；虚线为 1/√n 规律。
page-row-cost = 每个回答的成本
page-row-time = 每个回答的时间
page-row-tokens = 每个回答的 token
page-row-stable = 稳定的用例
page-unscored = { $count } 项未评
page-extra-moved = 差异详情
page-extra-enough = 样本够吗？
page-extra-judges = 评委
page-extra-noticed = 其他发现
page-extra-quality = 用例质量
page-extra-artifacts = 资产之间的差异
page-extra-method = 方法与复现
page-method-test-set = 用例集 { $id }，{ $samples } 个用例
page-method-executor = 执行器 { $executor }，版本 { $version }，模型 { $model }
page-method-artifacts = 资产（SHA-256 开头）：{ $list }
page-method-seed = 种子 { $seed }；区间：{ $interval }
page-method-judges = 评委：{ $judges }；提示词 { $template } { $hash }
page-method-again = 从其自身结果重新计算：omk report verdict { $id }

## 人与评委
people-title = 人与评委
people-count = { $ratings ->
    [0] 还没有可与评委分数对照的评分
   *[other] 共 { $ratings } 个评分
}{ $readers ->
    [0] 。
   *[other] （{ $readers } 人）。
}
people-blind = 其中盲评：{ $blind } / { $ratings }。
people-no-agreement = 还无法计算与评委的一致性：需要对评委打过分的回答打星。
people-agreement = 评委与人
people-few = 只有 { $n } 个，太少，不足为凭：请看区间，并至少收集 { $enough } 个。
people-unjudged = 有 { $count } 个评分所评的回答没有评委的单一分数，未作比较。
people-withdrawn = 有 { $count } 个评分已认定为有误，不再计入。
people-preferred = 有 { $better } 个用例人更喜欢 `{ $treatment }`，{ $worse } 个更喜欢 `{ $control }`，{ $alike } 个不分上下（共 { $opinions } 条意见，其中盲评 { $blind } 条）。
people-share = 在分出高下的 { $n } 个用例中，`{ $treatment }` 胜出 { $share }（95% 区间 { $low } 到 { $high }）。
people-judge-share = 评委在 { $judged } 个用例中有 { $agrees } 个与人偏好相同（95% 区间 { $low } 到 { $high }）。
people-as-given = 按原评分：{ $agreement }。裁定只涉及有分歧的评分，因此剩下的评分会高估评委。
people-scores = { $person }：{ $rating } 星（满分 5），评委：{ $judge }（{ $difference }）
people-gold-scores = { $person }，{ $question }：{ $score }，评委：{ $judge }（{ $difference }）
people-gold-settle-with = 裁定其中一处：omk gold settle { $report } SAMPLE VARIANT --gold-dir { $dir } --wrong gold|judge
people-settled-gold = 已裁定：评分有误
people-settled-judge = 已裁定：评委有误
people-no-disputes = 没有评分与评委相差一分或以上。
people-disputes = { $count ->
    [0] 没有分歧
   *[other] { $count } 处分歧
}
people-dispute-of = 是人错了，还是评委错了？第 { $number } 处，共 { $count } 处
people-dispute = `{ $sample }`，`{ $variant }`：{ $scores }
people-said = 评论：{ $text }
people-judge-said = 评委：{ $text }
people-settle-with = 裁定其中一处：omk gold settle { $report } SAMPLE VARIANT --wrong gold|judge
people-reasons = 评委的理由
people-gold-wrong = 人错了
people-gold-wrong-about = 该评分不再计入：既不计入一致性，也不作为人工评分。
people-judge-wrong = 评委错了
people-judge-wrong-about = 该评分保留并得到确认。这次运行的分数和结论不变；作为人工评分，它会修正以后的运行。
people-settle-bias = 这里只有分歧，裁定之后剩下的评分会比随机抽取的更一致：请以按原评分计算的一致性为准。
people-gold-command = 写成人工评分：
page-feedback-than = { $how ->
    [much-better] 比 { $than } 好得多
    [better] 比 { $than } 好
    [alike] 与 { $than } 差不多
    [worse] 比 { $than } 差
   *[much-worse] 比 { $than } 差得多
}

page-extra-urls = 提示词中的页面
page-url = { $url }（{ $samples }）：{ $what }
page-url-http = 经 HTTP 抓取 { $bytes } 字节（{ $kind }），{ $time }，SHA-256 { $hash }
page-url-mcp = 由 MCP 服务器 { $server } 抓取 { $bytes } 字节，{ $time }，SHA-256 { $hash }
page-url-final = ，重定向到 { $url }
page-url-missing = 保留为文本：{ $why }
page-url-followed = ；紧接其后的“{ $rest }”被当作正文
