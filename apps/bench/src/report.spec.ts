import { describe, expect, it } from '@jest/globals';
import type { Observation } from './comparison.js';
import type { Measured } from './measure.js';
import { reportJson, resultsDocument, updated } from './report-json.js';
import { reportTable } from './report-table.js';
import { missed } from './results.js';

const measured: Measured = {
  name: 'append',
  compared: 'this / that',
  unit: 'events',
  blocks: 4,
  oursPerSecond: 12_345.6,
  barePerSecond: 30_000,
  ratio: 0.412,
  spread: [0.4, 0.42],
};

const observation: Observation = { name: 'tick-p99', value: 12.345, unit: 'ms', observed: 'one step' };

describe('the report', () => {
  it('lines up as a table', () => {
    const text = reportTable({
      measured: [measured, { ...measured, name: 'b', goal: 0.5 }, { ...measured, goal: 0.4 }],
      observations: [],
    });
    expect(text.split('\n')).toEqual([
      'name    ours/s  bare/s  ratio     spread  goal          compared: ours / bare',
      'append  12,346  30,000   0.41  0.40–0.42     –          events: this / that',
      'b       12,346  30,000   0.41  0.40–0.42  0.50  missed  events: this / that',
      'append  12,346  30,000   0.41  0.40–0.42  0.40  met     events: this / that',
      '',
    ]);
  });

  it('shows what was observed in a table of its own, after the comparisons', () => {
    const small = { ...observation, name: 'call', value: 0.001234 };
    const table = [
      'name       value  unit  at most          observed',
      'tick-p99   12.35  ms      10.00  missed  one step',
    ];
    const observed = [...table, 'call      0.0012  ms          –          one step', ''].join('\n');
    const bounded = { ...observation, atMost: 10 };
    expect(reportTable({ measured: [], observations: [bounded, small] })).toBe(observed);
    const text = reportTable({
      measured: [{ ...measured, ratio: 0.00051 }],
      observations: [bounded, small],
    });
    expect(text.split('\n').slice(0, 4)).toEqual([
      'name    ours/s  bare/s    ratio     spread  goal    compared: ours / bare',
      'append  12,346  30,000  0.00051  0.40–0.42     –    events: this / that',
      '',
      table[0],
    ]);
  });

  it('names what missed its goal', () => {
    const results = {
      measured: [
        { ...measured, goal: 0.5 },
        { ...measured, name: 'fast', goal: 0.4 },
      ],
      observations: [observation, { ...observation, name: 'slow', atMost: 12 }],
    };
    expect(missed(results)).toEqual(['append', 'slow']);
  });

  it('is one JSON document, which says whether a goal was met', () => {
    const results = { measured: [measured, { ...measured, goal: 0.5 }], observations: [observation] };
    expect(JSON.parse(reportJson(resultsDocument(results)))).toMatchObject({
      results: [measured, { ...measured, goal: 0.5, met: false }],
      observations: [observation],
    });
  });

  it('of a release has the newest result of each name', () => {
    const first = { ...observation, name: 'first' };
    const before = resultsDocument({ measured: [measured], observations: [first, observation] });
    const newer = { ...observation, value: 10 };
    const now = resultsDocument({ measured: [], observations: [newer] });
    expect(updated(before, now)).toMatchObject({ results: [measured], observations: [first, newer] });
  });
});
