"""Prints a manual page made from a program's --help, for programs without a `man` command."""

import os
import subprocess
import sys
import time


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def help_of(*arguments):
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}
    return subprocess.run(arguments, check=True, capture_output=True, env=environment).stdout.decode().strip()


def section(title, text):
    print(f".SH {title}\n.nf")
    for line in text.splitlines():
        print(escape(line))
    print(".fi")


program = sys.argv[1]
name = os.path.basename(program).removesuffix(".exe")
summary, rest = help_of(program, "--help").split("\n", 1)
date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
print(f'.TH "{name}" 1 "{date}" "{name} {os.environ["version"]}"')
print(f".SH NAME\n{escape(name)} \\- {escape(summary)}")
section("DESCRIPTION", rest.strip())
commands = rest.split("Commands:\n", 1)[1].split("\n\n", 1)[0]
for line in commands.splitlines():
    # Continuation lines of a description are indented further than names.
    if line.startswith("  ") and not line.startswith("   "):
        command = line.split()[0]
        if command != "help":
            section(f"{name} {command}".upper(), help_of(program, command, "--help"))
