import { describe, expect, it } from '@jest/globals';
import { overTime } from './over-time.js';

const line = (day: string, state: string, by: object) => ({
  day,
  state,
  humanDecisions: 0,
  agreedDecisions: 0,
  aiDecisions: 0,
  operatorDecisions: 0,
  timerDecisions: 0,
  ...by,
});

describe('decisions over time', () => {
  it('has each day between the first and the last one, the same for every state', () => {
    const lines = [
      line('2026-01-03', 'triage', { aiDecisions: 2, agreedDecisions: 1 }),
      line('2026-01-01', 'review', { humanDecisions: 4 }),
    ];
    const none = { people: 0, agreement: 0, models: 0 };
    const [first, second, third] = ['2026-01-01', '2026-01-02', '2026-01-03'].map((from) => ({
      from,
      ...none,
    }));
    expect(overTime(lines)).toEqual({
      days: 1,
      states: [
        { state: 'review', periods: [{ ...first, people: 4 }, second, third] },
        { state: 'triage', periods: [first, second, { ...third, models: 2, agreement: 1 }] },
      ],
    });
  });

  it('takes longer periods where days are many, and loses no decision', () => {
    for (const [last, days] of [
      ['2026-02-14', 1],
      ['2026-03-01', 7],
      ['2027-06-01', 28],
      ['2060-01-01', 364],
    ] as const) {
      const all = [line('2026-01-01', 'a', { humanDecisions: 1 }), line(last, 'a', { aiDecisions: 2 })];
      const { days: length, states } = overTime(all);
      const periods = states[0]?.periods ?? [];
      expect(length).toBe(days);
      expect(periods.length).toBeLessThanOrEqual(45);
      expect([periods[0]?.people, periods.at(-1)?.models]).toEqual([1, 2]);
    }
  });

  it('counts no transitions of operators and timers, and is empty without a decision', () => {
    expect(overTime([]).states).toEqual([]);
    expect(overTime([line('2026-01-01', 'a', { operatorDecisions: 3, timerDecisions: 1 })]).states).toEqual(
      [],
    );
  });
});
