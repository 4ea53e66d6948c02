## `omk doctor`
doctor-ok = 正常
doctor-warning = 警告
doctor-problem = 问题
doctor-info = -
doctor-remedy = → { $remedy }
doctor-more = 还有 { $count } 条；`--json` 列出全部
doctor-all-well = 一切正常。
doctor-sum = { $problems ->
    [0] { $warnings } 个警告
   *[other] { $problems } 个问题{ $warnings ->
        [0] { "" }
       *[other] ，{ $warnings } 个警告
    }
}
doctor-failed = { $why }

doctor-foreign-settings = `{ $path }` 是其他工具的文件；只检查了技能本身
doctor-topic-settings = 设置
doctor-topic-program = { $name }
doctor-topic-credentials = 凭据
doctor-topic-endpoint = 端点
doctor-topic-samples = 用例
doctor-topic-mocks = mock
doctor-topic-environment = 环境
doctor-topic-skills = 技能
doctor-topic-isolation = 隔离
doctor-topic-sandbox = 沙箱
doctor-topic-disk = 磁盘
doctor-topic-plan = 计划
doctor-topic-cost = 费用

doctor-executors = 请使用 { $names } 之一，或一条命令行
doctor-settings = { $file }：{ $variants }；执行器 { $executor }，模型 { $model }
doctor-settings-no-model = { $file }：{ $variants }；执行器 { $executor }

doctor-version = { $version }
doctor-version-unneeded = { $version }，这里不需要
doctor-version-remedy = 自己运行一次 `{ $name } --version`；若也失败，请重新安装
doctor-missing = 不在 `PATH` 中
doctor-missing-unneeded = 未安装，这里不需要
doctor-git-remedy = 安装 git：有变体来自仓库的历史
doctor-node-remedy = 安装 Node.js，或去掉 `customRuntime: node`

doctor-key = { $executor }：密钥在 `{ $variable }` 中
doctor-login = { $executor }：登录信息在 { $path }
doctor-cloud = { $executor }：设置了 `{ $variable }`，使用云服务自己的凭据；未检查
doctor-no-key = { $executor }：没有找到密钥，也没有找到登录信息
doctor-no-key-remedy = 设置 { $variables }
doctor-no-login-remedy = 设置 { $variables }，或运行一次 `{ $executor }` 并登录
doctor-endpoint = { $address } 有响应
doctor-endpoint-cloud = { $executor }：云服务自己的地址；未检查
doctor-endpoint-fails = { $address } 返回状态 { $status }
doctor-endpoint-fails-remedy = 这是服务器或其网关自身的故障：请在那里排查，或稍后再试
doctor-endpoint-silent = { $address }：{ $why }
doctor-endpoint-remedy = 若在代理之后，请设置 `HTTPS_PROXY`

doctor-samples = { $file }：{ $count } 个用例
doctor-quality = { $finding }：{ $samples }

doctor-mocks = { $count } 条 mock 都可能命中
doctor-mock-covered = `{ $sample }` 的第 { $number } 条 mock（{ $tool }）永远不会命中：它能匹配的调用都由第 { $earlier } 条应答
doctor-mock-covered-remedy = 先匹配者优先：把范围较窄的 mock 放在前面
doctor-mock-unknown = `{ $sample }` 的第 { $number } 条 mock 永远不会命中：`{ $executor }` 没有名为 `{ $tool }` 的工具
doctor-mock-condition = `{ $sample }` 的第 { $number } 条 mock 永远不会命中：`{ $tool }` 的调用里没有 `{ $key }` 可匹配的内容
doctor-mock-condition-remedy = 可以成立的条件：{ $keys }；该工具的参数：{ $arguments }
doctor-mock-path = `{ $sample }` 的第 { $number } 条 mock 永远不会命中：没有文件的路径是 `{ $path }`，`{ $key }` 里的 `*` 和 `~` 只代表字符本身
doctor-mock-path-remedy = 写出完整路径，或用 `file_path_endswith` 写路径的末尾几段，或用 `input_contains` 写其中任意一段文字
doctor-mock-taken = `{ $sample }` 的第 { $number } 条 mock 永远不会命中：omk 以 `{ $tool }` 这个名字提供 `{ $own }`，而该用例的另一条 mock 就是为它写的
doctor-mock-taken-remedy = 给服务器换一个名字，或去掉 `{ $own }` 的 mock

doctor-environment = 用例声明可用的 { $count } 项程序和文件都在
doctor-environment-elsewhere = 用例声明了程序或文件，但 { $executor } 不在本机运行任何东西
doctor-no-program = `{ $name }` 被声明为可用，但不在 `PATH` 中：{ $samples }
doctor-no-program-remedy = 安装它，或改正这些用例的 `environment`：模型会被告知它可用
doctor-no-file = `{ $path }` 被声明为可用，但不存在：{ $samples }
doctor-no-file-remedy = 把它加入工作目录，或改正这些用例的 `environment`

doctor-skills = { $count } 个技能符合 Agent Skills 规范
doctor-skills-some = { $count } 个技能符合 Agent Skills 规范；{ $plain } 个资产是普通文件
doctor-skills-plain = { $count } 个资产是普通文件，不是 Agent Skill：无需检查
doctor-no-skills = 没有变体带有资产

doctor-isolation-clean = `{ $variant }`：{ $requests } 个请求中没有其他变体的内容
doctor-isolation-leak = `{ $variant }` 让模型看到了属于 `{ $other }` 的内容：“{ $line }”
doctor-isolation-leak-remedy = 在工作目录或用户的智能体配置中找到含有这一行的文件，把它移走
doctor-isolation-open-remedy = 去掉 `--no-strict-baseline`（`strictBaseline: false`）
doctor-isolation-unmarked = `{ $variant }`：`{ $other }` 没有足够长且只属于它的行，泄漏了也看不出来
doctor-isolation-unmarked-remedy = 为了这项检查，加一行其他资产没有的文字
doctor-isolation-lost = `{ $variant }`：它自己的文字没有到达模型
doctor-isolation-failed = `{ $variant }`：智能体没有发出请求：{ $why }
doctor-isolation-silent = `{ $variant }`：智能体没有发出请求
doctor-isolation-no-agent = { $executor } 不是由 omk 隔离的智能体：无需检查
doctor-isolation-no-program = 智能体未安装：无法检查
doctor-isolation-never = 还没有用这个版本、这些参数和资产检查过；用 `omk doctor --isolation` 检查
doctor-sandbox = 智能体在沙箱中运行（{ $guards }），权限为 `{ $modes }`
doctor-sandbox-off = 智能体不在沙箱中运行，权限为 `{ $modes }`
doctor-sandbox-remedy = 请使用带 Landlock 的较新 Linux 内核，或在可以丢弃的容器中运行
doctor-isolation-was-clean = { $date } 检查过：没有其他变体的内容到达模型
doctor-isolation-was-open = { $date } 检查过：有问题
doctor-isolation-again-remedy = `omk doctor --isolation` 会说明是什么

doctor-disk = { $path } 还有 { $size } 可用
doctor-disk-remedy = 腾出空间，或把 `OMK_HOME` 和 `TMPDIR` 设为另一个磁盘上的文件夹
doctor-disk-temporary = { $path } 用于临时文件，但不是文件夹
doctor-disk-closed = { $path } 不可写
doctor-disk-closed-remedy = 把 `OMK_HOME` 或 `TMPDIR` 设为有写入权限的文件夹

doctor-cost-free = { $calls } 个录制的回答；除未录制的评委外，不会发出任何请求
doctor-cost = { $calls } 次调用{ $requests ->
    [0] { "" }
   *[other] ，{ $requests } 次评委请求
}：约 { $low } 到 { $high }
doctor-cost-unknown = { $calls } 次调用{ $requests ->
    [0] { "" }
   *[other] ，{ $requests } 次评委请求
}；价格未知
doctor-cost-budget-remedy = 预算 { $budget } 可能在全部完成之前结束运行
doctor-sandbox-mounts-remedy = 如有需要，请允许这个容器创建挂载命名空间（`docker run --security-opt seccomp=unconfined`）
