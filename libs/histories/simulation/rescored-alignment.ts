import { alignmentScope, type AlignmentScore } from '#lib/decisions/session';
import { parseScoringRule, scoringRules, scoringRuleText } from '#lib/decisions/specialists';
import { isRejection, type Rejection } from '#lib/kernel';
import { alignmentHistory, type Rows } from '#lib/read-models';
import { AS_RECORDED, type Conditions } from './simulation-settings.js';

/** Scores the comparisons of a recorded alignment by another rule. Versions without comparisons keep their score: 0, and 1 for people. */
export async function rescoredAlignment(
  db: Rows<'alignment'>,
  machineName: string,
  scoringRule: string | undefined,
): Promise<Conditions['alignment'] | Rejection> {
  if (scoringRule === undefined) return AS_RECORDED.alignment;
  const rule = parseScoringRule(scoringRule, 'scoringRule');
  if (isRejection(rule)) return rule;
  const scoreThen = await alignmentHistory(db, machineName, rule);
  const scored = { rule: scoringRuleText(rule), ruleVersion: scoringRules[rule.name].version };
  return (recorded, session) => {
    const scope = alignmentScope(session);
    const { position } = recorded;
    if (!scope || position === undefined) return { ...recorded, ...scored };
    const rescored = (one: AlignmentScore) => {
      const { specialistId, specialistVersion } = one;
      const score = scoreThen({ ...scope, specialistId, specialistVersion }, position);
      return score === undefined ? one : { ...one, score };
    };
    return { ...recorded, ...scored, scores: recorded.scores.map(rescored) };
  };
}
