fn main() -> std::process::ExitCode {
    eval_skills::main()
}
