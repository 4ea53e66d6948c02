// Runs the platform's package under one of its names: same arguments, streams and exit code.
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");

const name = `omk-${process.platform}-${process.arch}`;

function find(program) {
  const file = process.platform === "win32" ? "bin/omk.exe" : "bin/omk";
  try {
    return require.resolve(`${name}/${file}`);
  } catch {
    const all = Object.keys(require("./package.json").optionalDependencies ?? {});
    const isMusl = process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
    let remedy = `Install again without --omit=optional or --no-optional, or add it: npm install ${name}`;
    if (!all.includes(name)) remedy = `There are packages for ${all.join(", ")}; elsewhere build omk with cargo`;
    if (isMusl) remedy = "It needs glibc, and this system has musl: build omk with cargo";
    console.error(`${program}: the package ${name} is not installed.\n${remedy}`);
    process.exit(1);
  }
}

// A terminal sends these to the whole group of processes: the program gets them without us.
function hasTerminal() {
  try {
    fs.closeSync(fs.openSync("/dev/tty"));
    return true;
  } catch {
    return false;
  }
}

module.exports = (program) => {
  const file = find(program);
  // Node 22.15 becomes the program, which then gets each signal once: a second one ends a call that is under way.
  // Older versions forward, so that a signal to the whole group, as `timeout` sends it, comes twice.
  if (process.execve && process.platform !== "win32") {
    process.removeAllListeners("warning"); // execve is experimental
    process.execve(file, [program, ...process.argv.slice(2)], process.env);
  }
  const child = spawn(file, process.argv.slice(2), { argv0: program, stdio: "inherit" });
  const fromTerminal = hasTerminal();
  for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"]) {
    process.on(signal, () => {
      if (signal === "SIGTERM" || !fromTerminal) child.kill(signal);
    });
  }
  child.on("error", (error) => {
    console.error(`${program}: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // A signal that does not end us: the code that shells give it.
    setTimeout(() => process.exit(128 + os.constants.signals[signal]), 1000);
  });
};
