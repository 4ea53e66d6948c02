## 知识缺口：智能体找过却没有找到的东西
gaps-notice = 该指标只反映当前测评用例集与知识库的相互作用，不代表知识库的绝对完整性。
gaps-rate = `{ $variant }`：缺口率 { $rate }%（95% 区间 { $low }% 到 { $high }%），加权 { $weighted }%，测试集 { $set }（{ $path }）的 { $count } 个用例中的 { $samples } 个
gaps-none-executed = `{ $variant }`：没有缺口率，因为没有带轨迹的执行；测试集 { $set }，{ $count } 个用例
gaps-title = 知识缺口
gaps-signals = `{ $variant }` 的信号
gaps-kinds = 信号：失败搜索 { $failed } 个，连续失败 { $repeated } 个，显式标记 { $markers } 个，存疑语句 { $hedging } 句
gaps-second-look = 存疑语句：正则找到 { $found } 句；模型确认 { $confirmed } 句，认为 { $dropped } 句并非存疑，{ $unjudged ->
    [0] 全部判断完毕
   *[other] 另有 { $unjudged } 句未判断、照样保留（超出上限 { $beyond }，预算不足 { $budget }，请求失败 { $failed }，回复无法解读 { $unreadable }，运行提前结束 { $ended }）
  }
gaps-wanted = 先写这些页面（括号内是没有找到它的用例数）：{ $list }{ $more ->
    [0] {""}
   *[other] {""}，另有 { $more } 个
  }
gaps-wanted-question = “{ $question }”找过 { $list }{ $more ->
    [0] {""}
   *[other] {""}，另有 { $more } 个
  }
gaps-wanted-code = 找过却没找到的代码（括号内是用例数）：{ $list }{ $more ->
    [0] {""}
   *[other] {""}，另有 { $more } 个
  }
gaps-guessed = 按名称当作搜索的工具：{ $list }{ $more ->
    [0] {""}
   *[other] {""}，另有 { $more } 个
  }；用 eval.yaml 中的 `gap.searchTools` 可以指明哪些工具是搜索
gaps-soft = 缺口率中至少有 10 个百分点只来自智能体自己的说法；采信之前请先读这些信号
gaps-failed-search = { $sample }{ $runs ->
    [none] {""}
   *[other] {""}（第 { $runs } 次）
  }，第 { $turn } 轮：没有找到 `{ $subject }`{ $intent ->
    [lookup] （查找）
    [exploration] （探索）
    [verification] （核实）
   *[other] {""}
  }
gaps-repeated-failure = { $sample }{ $runs ->
    [none] {""}
   *[other] {""}（第 { $runs } 次）
  }，第 { $turn } 轮：连续 { $calls } 次搜索失败，第一次找的是 `{ $subject }`
gaps-explicit-marker = { $sample }{ $runs ->
    [none] {""}
   *[other] {""}（第 { $runs } 次）
  }，第 { $turn } 轮：智能体自己标记了缺口：{ $subject }
gaps-hedging = { $sample }{ $runs ->
    [none] {""}
   *[other] {""}（第 { $runs } 次）
  }，第 { $turn } 轮：智能体不确定：{ $subject }
gaps-hedging-judged = { $sample }{ $runs ->
    [none] {""}
   *[other] {""}（第 { $runs } 次）
  }，第 { $turn } 轮：{ $verdict ->
    [doubt] 智能体不确定：{ $subject }（模型确认，置信度 { $confidence }：{ $reason }）
   *[other] 模型认为并非存疑：{ $subject }（置信度 { $confidence }：{ $reason }）
  }
gaps-more = 报告的 `analysis.gap` 中还有 { $more } 个
gaps-more-samples = 另有 { $more } 个，见各用例的页面
gaps-guard-high = 缺口率 { $rate }%（测试集 { $set }，{ $path }，{ $count } 个用例）高于 `--max-gap-rate` 的 { $limit }%；缺口清单列出了智能体在找什么；该指标只反映当前测评用例集与知识库的相互作用，不代表知识库的绝对完整性
gaps-guard-risen = 测试集 { $set }（{ $path }，{ $count } 个用例）上的缺口率从 { $before }%（报告 { $report }）升到 { $rate }%，超过 `--gap-rate-regression` 允许的 { $limit } 个百分点；该指标只反映当前测评用例集与知识库的相互作用，不代表知识库的绝对完整性
gaps-guard-unmeasured = 测试集 { $set } 上没有缺口率：没有任何执行的轨迹说明找过什么。测不出来的门禁不算通过；请换用有轨迹的执行器，或去掉该门禁
gaps-guard-other-set = 上一份报告 { $report } 的测试集是 { $before }，本次是 { $set }：不同测试集的缺口率不能比较，`--gap-rate-regression` 拒绝通过。下一次运行会与本报告比较
gaps-guard-first = `--gap-rate-regression` 没有可与 `{ $variant }` 比较的报告：此前没有完整的报告含有它在 { $set } 上的缺口率。下一次运行会与本报告比较
gaps-coverage-title = 知识库覆盖率
gaps-coverage-files = `{ $variant }` 的文件
gaps-coverage-share = `{ $variant }`：知识库 { $total } 个文件中有 { $accessed } 个被访问（{ $share }%），来自测试集 { $set }（{ $path }）的 { $count } 个用例中的 { $samples } 个
gaps-coverage-nothing = `{ $variant }`：没有查阅任何东西，因此知识库的 { $total } 个文件没有覆盖率；测试集 { $set }，{ $count } 个用例
gaps-coverage-read = { $path }：被 { $list } 读取{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 个用例
  }
gaps-coverage-match = { $path }：被 { $list } 的搜索命中{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 个用例
  }
gaps-coverage-list = { $path }：出现在 { $list } 的列表中{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 个用例
  }
gaps-coverage-more = 报告的 `analysis.coverage` 中还有 { $more } 个文件
gaps-coverage-uncovered = 没有用例访问：{ $list }{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 个
  }
gaps-curve = `{ $variant }` 在 { $set }（{ $path }，{ $count } 个用例）上：{ $runs } 次运行，缺口率 { $first } → { $last }
gaps-curve-changes = ▼ 有 { $count } 次运行之前，智能体能读到的内容有变化
gaps-reading-falls = 缺口率随补充内容一路下降：知识库在 { $set } 上正在收敛。
gaps-reading-flat = 缺口率几乎没有变化：补充的内容并不是这些用例所缺的。请查看没有用例访问的文件，以及应当优先编写的页面。
gaps-reading-rises = 同一批用例（{ $set }）的缺口率上升了：请检查知识库少了什么，以及还有什么变化。换成更难的用例时，会另成一图。
gaps-reading-near-zero = 缺口率接近 0 不是终点：这些用例没有碰壁，别的用例却可能碰壁。请扩充用例集，探测新的领域。
gaps-knowledge-added = 新增 { $count } 个文件（{ $names }{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 个
  }）
gaps-knowledge-changed = 改动 { $count } 个文件（{ $names }{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 个
  }）
gaps-knowledge-removed = 删除 { $count } 个文件（{ $names }{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 个
  }）
gaps-knowledge-artifact = 资产有变化
gaps-knowledge-artifact-commit = 资产有变化：{ $commit }
gaps-proposed = { $set } 的用例由模型提出：其缺口率与人设计的用例的缺口率并列显示，绝不合成一个数
gaps-beside = 并列参考：在{ $kind ->
    [model] 由模型提出
   *[other] 由人设计
  }的 { $set }（{ $path }，{ $count } 个用例）上，缺口率 { $rate } %（报告 { $report }）
gaps-domesticated = ⚠ 当前用例集（{ $set }）的缺口率已连续 { $count } 次测评不超过 10%。请考虑扩充用例集、探测新的领域，否则缺口率下降可能只反映「用例被驯化」，而不是「知识已补全」。
gaps-came-back = 再次出现：`{ $subject }`（{ $id }）已于 { $at } 标为完成，{ $sample } 又需要它
gaps-merged = 模型认为同一页即可回答：{ $list }（把握 { $confidence }：{ $reason }）
gaps-merging-asking = 正在询问 { $judge }：{ $count } 项缺少的东西（共 { $all } 项）中哪些相同
gaps-merging-none = 没有合并：{ $why }
gaps-list-none = 报告中没有可以补上的缺口
gaps-list-id = 缺口
gaps-list-status = 状态
gaps-list-samples = 用例
gaps-list-question = 问题
gaps-list-exists = { $id } 存在却没找到：{ $list }
gaps-list-subject = 找的是什么
gaps-list-back = 已完成，再次出现
gaps-list-dismissed = 已驳回
gaps-list-open = 未处理
gaps-list-reason = { $id } 已驳回：{ $reason }
gaps-status-unreadable = 无法读取 `{ $path }`：{ $why }
