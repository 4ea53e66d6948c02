//! placeholder until the page is there
use super::contract::SkillEvaluation;
use eval_spec::Lang;
pub(crate) fn html(of: &SkillEvaluation, _lang: Lang) -> std::io::Result<String> {
    Ok(of.id.clone())
}
