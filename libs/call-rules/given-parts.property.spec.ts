import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { RunGiven } from '#lib/workflow';
import { type Json, type JsonObject, jsonText } from '#lib/kernel';
import { referred, referring } from './given-parts.rules.js';

const jsonObjects = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>;
const long = fc.string({ minLength: 80, maxLength: 200 });
const contexts = fc.record({
  round: fc.record({ id: fc.string(), history: fc.array(long), scores: jsonObjects }),
  more: jsonObjects,
}) as fc.Arbitrary<{ readonly round: JsonObject; readonly more: JsonObject }>;
const GIVEN: RunGiven = {
  input: { examples: ['x'.repeat(100)] },
  facts: {},
  context: { round: { history: ['y'.repeat(200)] } },
};

describe('a member that a request holds by reference', () => {
  it('is restored byte for byte for all inputs', () => {
    fc.assert(
      fc.property(contexts, jsonObjects, jsonObjects, fc.jsonValue(), (context, input, extra, other) => {
        const facts = { examples: context.more };
        const given = { input: { ...input, extra }, facts, context } as RunGiven;
        const values: readonly Json[] = [
          context,
          context.round,
          { ...context.round, extra },
          { ...extra, ...context.round },
          { again: context.round['history'] ?? null, extra },
          { ...context.round, again: context.more },
          extra,
          other,
        ];
        for (const value of values) {
          const request = JSON.parse(
            jsonText(referring({ name: 'f', input: value }, 'input', given)),
          ) as JsonObject;
          expect(jsonText(referred(request, 'input', given))).toBe(jsonText(value));
        }
      }),
    );
  });

  it('costs the same however long that is which the run was given', () => {
    const size = (chars: number) => {
      const context = { round: { history: 'x'.repeat(chars) } };
      const facts = { scores: 'z'.repeat(chars) };
      const given = { input: { examples: 'y'.repeat(chars) }, facts, context };
      const { examples } = given.input;
      const input = { ...context.round, again: context.round, examples, scores: facts.scores };
      return jsonText(referring({ input }, 'input', given)).length;
    };
    expect(size(100_000)).toBe(size(1_000));
  });

  it('stands whole when a reference would be no shorter, or there is nothing to refer to', () => {
    const short = { input: { round: { a: 1 } } };
    expect(referring(short, 'input', { input: null, facts: {}, context: { round: { a: 1 } } })).toBe(short);
    const own = { input: { text: 'z'.repeat(500) } };
    expect(referring(own, 'input', GIVEN)).toBe(own);
  });

  it('is refused when the run was given something else than when the call was requested', () => {
    const request = referring({ input: GIVEN.context }, 'input', GIVEN);
    const changed = { ...GIVEN, context: { round: { history: ['other'] } } };
    expect(() => referred(request, 'input', changed)).toThrow('not the one that was requested');
  });
});
