import { describe, expect, it } from '@jest/globals';
import type { Measured } from './measure.js';
import { reportJson } from './report-json.js';
import { reportTable } from './report-table.js';

const measured: Measured = {
  name: 'append',
  compared: 'this / that',
  unit: 'events',
  blocks: 4,
  oursPerSecond: 12_345.6,
  barePerSecond: 30_000,
  ratio: 0.412,
};

describe('the report', () => {
  it('lines up as a table', () => {
    const text = reportTable([measured, { ...measured, name: 'b', goal: 0.5 }, { ...measured, goal: 0.4 }]);
    expect(text.split('\n')).toEqual([
      'name    ours/s  bare/s  ratio  goal          compared: ours / bare',
      'append  12,346  30,000   0.41     –          events: this / that',
      'b       12,346  30,000   0.41  0.50  missed  events: this / that',
      'append  12,346  30,000   0.41  0.40  met     events: this / that',
      '',
    ]);
  });

  it('is one JSON document, which says whether a goal was met', () => {
    const { results } = JSON.parse(reportJson([measured, { ...measured, goal: 0.5 }])) as {
      results: unknown[];
    };
    expect(results).toEqual([measured, { ...measured, goal: 0.5, met: false }]);
  });
});
