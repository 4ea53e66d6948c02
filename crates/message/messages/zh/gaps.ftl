## 知识缺口：智能体找过却没有找到的东西
gaps-notice = 该指标只反映当前测评用例集与知识库的相互作用，不代表知识库的绝对完整性。
gaps-rate = `{ $variant }`：缺口率 { $rate }%（95% 区间 { $low }% 至 { $high }%），加权 { $weighted }%，测试集 { $set }（{ $path }）的 { $count } 个用例中的 { $samples } 个
gaps-none-executed = `{ $variant }`：没有缺口率，因为没有带轨迹的执行；测试集 { $set }，{ $count } 个用例
gaps-title = 知识缺口
gaps-signals = `{ $variant }` 的信号
gaps-kinds = 信号：失败搜索 { $failed } 个，连续失败 { $repeated } 个，显式标记 { $markers } 个，存疑语句 { $hedging } 句
gaps-soft = 缺口率至少有一成只来自智能体自己的说法；采信之前请先读这些信号
gaps-failed-search = { $sample }，第 { $turn } 轮：没有找到 `{ $subject }`
gaps-repeated-failure = { $sample }，第 { $turn } 轮：连续 { $calls } 次搜索失败，第一次找的是 `{ $subject }`
gaps-explicit-marker = { $sample }，第 { $turn } 轮：智能体自己标记了缺口：{ $subject }
gaps-hedging = { $sample }，第 { $turn } 轮：智能体不确定：{ $subject }
gaps-more = 报告的 `analysis.gap` 中还有 { $more } 个
