import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type JsonObject, jsonText } from '#lib/kernel';
import { argumentsOf, evolveArguments, noArguments, referringToReply } from './asked-arguments.rules.js';
import { parseReplyObject } from './parse-reply-json.js';

/** The replies in which a model asks for tools with these texts as arguments. */
function asked(texts: readonly string[], stepId = 'round-1#1', before = noArguments) {
  const calls = texts.map((text) => ({
    id: 'c',
    type: 'function',
    function: { name: 'find', arguments: text },
  }));
  const message = { role: 'assistant', content: null, tool_calls: calls };
  const body = { encoding: 'utf8', content: jsonText({ choices: [{ message }] }), sha256: '' };
  return evolveArguments(before, { type: 'LlmCallCompleted', data: { stepId, body } });
}

const objects = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>;
const texts = fc.oneof(
  fc.tuple(objects, fc.constantFrom(0, 2)).map(([value, indent]) => JSON.stringify(value, null, indent)),
  fc.string(),
);
const LONG = jsonText({ note: 'n'.repeat(2_000) });
const from = { reply: 'round-1#1', call: 1 };
const callOf = (argumentsText: string) => ({
  arguments: parseReplyObject(argumentsText) ?? {},
  argumentsText,
  argumentsFrom: from,
});

describe('the arguments of a call that a reply asks for', () => {
  it('are restored exactly, with the text of the model, for all values and all edits of a person', () => {
    fc.assert(
      fc.property(texts, fc.option(objects, { nil: undefined }), (text, changed) => {
        const known = asked([text]);
        const call = { ...callOf(text), ...(changed && { arguments: changed }) };
        const request = JSON.parse(jsonText(referringToReply(call, known))) as JsonObject;
        const again = argumentsOf(request, known);
        expect(jsonText(again.arguments)).toBe(jsonText(call.arguments));
        expect(again.argumentsText).toBe(text);
      }),
    );
  });

  it('are recorded by reference where they are long, and as they are where they are short', () => {
    expect(referringToReply(callOf(LONG), asked([LONG]))).toEqual({
      argumentsFrom: from,
      argumentsSha256: expect.any(String),
    });
    const short = '{"order":7}';
    expect(referringToReply(callOf(short), asked([short]))).toEqual({
      arguments: { order: 7 },
      argumentsText: short,
    });
  });

  it('are recorded whole when the reply is missing or has others', () => {
    for (const known of [noArguments, asked(['{}']), asked([LONG], 'round-2#1')]) {
      const { argumentsFrom: _, ...whole } = callOf(LONG);
      expect(referringToReply(callOf(LONG), known)).toEqual(whole);
    }
  });

  it('are refused when the reply holds others than when the call was requested', () => {
    const request = referringToReply(callOf(LONG), asked([LONG]));
    const other = asked([jsonText({ note: 'm'.repeat(2_000) })]);
    expect(() => argumentsOf(request, other)).toThrow('not those that were requested');
  });

  it('are known of the newest replies, so that memory is bounded', () => {
    let known = noArguments;
    for (let round = 1; round <= 100; round++) known = asked([LONG], `round-${round}#1`, known);
    expect([...known.keys()].at(-1)).toBe('round-100#1');
    expect(known.size).toBeLessThan(20);
  });
});
