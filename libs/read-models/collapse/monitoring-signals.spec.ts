import { describe, expect, it } from '@jest/globals';
import { monitoringSignals, type RecentDecision, type SignalNumbers } from './monitoring-signals.js';

const ai: RecentDecision = {
  isHuman: false,
  state: 's',
  margin: 0.9,
  threshold: 0.2,
  scores: [{ specialistId: 'a', specialistVersion: 1, score: 0.7 }],
};
const human: RecentDecision = { ...ai, isHuman: true, margin: null };
const thin: RecentDecision = { ...ai, margin: 0.3 };
const times = (count: number, one: RecentDecision) => Array.from({ length: count }, () => one);
/** Decisions with a higher score each time. */
const learning = (count: number, one = ai) =>
  times(count, one).map((each, n) => ({
    ...each,
    scores: [{ specialistId: 'a', specialistVersion: 1, score: n / 100 }],
  }));

const calm: SignalNumbers = { comparisons: 9, bestAlignment: 0.7, proposers: 2, recent: [] };
const codes = (over: Partial<SignalNumbers>) =>
  monitoringSignals({ ...calm, ...over }).map(({ code, level }) => `${code} ${level}`);

describe('the signals of a machine', () => {
  it('are none when nothing is to be said', () => {
    expect(codes({})).toEqual([]);
    expect(codes({ recent: [...learning(9), human] })).toEqual([]);
  });

  it.each<[string, Partial<SignalNumbers>, readonly string[]]>([
    ['no specialist was ever compared', { comparisons: 0, bestAlignment: 0 }, ['COLD_START action']],
    ['one proposer is left', { proposers: 1 }, ['SINGLE_SPECIALIST warning']],
    ['none is left', { proposers: 0 }, []],
    ['the best alignment is low', { bestAlignment: 0.49 }, ['LOW_ALIGNMENT warning']],
    ['the best alignment is a half', { bestAlignment: 0.5 }, []],
    ['the best alignment is 0 after comparisons', { bestAlignment: 0 }, []],
    [
      'X-T4: a winner had 9 comparisons',
      { recent: [{ ...ai, winnerComparisons: 9 }] },
      ['FEW_COMPARISONS warning'],
    ],
    ['X-T4: a winner had 10', { recent: [{ ...ai, winnerComparisons: 10 }] }, []],
    ['X-T4: a person agreed with a winner of 0', { recent: [{ ...human, winnerComparisons: 0 }] }, []],
    ['ten decisions needed no person', { recent: learning(10) }, ['FULL_COLLAPSE info']],
    ['nine decisions needed no person', { recent: learning(9) }, []],
    ['one of ten needed a person', { recent: [...learning(9), human] }, []],
    ['no score has changed', { recent: [...times(9, ai), human] }, ['ALIGNMENT_PLATEAU info']],
    ['no score has changed over nine', { recent: times(9, ai) }, []],
    [
      'no score has changed in either of two states',
      { recent: [...times(5, human), ...times(5, { ...ai, state: 't', scores: [] })] },
      ['ALIGNMENT_PLATEAU info'],
    ],
  ])('D-47: where %s', (_, numbers, expected) => {
    expect(codes(numbers)).toEqual(expected);
  });

  it('D-47: give the same score for every order of the scores', () => {
    const scores = [
      { specialistId: 'a', specialistVersion: 1, score: 0.7 },
      { specialistId: 'b', specialistVersion: 1, score: 0.2 },
    ];
    const recent = [
      ...times(5, { ...human, scores }),
      ...times(5, { ...human, scores: scores.toReversed() }),
    ];
    expect(codes({ recent })).toEqual(['ALIGNMENT_PLATEAU info']);
  });

  it.each<[string, readonly RecentDecision[], boolean]>([
    ['more than half are thin', [thin, thin, ai], true],
    ['half are thin', [thin, ai], false],
    ['those of people do not count', [thin, human, human], true],
    ['the margin is just within', [{ ...ai, margin: 0.8, threshold: 0.7 }], true],
    ['the margin is wider', [{ ...ai, margin: 0.301 }], false],
    ['a margin of 1 meets the highest threshold', [{ ...ai, margin: 1, threshold: 1 }], false],
    ['none was measured', [{ ...ai, margin: null }], false],
  ])('D-47: know a thin margin where %s', (_, recent, expected) => {
    expect(codes({ recent }).includes('THIN_MARGIN warning')).toBe(expected);
  });

  it('D-47: compare a margin with its own threshold, and with none when none is recorded', () => {
    const { threshold: _, ...unknown } = thin;
    expect(codes({ recent: [unknown] })).toEqual([]);
    expect(codes({ recent: [{ ...thin, threshold: 0.1 }] })).toEqual([]);
  });

  it('come with the most urgent first, and say it in a sentence', () => {
    const recent = times(10, { ...thin, scores: [{ specialistId: 'a', specialistVersion: 1, score: 0.3 }] });
    const signals = monitoringSignals({ comparisons: 0, bestAlignment: 0.3, proposers: 1, recent });
    expect(signals.map(({ code }) => code)).toEqual([
      'COLD_START',
      'SINGLE_SPECIALIST',
      'LOW_ALIGNMENT',
      'THIN_MARGIN',
      'FULL_COLLAPSE',
      'ALIGNMENT_PLATEAU',
    ]);
    for (const { text } of signals) expect(text).toMatch(/^[A-Z0-9].+\.$/);
  });
});
