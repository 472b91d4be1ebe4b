import { describe, expect, it } from '@jest/globals';
import { parseScoringRule, scoringRuleText } from './scoring-rule-text.js';

describe('parseScoringRule', () => {
  it.each([
    ['wilson', { name: 'wilson' }],
    ['ratio', { name: 'ratio' }],
    ['wilson;halfLife=20', { name: 'wilson', halfLife: 20 }],
    ['ratio;halfLife=1', { name: 'ratio', halfLife: 1 }],
  ])('reads %s, and it is written the same', (text, rule) => {
    const read = parseScoringRule(text);
    expect(read).toStrictEqual(rule);
    expect(scoringRuleText(rule as Parameters<typeof scoringRuleText>[0])).toBe(text);
  });

  it.each([
    '',
    'Wilson',
    'constructor',
    '__proto__',
    'wilson;',
    'wilson ;halfLife=2',
    'wilson;halfLife=0',
    'wilson;halfLife=-1',
    'wilson;halfLife=2.5',
    'wilson;halfLife=1e3',
    'wilson;halfLife=1234567890',
    'wilson;halflife=20',
    'wilson;halfLife=20;halfLife=20',
    'wilson\n',
  ])('refuses %j, and names the rules that are known', (text) => {
    expect(parseScoringRule(text)).toMatchObject({
      rejected: 'malformed',
      code: 'unknown-scoring-rule',
      message: expect.stringMatching(
        /^\[UnknownScoringRule\] .+: the known ones are wilson, ratio, .+\. .+\.$/,
      ),
    });
  });
});
