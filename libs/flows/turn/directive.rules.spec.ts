import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Directive } from '../agent/directive-definition.js';
import { type Emitted, mergeDirectives, positionOf } from './directive.rules.js';

const position = fc.constantFrom<Directive>(
  { goTo: 'f' },
  { goTo: { flow: 'g', carry: 'reset' } },
  { goToStep: 's' },
  { complete: true },
  { abort: 'enough' },
  { reset: true },
  {},
);
const json = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer(), { noNullPrototype: true });
const directive = fc
  .tuple(
    position,
    fc.record(
      {
        reply: fc.string(),
        dataUpdate: json,
        contextUpdate: json,
        appendPrompt: fc.array(fc.string(), { maxLength: 2 }),
        injectTools: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
        halt: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([at, rest]): Directive => ({ ...at, ...rest }));
const emitted = fc
  .array(directive)
  .map((all) => all.map((one, index): Emitted => ({ source: String(index), directive: one })));

const STRENGTH = { abort: 3, complete: 2, flow: 1, step: 1, reset: 0 };

describe('directives that meet in one phase of a turn (F-35)', () => {
  it('lead to the strongest position, of equals to the last', () => {
    fc.assert(
      fc.property(emitted, (all) => {
        const placed = all.flatMap((one) => {
          const at = positionOf(one.directive);
          return at ? [{ at, one }] : [];
        });
        const most = Math.max(...placed.map(({ at }) => STRENGTH[at.to]));
        const expected = placed.findLast(({ at }) => STRENGTH[at.to] === most);
        expect(mergeDirectives(all, 'before').position).toBe(expected?.one);
      }),
    );
  });

  it('merge updates in their order, whatever became of positions; the last reply is said', () => {
    fc.assert(
      fc.property(emitted, fc.constantFrom('before' as const, 'after' as const), (all, phase) => {
        const directives = all.map((one) => one.directive);
        const merged = mergeDirectives(all, phase);
        expect(merged.dataUpdate).toEqual(Object.assign({}, ...directives.map((one) => one.dataUpdate)));
        expect(merged.contextUpdate).toEqual(
          Object.assign({}, ...directives.map((one) => one.contextUpdate)),
        );
        expect(merged.reply).toBe(directives.findLast((one) => one.reply !== undefined)?.reply);
      }),
    );
  });

  it('F-36: append prompts with duplicates, inject each tool once, and halt together; after the model none of it', () => {
    fc.assert(
      fc.property(emitted, (all) => {
        const directives = all.map((one) => one.directive);
        const before = mergeDirectives(all, 'before');
        expect(before.appendPrompt).toEqual(directives.flatMap((one) => one.appendPrompt ?? []));
        expect(before.injectTools).toHaveLength(new Set(before.injectTools).size);
        expect(new Set(before.injectTools)).toEqual(
          new Set(directives.flatMap((one) => one.injectTools ?? [])),
        );
        expect(before.halt).toBe(directives.some((one) => one.halt === true));
        expect(mergeDirectives(all, 'after')).toMatchObject({
          appendPrompt: [],
          injectTools: [],
          halt: false,
        });
      }),
    );
  });

  it('are the same merged at once and in two parts, but for tools', () => {
    fc.assert(
      fc.property(emitted, emitted, (one, two) => {
        const whole = mergeDirectives([...one, ...two], 'after');
        const [first, second] = [mergeDirectives(one, 'after'), mergeDirectives(two, 'after')];
        expect(whole.dataUpdate).toEqual({ ...first.dataUpdate, ...second.dataUpdate });
        expect(whole.reply).toBe(second.reply ?? first.reply);
      }),
    );
  });

  it('F-30, F-31, F-32: an abort clears the conversation only where it says so', () => {
    expect(positionOf({ abort: 'x' })).toEqual({ to: 'abort', reason: 'x', clearSession: false });
    expect(positionOf({ abort: { reason: 'x' } })).toMatchObject({ clearSession: false });
    expect(positionOf({ abort: { reason: 'x', clearSession: true } })).toMatchObject({ clearSession: true });
    expect(positionOf({ goTo: 'f' })).toEqual({ to: 'flow', flow: 'f' });
    expect(positionOf({ goToStep: { step: 's', flow: 'f' } })).toEqual({ to: 'step', step: 's', flow: 'f' });
    expect(positionOf({ reset: { step: 's', clearData: true } })).toEqual({
      to: 'reset',
      step: 's',
      clearData: true,
    });
  });
});
