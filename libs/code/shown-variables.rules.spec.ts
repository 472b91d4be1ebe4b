import { describe, expect, it } from '@jest/globals';
import type { Json } from '#lib/kernel';
import { shownVariables } from './shown-variables.rules.js';

/** `let x = 1; for (…) x = [x, x]`: a table of few values, and a tree of 2 to the power of `levels`. */
function doubled(levels: number): readonly Json[] {
  const arrays = Array.from({ length: levels }, (_, below) => [
    'array',
    2,
    [
      ['0', below],
      ['1', below],
    ],
  ]);
  return [['json', 1], ...arrays];
}

const truncated = {
  truncated: true,
  bytes: expect.any(Number),
  preview: expect.stringMatching(/^.{1,2000}$/s),
};

describe('shown variables', () => {
  it('shows values that JSON does not have, and what is inside itself', () => {
    const table: Json = [
      [
        'object',
        [
          ['when', 1],
          ['self', 0],
          ['at', 2],
          ['n', 4],
        ],
      ],
      ['date', 5],
      ['map', [[3, 3]]],
      ['json', 'a'],
      ['bigint', '7'],
      ['date', 1e300],
    ];
    const names: Json = [
      ['x', 0],
      ['y', 5],
    ];
    expect(shownVariables({ names, table })).toEqual({
      x: { when: '1970-01-01T00:00:00.005Z', self: '[circular]', at: [['a', 'a']], n: '7' },
      y: 'Invalid Date',
    });
  });

  it('truncates a variable whose tree has 2^30 values, and shows the others', () => {
    const levels = 30;
    const names: Json = [
      ['x', levels],
      ['small', 1],
    ];
    const { x, small } = shownVariables({ names, table: doubled(levels) });
    expect([x, small]).toEqual([truncated, [1, 1]]);
  });

  it('has a bound for all variables together, even when each shares one long value', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => [`x${index}`, index % 2 ? 31 : 30]);
    const table: Json = [...doubled(30), ['json', 'a'.repeat(1_000_000)]];
    const shown = Object.values(shownVariables({ names, table }));
    expect(shown).toHaveLength(10_000);
    expect(shown.slice(0, 2)).toEqual([truncated, truncated]);
    expect(shown[1]).toMatchObject({ bytes: 1_000_001 });
  });

  it('shows 1 MiB of all together', () => {
    const names = Array.from({ length: 6 }, (_, index) => [`x${index}`, 0]);
    const shown = shownVariables({ names, table: [['json', 'a'.repeat(200_000)]] });
    expect(Object.values(shown).map((one) => typeof one)).toEqual([
      ...Array.from({ length: 5 }, () => 'string'),
      'object',
    ]);
  });
});
