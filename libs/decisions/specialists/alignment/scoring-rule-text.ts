import { jsonText, reject, type Rejection } from '#lib/kernel';
import { type ScoringRule, scoringRules } from './scoring-rules.js';

const NAMES = Object.keys(scoringRules).join('|');
const FORM = new RegExp(`^(${NAMES})(?:;halfLife=([1-9][0-9]{0,8}))?$`);

/** The rule as people write it: `wilson`, `ratio`, `wilson;halfLife=20`. */
export function scoringRuleText({ name, halfLife }: ScoringRule): string {
  return halfLife === undefined ? name : `${name};halfLife=${halfLife}`;
}

/** Reads what `scoringRuleText` writes, and nothing else. */
export function parseScoringRule(text: string): ScoringRule | Rejection {
  const [, name, halfLife] = FORM.exec(text) ?? [];
  if (name === undefined) return unknownScoringRule(text);
  return {
    name: name as ScoringRule['name'],
    ...(halfLife !== undefined && { halfLife: Number(halfLife) }),
  };
}

const unknownScoringRule = (text: string): Rejection =>
  reject(
    'malformed',
    'unknown-scoring-rule',
    {
      what: `scoring rule ${jsonText(text)}`,
      why: `the known ones are ${Object.keys(scoringRules).join(', ')}, each with or without a half-life in comparisons`,
      fix: 'Write a name, or a name and a half-life from 1 to 999999999, for example "wilson;halfLife=20"',
    },
    [{ path: '/rule', message: 'is not a scoring rule' }],
  );
