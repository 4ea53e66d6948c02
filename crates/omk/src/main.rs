fn main() -> std::process::ExitCode {
    omk::main()
}
