import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Directive } from '../agent/directive-definition.js';
import { flow, InvalidDirective } from './flow.js';

const positions: readonly Directive[] = [
  {},
  { goTo: 'a', reason: 'why' },
  { goToStep: { step: 's' } },
  { complete: {} },
  { complete: { next: { goTo: 'b' } } },
  { abort: { reason: 'enough' } },
  { reset: {} },
  { reset: { clearData: true } },
];
const updates = fc.record(
  {
    reply: fc.string(),
    dataUpdate: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer(), { noNullPrototype: true }),
    appendPrompt: fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }),
    injectTools: fc.uniqueArray(fc.constantFrom('x', 'y'), { maxLength: 2 }),
    halt: fc.boolean(),
  },
  { requiredKeys: [] },
);
const valid = fc.tuple(fc.constantFrom(...positions), updates).map(([at, { reply, ...rest }]): Directive => ({
  ...at,
  ...rest,
  ...(reply !== undefined && at.abort === undefined && { reply }),
}));

describe('directives as values', () => {
  it('F-33: any object that is no list may be one', () => {
    expect([{}, { goTo: 'x' }, null, [], 'x'].map(flow.isDirective)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it.each<[string, object, string]>([
    ['two positions', { goTo: 'a', reset: true }, 'has goTo and reset'],
    ['an empty target', { goTo: {} }, '/goTo'],
    ['a reply beside abort', { abort: 'enough', reply: 'Bye' }, '/reply stands beside abort'],
    ['an unknown member', { goto: 'a' }, 'additionalProperties'],
  ])('F-33: one with %s is not valid', (_, directive, why) => {
    expect(() => {
      flow.validate(directive);
    }).toThrow(InvalidDirective);
    expect(() => {
      flow.validate(directive);
    }).toThrow(why);
  });

  it('F-33: a valid one may name any flow: that is checked where it is applied', () => {
    expect(() => {
      flow.validate({ goTo: { flow: 'nowhere' }, reply: 'One moment' });
    }).not.toThrow();
  });

  it('F-35: of several the strongest position counts, the last reply, and all updates', () => {
    const merged = flow.merge(
      { goTo: 'a', reply: 'First', dataUpdate: { x: 1, y: 1 }, appendPrompt: ['p'] },
      { complete: true, reason: 'done', dataUpdate: { y: 2 }, appendPrompt: ['p'], halt: true },
      { reset: true, reply: 'Last', injectTools: ['t'] },
    );
    expect(merged).toEqual({
      complete: true,
      reason: 'done',
      reply: 'Last',
      dataUpdate: { x: 1, y: 2 },
      appendPrompt: ['p', 'p'],
      injectTools: ['t'],
      halt: true,
    });
    expect(flow.merge()).toEqual({});
  });

  it('F-35: an abort takes the replies of the others away, and a position that is an empty object stays', () => {
    expect(flow.merge({ abort: 'enough' }, { reply: 'Bye' })).toEqual({ abort: 'enough' });
    expect(flow.merge({ reset: {}, dataUpdate: {} })).toEqual({ reset: {} });
  });

  it('F-35: of valid ones it is valid, and merged again the same', () => {
    fc.assert(
      fc.property(fc.array(valid), (all) => {
        const merged = flow.merge(...all);
        expect(() => {
          flow.validate(merged);
        }).not.toThrow();
        expect(flow.merge(merged)).toEqual(merged);
      }),
    );
  });
});
