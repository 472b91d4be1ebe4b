import { describe, expect, it } from '@jest/globals';
import { flow, InvalidDirective } from './flow.js';

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
});
