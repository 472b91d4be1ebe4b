import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Allowance, AllowanceExceeded, type JsonObject } from '#lib/kernel';
import { ALLOWANCE, NotDerived } from '#lib/workflow';
import { conversationWith, type Story } from '../testing/story.js';
import { evaluate } from './expression.rules.js';
import { TurnWork } from './turn-work.rules.js';

const text = 'x'.repeat(1_000_000);
const flowsWith = (count: number, expr: string) =>
  Array.from({ length: count }, (_, index) => ({
    id: `flow-${index}`,
    title: `Flow ${index}`,
    if: { expr },
    steps: [{ id: 'one', prompt: 'Speak' }],
  }));

const POISONS: readonly (readonly [what: string, count: number, expr: string, context: JsonObject])[] = [
  ['+ of 80 texts of 1 MB', 250, `size(${Array(80).fill('context.s').join(' + ')}) > 0`, { s: text }],
  [
    '20 searches in a text of 1 MB',
    250,
    Array(20)
      .fill(`context.s.contains("${'x'.repeat(60)}y")`)
      .join(' || '),
    { s: text },
  ],
  [
    'small loops',
    250,
    'context.list.exists(one, one.missing == 1)',
    { list: Array.from({ length: 300 }, () => ({})) },
  ],
  [
    'lists that are equal',
    250,
    'context.a == context.b',
    { a: Array(20_000).fill(1), b: Array(20_000).fill(1) },
  ],
];

function say(story: Story, context: JsonObject) {
  return story.run('hello', {}, context);
}

describe('0.2-S1 what a turn computes itself has one allowance', () => {
  it.each(POISONS)(
    '%s: over it the expression is refused, and recorded as refused',
    (_, count, expr, context) => {
      const story = conversationWith({ flows: flowsWith(count, expr) });
      const end = say(story, context);
      expect(end).toMatchObject({
        status: 'completed',
        result: { message: 'ok', directiveChain: [{ source: 'allowance', refused: expect.any(String) }] },
      });
      const again = conversationWith({ flows: flowsWith(count, expr) });
      expect(say(again, context)).toEqual(end);
    },
  );

  it('a turn within it records nothing of it', () => {
    const story = conversationWith({ flows: flowsWith(250, 'context.s.contains("y")') });
    expect(say(story, { s: 'short' }).result).toMatchObject({ directiveChain: [] });
  });

  it.each(POISONS)(
    '%s: a turn of a release without allowances is left as it is recorded',
    (_, count, expr, context) => {
      const story = conversationWith({ flows: flowsWith(count, expr) });
      story.isGranted = false;
      expect(() => say(story, context)).toThrow(NotDerived);
    },
  );

  it('a turn of such a release that is within it is derived as it was', () => {
    const [granted, old] = [true, false].map((isGranted) => {
      const story = conversationWith({ flows: flowsWith(250, 'context.s.contains("y")') });
      story.isGranted = isGranted;
      return say(story, { s: 'short' });
    });
    expect(old).toEqual(granted);
  });

  it('spends on each computation, and refuses all of them once nothing is left', () => {
    const work = new TurnWork({ [ALLOWANCE]: { turn: { steps: 25 } } });
    let made = 0;
    const compute = (allowance: Allowance) => {
      allowance.spend(10);
      return (made += 1);
    };
    const results = [1, 2, 3, 4].map(() => work.next(compute));
    expect(results).toEqual([{ value: 1 }, { value: 2 }, 'refused', 'refused']);
  });
});

const VALUES = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.integer({ min: 0, max: 50 }),
  fc.integer({ min: 1, max: 20_000 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 1, max: 3_000 }).map((length) => Array<number>(length).fill(1)),
  fc
    .integer({ min: 1, max: 500 })
    .map((length) => Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, i]))),
);
const OPERAND = fc.constantFrom('context.a', 'context.b', '"xx"', '1', '[1]', 'size(context.a)', 'data.none');
const PART = fc.oneof(
  fc.tuple(OPERAND, fc.constantFrom('==', '<', '+', 'in', '!='), OPERAND).map((parts) => parts.join(' ')),
  fc.tuple(OPERAND, OPERAND).map(([a, b]) => `${a} + ${b} == ${b}`),
  OPERAND.map((one) => `size(${one} + ${one}) > 1`),
  OPERAND.map((one) => `${one}.contains("xxxy")`),
  fc.constantFrom('a', 'b').map((name) => `context.${name}.exists(one, one == 2 || one.k == 1)`),
);
const EXPRESSION = fc
  .array(PART, { minLength: 1, maxLength: 12 })
  .map((parts) => parts.map((one) => `(${one})`).join(' || '));

describe('0.2-S1 over random expressions and values', () => {
  it('the cost of a unit stays within its allowance, and a second run gives the same', () => {
    fc.assert(
      fc.property(
        fc.array(EXPRESSION, { minLength: 1, maxLength: 20 }),
        fc.record({ a: VALUES, b: VALUES }),
        fc.integer({ min: 100, max: 300_000 }),
        (expressions, context, steps) => {
          const values = { data: {}, context, session: {}, history: [] };
          const runs = [1, 2].map(() => {
            const allowance = new Allowance({ steps });
            let counted = 0;
            const results = expressions.map((one) => {
              const before = Math.max(0, allowance.left.steps);
              try {
                return String(evaluate(one, values, allowance));
              } catch (error) {
                if (!(error instanceof AllowanceExceeded)) throw error;
                return 'refused';
              } finally {
                counted += before - Math.max(0, allowance.left.steps);
              }
            });
            expect(counted).toBeLessThanOrEqual(steps);
            // After the first refusal all later parts are refused.
            expect(results.slice(results.indexOf('refused')).every((one) => one === 'refused')).toBe(
              results.includes('refused') || results.at(-1) === 'refused',
            );
            return results;
          });
          expect(runs[1]).toEqual(runs[0]);
        },
      ),
      { numRuns: 60 },
    );
  });

  const spent = (expr: string, context: JsonObject) => {
    const allowance = new Allowance();
    const before = allowance.left.steps;
    evaluate(expr, { data: {}, context, session: {}, history: [] }, allowance);
    return before - allowance.left.steps;
  };
  const READING = fc.constantFrom(
    'size(context.s) > 1',
    'context.s + "a" == "b"',
    'context.s.contains("y")',
    'context.s == context.t',
    'context.s < context.t',
  );
  const AROUND = fc.constantFrom(
    '_',
    '!(_)',
    '(_) ? 1 : 2',
    'context.l.exists(one, one == 2) || (_)',
    'data.none || (_)',
  );

  it('what an expression costs grows with what it reads, wherever the operator stands', () => {
    fc.assert(
      fc.property(READING, AROUND, fc.integer({ min: 1_000, max: 20_000 }), (reading, around, length) => {
        const expr = around.replaceAll('_', reading);
        const [short, long] = [length, 4 * length].map((size) => 'x'.repeat(size));
        const more =
          spent(expr, { l: [1], s: long ?? '', t: long ?? '' }) -
          spent(expr, { l: [1], s: short ?? '', t: short ?? '' });
        expect(more).toBeGreaterThan((3 * length) / 20);
      }),
    );
  });

  it('an operator costs what it reads', () => {
    const lists = { s: Array<number>(1_000).fill(1), t: Array<number>(1_000).fill(1) };
    for (const expr of [
      'size(context.s)',
      'context.s + "a" == "b"',
      'context.s.contains("y")',
      'context.s == context.t',
    ])
      expect(spent(expr, { s: text, t: text })).toBeGreaterThan(60_000);
    expect(spent('context.s == context.t', lists)).toBeGreaterThan(1_000);
    expect(spent('2 in context.s', lists)).toBeGreaterThan(1_000);
    // A comparison ends with the shorter side, and the length of a list is known.
    expect(spent('context.s == "a"', { s: text })).toBeLessThan(1_000);
    expect(spent('size(context.s) == 3', lists)).toBeLessThan(1_000);
  });
});
