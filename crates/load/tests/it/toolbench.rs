//! Names of functions in ToolBench.

use eval_load::internals::function_name;
use serde_json::json;

#[test]
fn functions_have_the_names_that_toolbench_gives_them() {
    let name = |tool: &str, api: &str| function_name(&json!({ "tool_name": tool, "api_name": api }));
    assert_eq!(name("TheClique", "Songkick concert"), "songkick_concert_for_theclique");
    assert_eq!(name("Free  NBA!", "/2-day/Forecast/"), "get_2_day_forecast_for_free_nba");
    assert_eq!(name("_A__b_", "id"), "is_id_for_a_b");
    assert_eq!(name("t", &"x".repeat(80)).chars().count(), 64);
}
