## what is wrong with the samples themselves
quality-formula = 100 减去所有发现的扣分；扣分为权重乘以受影响比例的两倍（至多乘以 1），保留一位小数；无法检查的项目不扣分
quality-duplicates = { $total } 个用例中有 { $count } 个与其他用例重复或几乎重复
quality-duplicates-exact = 提示词和上下文相同
quality-duplicates-near = 相似度 { $percent } %
quality-duplicates-advice = 请删除或改写：它们耗费调用，而区间只把每一组算作一个
quality-leaks = { $total } 个提示词中有 { $count } 个泄露了断言要找的内容
quality-leak = 提示词中出现了 `{ $text }`（第 { $assertion } 条断言）：{ $total } 条文本检查中泄露了 { $given } 条
quality-leaks-advice = 提问时不要用答案里的词，或改查只有答案才会有的内容
quality-rubrics = { $total } 个评分标准中有 { $count } 个含糊不清
quality-rubric-short = `{ $text }` 没有提出任何明确要求
quality-rubric-spread = 评委对同一回答的打分标准差达 { $sd } 分
quality-rubrics-advice = 写明答案必须有什么，或各分值代表什么
quality-capabilities = { $total } 项能力中有 { $count } 项的用例少于 { $least } 个
quality-capability = `{ $name }`：{ $count } 个用例
quality-capabilities-advice = 评价某项能力之前先补充用例：少于 { $least } 个显示不出差异
quality-items = { $total } 个用例中有 { $count } 个与测试集其余部分不一致
quality-item = 与其余部分的相关系数 { $r }，95 % 区间 { $low } 到 { $high }
quality-items-advice = 请逐个查看：检查写错、考的是别的内容，或总体较差的一方在此胜出
quality-questions = { $total } 个共用检查项中有 { $count } 个与其他检查项不一致
quality-question = `{ $question }`：与其余部分的相关系数 { $r }，95 % 区间 { $low } 到 { $high }
quality-questions-advice = 请逐个查看：可能写错，也可能有意衡量别的方面，例如长度
quality-costs = { $total } 个用例中有 { $count } 个的成本远高于其他用例
quality-cost = 每个回答 { $usd }，为中位数的 { $factor } 倍
quality-costs-advice = 看看是否有必要这么大；一次运行的花费由它们决定
quality-latencies = { $total } 个用例中有 { $count } 个的耗时远长于其他用例
quality-latency = 每个回答 { $seconds } 秒，为中位数的 { $factor } 倍
quality-latencies-advice = 看看是否有必要这么大，还是仅仅因为服务方变慢

## why something was not checked
quality-why-nothing = 没有任何检查可以进行
quality-why-run = 需要先运行
quality-why-one-sample = 没有其他用例可比较
quality-why-no-capability = 没有用例写明 `capability`
quality-why-no-rubric = 没有按评分标准评判的内容
quality-why-no-text-check = 没有断言查找提示词中可能出现的文本
quality-why-no-cost = 回答的价格未知
quality-why-no-latency = 回答的耗时未知
quality-why-few-runs = 需要把测试集运行 { $needed } 次（变体数 × 重复次数），目前只有 { $count } 次
quality-why-few-samples = 需要有两个检查项由 { $needed } 个用例共用
quality-why-no-variance = 没有足够的方差来计算相关系数

## in a summary
quality-line = 用例质量：{ $score }
quality-score = { $score } / 100
quality-score-partly = { $score } / 100（{ $total } 项检查中可进行 { $checked } 项）
quality-score-none = 未评分：{ $why }
quality-finding = { $text }（−{ $points }）
quality-finding-with = { $text }：{ $list }；{ $advice }
quality-case = { $samples }（{ $detail }）
quality-more = 报告中还有 { $count } 项发现
quality-row = 用例
quality-row-none = { $total } 项检查中可进行 { $checked } 项，未发现问题；其余需要先运行，或没有可检查的内容
