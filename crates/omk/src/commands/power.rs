//! `omk power`: how many samples an effect takes.

use eval_cli::{CommandError, Terminal, exit};
use eval_history::{PowerAnswer, PowerQuestion, power_of_given, power_of_pilot};
use eval_message::msg;
use eval_render::power_text;
use eval_spec::Context;
use eval_spec::suite::USUAL_LOOKS;

use super::diff::refused;
use crate::cli::PowerArgs;

pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &PowerArgs) -> Result<u8, CommandError> {
    let question = question(arguments)?;
    let answer = match (&arguments.report, arguments.sd, arguments.correlation) {
        (Some(report), ..) => of_pilot(terminal, context, arguments, report, &question)?,
        (None, Some(sd), Some(correlation)) => {
            check("--sd", sd, sd > 0.0 && sd <= 4.0, "0", "4")?;
            check("--correlation", correlation, correlation > -1.0 && correlation < 1.0, "-1", "1")?;
            power_of_given(sd, correlation, &question)
        }
        _ => return Err(CommandError::usage(msg!("cli-power-nothing"), None)),
    };
    terminal.json(|| serde_json::to_value(&answer).unwrap_or_default());
    terminal.text(&power_text(&answer, terminal.show()));
    Ok(exit::OK)
}

fn of_pilot(
    terminal: &Terminal,
    context: &Context,
    arguments: &PowerArgs,
    report: &str,
    question: &PowerQuestion,
) -> Result<PowerAnswer, CommandError> {
    let pilot = arguments.reports.read_slim(terminal, context, report)?;
    power_of_pilot(&pilot, question).map_err(|why| refused(&why))
}

/// The question of the flags, with its ranges checked.
fn question(arguments: &PowerArgs) -> Result<PowerQuestion, CommandError> {
    let is_share = |share: f64| share > 0.0 && share < 1.0;
    check("--power", arguments.power, is_share(arguments.power), "0", "1")?;
    check("--alpha", arguments.alpha, is_share(arguments.alpha), "0", "1")?;
    for effect in &arguments.effect {
        check("--effect", *effect, *effect > 0.0 && *effect <= 4.0, "0", "4")?;
    }
    if arguments.power <= arguments.alpha {
        let (power, alpha) = (arguments.power.to_string(), arguments.alpha.to_string());
        return Err(CommandError::usage(msg!("cli-power-below-alpha", power = power, alpha = alpha), None));
    }
    Ok(PowerQuestion {
        effects: arguments.effect.clone(),
        n: arguments.n.map(u64::from),
        power: arguments.power,
        alpha: arguments.alpha,
        looks: arguments.looks.or(arguments.stop_when_decided.then_some(USUAL_LOOKS)),
    })
}

fn check(flag: &str, value: f64, is_usable: bool, low: &str, high: &str) -> Result<(), CommandError> {
    match is_usable {
        true => Ok(()),
        false => {
            let value = value.to_string();
            Err(CommandError::usage(msg!("cli-power-range", flag = flag, value = value, low = low, high = high), None))
        }
    }
}
