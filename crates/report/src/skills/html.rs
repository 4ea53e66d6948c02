//! placeholder until the page is there
use eval_spec::Lang;
use super::contract::SkillEvaluation;
pub(crate) fn html(of: &SkillEvaluation, _lang: Lang) -> std::io::Result<String> {
    Ok(of.id.clone())
}
