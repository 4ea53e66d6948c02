# run

run-journal-missing = 找不到运行日志 `{ $path }`；用 `--resume latest` 可以接着最近一次运行
run-journal-exists = 运行日志 `{ $path }` 已经存在；请恢复该运行，或换一个 id 重新开始
run-journal-locked = 运行日志 `{ $path }` 正由另一个进程写入；请等那次运行结束，或先停止它
run-journal-newer = 运行日志 `{ $path }` 的版本是 { $version }，比本程序新；请用写下它的程序来恢复
run-journal-no-header = 运行日志 `{ $path }` 的首行不完整，说明还没有执行任何调用；请去掉 `--resume` 重新运行
run-journal-bad-header = 运行日志 `{ $path }` 的首行无法读取（{ $why }），无从得知运行了什么；请恢复该文件，或去掉 `--resume` 重新运行
run-journal-corrupt = 运行日志 `{ $path }` 的第 { $line } 行无法读取（{ $why }）；请恢复该文件，或去掉 `--strict-journal` 以重新请求该行的内容
run-journal-edited = 运行日志 `{ $path }` 的第 { $line } 行写入后被改动过；请恢复该文件，或去掉 `--strict-journal` 以重新请求该行的内容
run-journal-more-lines = 还有 { $count } 行不予采用
run-journal-line-unreadable = 运行日志 `{ $path }` 的第 { $line } 行无法读取（{ $why }），未予采用；其内容在继续运行时重新请求
run-journal-line-edited = 运行日志 `{ $path }` 的第 { $line } 行写入后被改动过，未予采用；其内容在继续运行时重新请求
run-settings-changed = 运行 `{ $id }` 开始之后，设置或程序版本有变化；请用原来的设置恢复，或开始新的运行
run-inputs-changed = 运行 `{ $id }` 开始之后，以下输入有变化：{ $inputs }；请还原它们，或开始新的运行
run-cannot-open = 无法读取 `{ $path }`：{ $why }
run-cannot-create = 无法创建日志 `{ $path }`：{ $why }；什么都没有执行
run-cannot-write = 无法写入 `{ $path }`：{ $why }；此前写入的内容仍在，可以恢复运行
run-only-limited = { $seconds } 秒以来，`{ $provider }` 对每次调用都只回答“请求过多”；请稍后恢复运行
run-budget-spent = 预算 { $budget } 已花费 { $spent }，再调用一次可能超支；请调高 `--budget-usd` 后恢复运行
run-budget-unknown-cost = 有一次调用的费用未知，无法保证不超预算；请为该模型提供价格，或允许未知费用
run-sample-budget-usd = 用例 `{ $sample }` 的预算 { $budget } 已花费 { $spent }；要继续执行请调高 `--budget-per-sample-usd`
run-sample-budget-ms = 用例 `{ $sample }` 的 { $budget } 毫秒已经用完；要继续执行请调高 `--budget-per-sample-ms`
run-come-back = `{ $provider }` 要求 { $minutes } 分钟内不再调用；请在 { $at } 之后恢复运行
run-come-back-late = `{ $provider }` 要求一天以上不再调用；请检查其账户与限额后再恢复运行
run-overran = 开始 { $seconds } 秒后仍未结束，已超过时限，放弃等待
run-interrupted = 运行被中断；恢复运行后会重新执行这次调用
run-cache-not-kept = 回答未能写入缓存：{ $why }
