import { jsonText, reject, type Rejection } from '#lib/kernel';
import { type ScoringRule, scoringRules } from './scoring-rules.js';

const NAMES = Object.keys(scoringRules).join('|');
const FORM = new RegExp(`^(${NAMES})(?:;halfLife=([1-9][0-9]{0,8}))?$`);

/** The rule as text: `wilson`, `ratio`, `wilson;halfLife=20`. */
export function scoringRuleText({ name, halfLife }: ScoringRule): string {
  return halfLife === undefined ? name : `${name};halfLife=${halfLife}`;
}

/** Reads texts of `scoringRuleText`, and no others. @param member of the input, named in a rejection */
export function parseScoringRule(text: string, member = 'rule'): ScoringRule | Rejection {
  const [, name, halfLife] = FORM.exec(text) ?? [];
  if (name === undefined) return unknownScoringRule(text, member);
  return {
    name: name as ScoringRule['name'],
    ...(halfLife !== undefined && { halfLife: Number(halfLife) }),
  };
}

const unknownScoringRule = (text: string, member: string): Rejection =>
  reject(
    'malformed',
    'unknown-scoring-rule',
    {
      what: `scoring rule ${jsonText(text)}`,
      why: `the known ones are ${Object.keys(scoringRules).join(', ')}, each with or without a half-life in comparisons`,
      fix: 'Write a name, or a name and a half-life from 1 to 999999999, for example "wilson;halfLife=20"',
    },
    [{ path: `/${member}`, message: 'is not a scoring rule' }],
  );
