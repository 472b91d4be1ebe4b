import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { clerk, booking, help, scores } from '../testing/booking.js';
import { Allowance, type JsonObject } from '#lib/kernel';
import { evaluate as evaluateWithin, expressionProblem } from './expression.rules.js';

const evaluate = (text: string, of: JsonObject) => evaluateWithin(text, of, new Allowance());

const values = {
  data: { name: 'Ann', count: 5, list: [1, 2], none: null },
  context: {},
  session: { currentFlow: 'booking' },
  history: [{ role: 'user', content: 'hello' }],
};

describe('expressions (F-24)', () => {
  it.each([
    ['data.count == 5 && data.name.startsWith("A")', true],
    ['has(data.missing)', false],
    ['data.none == null', true],
    ['2 in data.list && size(data.list) == 2', true],
    ['history.exists(one, one.content.contains("ell"))', true],
    ['history.all(one, one.content != one.role && data.count == 5 && one.role in ["user"])', true],
    ['string(data.count) in ["5"] && data.name != data.count', true],
    ['session.currentFlow == "booking" ? data.count > 3 : false', true],
  ])('%s', (text, expected) => {
    expect(expressionProblem(text, false)).toBeUndefined();
    expect(evaluate(text, values)).toBe(expected);
  });

  it.each(['data.missing == 1', 'data.name + 1 == 2', 'data.constructor == null', 'data.list[9] == 1'])(
    'fail when something is missing or of another type: %s',
    (text) => expect(evaluate(text, values)).toBeUndefined(),
  );

  it.each([
    ['data.', 'is no CEL'],
    ['nothing', 'Unknown variable'],
    ['args.order == 1', 'Unknown variable'],
    ['1 + 1', 'gives int'],
    ['data.name.matches("(a+)+")', 'calls matches'],
    ['timestamp("2020-01-01T00:00:00Z") == context.now', 'calls timestamp'],
    ['data.list.map(one, one) == []', 'calls map'],
    ['history.all(a, history.all(b, a == b))', 'has a loop in the loop over a'],
    ['history.all(h, data.items == data.other)', 'reads data for each h of a loop (==)'],
    ['history.all(h, h.role != data.name)', 'reads data for each h of a loop (!=)'],
    ['history.all(h, "a" in data.list)', 'reads data for each h of a loop (in)'],
    ['history.all(h, h.role + data.name < "a")', 'reads data for each h of a loop (+)'],
    ['history.all(h, size(data.name) > 1)', 'reads data for each h of a loop (size)'],
    ['(data.list + data.list).all(h, h == 1)', 'loops over a value that is not a variable'],
    ['data.name.contains(data.name)', 'calls contains with other than a literal'],
    [`data.name.contains("${'a'.repeat(201)}")`, 'calls contains with other than a literal'],
    ['data.item in data.list', 'has in without a literal'],
    [Array.from({ length: 300 }, () => 'true').join(' && '), 'is no CEL'],
  ])('are refused in a definition: %s', (text, why) => {
    expect(expressionProblem(text, false)).toContain(why);
  });

  it('give nothing when a loop over their values has more than 20,000 steps', () => {
    const expr = 'data.lists["all"].all(one, one == 1)';
    const listOf = (length: number) => ({
      ...values,
      data: { lists: { all: Array.from({ length }, () => 1) } },
    });
    expect(evaluate(expr, listOf(6_666))).toBe(true);
    expect(evaluate(expr, listOf(6_667))).toBeUndefined();
  });

  it('give the same for the same values, whatever text they are', () => {
    const part = fc.constantFrom(
      'data',
      '.count',
      '==',
      '5',
      '(',
      ')',
      ' && ',
      '!',
      'has',
      '[',
      ']',
      'history',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        expect(evaluate(text, values)).toEqual(evaluate(text, values));
      }),
    );
  });

  it('stand where predicates stand, and ask nothing', () => {
    const flows = [{ ...booking, if: { expr: 'data.count > 1' } }, help];
    const story = clerk({ flows });
    story.say('x', { ...scores({ booking: 90, help: 10 }), extract: { count: 2 } });
    expect(story.asked).toEqual(['extract', 'route', 'respond']);
    expect(story.conversation.position).toMatchObject({ flowId: 'booking' });
    expect(() => clerk({ flows: [{ ...help, if: { expr: 'data.' } }] })).toThrow('/flows/0/if/expr');
  });
});
