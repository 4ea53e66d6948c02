//! Lines of a shell as commands.

use eval_gaps::parse;

/// Longest line that is read, in bytes.
const LONGEST: usize = 16 << 10;

fn commands(line: &str) -> Vec<Vec<String>> {
    let pipelines = parse(line).pipelines.into_iter();
    pipelines.map(|pipeline| pipeline.commands.iter().map(|words| words.join(" ")).collect()).collect()
}

#[test]
fn line_is_split_into_pipelines_of_simple_commands() {
    for (line, expected) in [
        ("cd a && rg -n 'x y' docs 2>/dev/null | head -5 || echo none; true", "cd a;rg -n x y docs|head -5;true"),
        ("/bin/bash -lc \"grep -rn 'a b' .\"", "grep -rn a b ."),
        ("FOO=1 timeout 10 /usr/bin/find . -name \"*.md\" -delete", "find . -name *.md -delete"),
        ("for f in *.md; do grep -n \"$x\" \"$f\"; done", "grep -n $x $f"),
        ("git commit -m \"fix grep | head\"", "git commit -m fix grep | head"),
        ("cat <<'EOF' > f\ngrep x\nEOF\nls b", "<<<|cat;ls b"),
        ("echo \"$x\" 2>&1 | grep a; grep b <<< \"$y\"; grep c f", "echo $x|grep a;<<<|grep b;grep c f"),
        ("(cd a; ls) | wc -l", "cd a;ls|wc -l"),
    ] {
        let found = commands(line).iter().map(|words| words.join("|")).collect::<Vec<_>>().join(";");
        assert_eq!(found.replace("/usr/bin/", ""), expected, "{line}");
    }
}

#[test]
fn echoes_name_the_command_whose_failure_prints_them() {
    let line = parse("ls a 2>/dev/null || echo none; if grep -q x b; then echo yes; else echo no; fi; echo end");
    let echoes: Vec<_> = line.echoes.iter().map(|echo| (echo.text.as_str(), echo.after_failure_of)).collect();
    assert_eq!(echoes, [("none", Some(0)), ("yes", None), ("no", Some(1)), ("end", None)]);
}

#[test]
fn here_documents_do_not_count_for_the_length_of_a_line() {
    let line = format!("cat <<EOF > f\n{}EOF\nls b", "(x|\n".repeat(1 << 18));
    assert_eq!(commands(&line).concat(), ["<<<", "cat", "ls b"]);
}

/// Lines as deep and as long as nobody writes them: each ends at once, without a deep stack.
#[test]
fn hostile_lines_end() {
    let nested = |open: &str, inner: &str, close: &str, deep: usize| open.repeat(deep) + inner + &close.repeat(deep);
    let long = |part: &str, bytes: usize| part.repeat(bytes / part.len());
    for line in [
        nested("(", "grep x f", ")", 10_000),
        nested("(", "grep x f", ")", 8_000),
        nested("$(", "grep x f", ")", 5_000),
        nested("v=$(", "grep x f", ")", 3_000),
        nested("{ ", "grep x f;", "};", 4_000),
        nested("! ", "grep x f", "", 8_000),
        nested("if a; then ", "grep x f;", " fi;", 1_000),
        "if ".repeat(5_000),
        "bash -c 'bash -c \"bash -c x\"'".to_owned(),
        long("a|", 2000),
        long("a; ", LONGEST),
        long("a && ", LONGEST),
        long("v=$(grep x f); echo $v;", LONGEST),
        long("a b | c d; ", 1 << 20),
        long("cat <<EOF\nx\nEOF\n", 1 << 20),
    ] {
        // A stack as small as that of a task.
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(move || drop(parse(&line)));
        assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
    }
}
