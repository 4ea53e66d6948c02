## `omk doctor`
doctor-ok = ok
doctor-warning = warning
doctor-problem = problem
doctor-info = -
doctor-remedy = → { $remedy }
doctor-more = { $count ->
    [one] and 1 more; `--json` has all
   *[other] and { $count } more; `--json` has all
}
doctor-all-well = All is well.
doctor-sum = { $problems ->
    [0] { $warnings ->
        [one] 1 warning
       *[other] { $warnings } warnings
    }
    [one] 1 problem{ $warnings ->
        [0] { "" }
        [one] , 1 warning
       *[other] , { $warnings } warnings
    }
   *[other] { $problems } problems{ $warnings ->
        [0] { "" }
        [one] , 1 warning
       *[other] , { $warnings } warnings
    }
}
doctor-failed = { $why }

doctor-foreign-settings = `{ $path }` is the file of another tool; the skill was checked alone
doctor-topic-settings = settings
doctor-topic-program = { $name }
doctor-topic-credentials = credentials
doctor-topic-endpoint = endpoint
doctor-topic-samples = samples
doctor-topic-mocks = mocks
doctor-topic-environment = environment
doctor-topic-skills = skills
doctor-topic-isolation = isolation
doctor-topic-sandbox = sandbox
doctor-topic-disk = disk
doctor-topic-plan = plan
doctor-topic-cost = cost

doctor-executors = name one of { $names }, or a command line
doctor-settings = { $file }: { $variants }; executor { $executor }, model { $model }
doctor-settings-no-model = { $file }: { $variants }; executor { $executor }

doctor-version = { $version }
doctor-version-unneeded = { $version }, not needed here
doctor-version-remedy = start `{ $name } --version` yourself, and install it again if that fails too
doctor-missing = not in `PATH`
doctor-missing-unneeded = not installed, not needed here
doctor-git-remedy = install git: a variant comes from a repository's history
doctor-node-remedy = install Node.js, or leave out `customRuntime: node`

doctor-key = { $executor }: a key in `{ $variable }`
doctor-login = { $executor }: a login in { $path }
doctor-cloud = { $executor }: `{ $variable }` is set, so the cloud's own credentials are used; not checked
doctor-no-key = { $executor }: no key and no login was found
doctor-no-key-remedy = set { $variables }
doctor-no-login-remedy = set { $variables }, or start `{ $executor }` once and log in
doctor-endpoint = { $address } answers
doctor-endpoint-cloud = { $executor }: the cloud's own address; not checked
doctor-endpoint-fails = { $address } answers with status { $status }
doctor-endpoint-fails-remedy = that is the server's own failure, or its gateway's: look there, or try again later
doctor-endpoint-silent = { $address }: { $why }
doctor-endpoint-remedy = behind a proxy, set `HTTPS_PROXY`

doctor-samples = { $file }: { $count ->
    [one] 1 sample
   *[other] { $count } samples
}
doctor-quality = { $finding }: { $samples }

doctor-mocks = { $count ->
    [one] 1 mock can match
   *[other] all { $count } mocks can match
}
doctor-mock-covered = `{ $sample }`, mock { $number } ({ $tool }) never matches: mock { $earlier } answers every call that it could
doctor-mock-covered-remedy = the first match wins: put the narrower mock first
doctor-mock-unknown = `{ $sample }`, mock { $number } never matches: `{ $executor }` has no tool `{ $tool }`
doctor-mock-condition = `{ $sample }`, mock { $number } never matches: calls of `{ $tool }` have nothing for `{ $key }`
doctor-mock-condition-remedy = conditions that can hold: { $keys }; arguments of the tool: { $arguments }
doctor-mock-path = `{ $sample }`, mock { $number } never matches: no file has the path `{ $path }`, and in `{ $key }` neither `*` nor `~` stands for anything else
doctor-mock-path-remedy = write the path in full, its last parts as `file_path_endswith`, or any text of it as `input_contains`
doctor-mock-taken = `{ $sample }`, mock { $number } never matches: under the name `{ $tool }` omk offers `{ $own }`, which another mock of the sample is for
doctor-mock-taken-remedy = give the server another name, or leave out the mock for `{ $own }`

doctor-environment = { $count ->
    [one] what a sample declares as available is there
   *[other] all { $count } programs and files that samples declare as available are there
}
doctor-environment-elsewhere = samples declare programs or files, but { $executor } runs nothing on this machine
doctor-no-program = `{ $name }` is declared as available and not in `PATH`: { $samples }
doctor-no-program-remedy = install it, or correct `environment` of these samples: the model is told that it is there
doctor-no-file = `{ $path }` is declared as available and not there: { $samples }
doctor-no-file-remedy = add it to the working directory, or correct `environment` of these samples

doctor-skills = { $count ->
    [one] 1 skill follows the Agent Skills specification
   *[other] { $count } skills follow the Agent Skills specification
}
doctor-skills-some = { $count ->
    [one] 1 skill follows
   *[other] { $count } skills follow
} the Agent Skills specification; { $plain ->
    [one] 1 artifact is a plain file
   *[other] { $plain } artifacts are plain files
}
doctor-skills-plain = { $count ->
    [one] the artifact is a plain file
   *[other] the { $count } artifacts are plain files
}, no Agent Skill: nothing to lint
doctor-no-skills = no variant has an artifact

doctor-isolation-clean = `{ $variant }`: { $requests ->
    [one] 1 request shows
   *[other] { $requests } requests show
} nothing of the other variants
doctor-isolation-leak = `{ $variant }` shows the model what belongs to `{ $other }`: "{ $line }"
doctor-isolation-leak-remedy = find the file that has this line, in the working directory or the user's configuration of the agent, and move it away
doctor-isolation-open-remedy = leave out `--no-strict-baseline` (`strictBaseline: false`)
doctor-isolation-unmarked = `{ $variant }`: `{ $other }` has no longer line of its own, so a leak of it wouldn't be seen
doctor-isolation-unmarked-remedy = for this check, add a line that no other artifact has
doctor-isolation-lost = `{ $variant }`: its own text doesn't reach the model
doctor-isolation-failed = `{ $variant }`: the agent asked nothing: { $why }
doctor-isolation-silent = `{ $variant }`: the agent asked nothing
doctor-isolation-no-agent = { $executor } is no agent that omk isolates: nothing to check
doctor-isolation-no-program = the agent is not installed: nothing could be checked
doctor-isolation-never = not checked with this version, these flags and artifacts; `omk doctor --isolation` does
doctor-sandbox = agents run in a sandbox ({ $guards }), with the permissions `{ $modes }`
doctor-sandbox-off = agents run without a sandbox, with the permissions `{ $modes }`
doctor-sandbox-remedy = use a newer Linux kernel with Landlock, or run in a container that you can throw away
doctor-isolation-was-clean = checked on { $date }: nothing of another variant reached the model
doctor-isolation-was-open = checked on { $date }: not in order
doctor-isolation-again-remedy = `omk doctor --isolation` says what it is

doctor-disk = { $size } free at { $path }
doctor-disk-remedy = free some space, or set `OMK_HOME` and `TMPDIR` to folders on another disk
doctor-disk-temporary = { $path }, where temporary files go, is no folder
doctor-disk-closed = { $path } can't be written
doctor-disk-closed-remedy = set `OMK_HOME` or `TMPDIR` to a folder that you may write to

doctor-cost-free = { $calls ->
    [one] 1 recorded answer; nothing is asked, except judges that are not recorded
   *[other] { $calls } recorded answers; nothing is asked, except judges that are not recorded
}
doctor-cost = { $calls ->
    [one] 1 call
   *[other] { $calls } calls
}{ $requests ->
    [0] { "" }
    [one] , 1 request to judges
   *[other] , { $requests } requests to judges
}: about { $low } to { $high }
doctor-cost-unknown = { $calls ->
    [one] 1 call
   *[other] { $calls } calls
}{ $requests ->
    [0] { "" }
    [one] , 1 request to judges
   *[other] , { $requests } requests to judges
}; the price is unknown
doctor-cost-budget-remedy = the budget of { $budget } may end the run before all is done
doctor-sandbox-mounts-remedy = if they are needed, let this container create mount namespaces (`docker run --security-opt seccomp=unconfined`)
