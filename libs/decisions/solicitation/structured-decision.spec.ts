import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import { callsOf, endOf, fallbacksOf, ladder } from './testing/ladder.js';
import { decision, httpReply, text } from './testing/scripted-replies.js';
import { enriched, type LadderStart } from './testing/ladder-start.js';

const structured: LadderStart = { modelParameters: { temperature: 0, responseFormat: 'json_schema' } };
const refund = {
  transitionName: 'refund',
  toState: 'refunded',
  reasoning: 'It broke.',
  metaJson: { amount: 5 },
};

describe('the structured rung', () => {
  it('asks for decision JSON of a schema, and offers no tools', () => {
    const events = ladder(structured).replies(decision(refund));
    const { requestBody } = callsOf(events)[0] as { requestBody: JsonObject };
    expect(Object.keys(requestBody)).toEqual(['model', 'messages', 'temperature', 'response_format']);
    expect(requestBody['response_format']).toEqual({
      type: 'json_schema',
      json_schema: {
        name: 'decision',
        schema: {
          type: 'object',
          properties: {
            transitionName: { enum: ['refund', 'escalate'] },
            toState: { enum: ['refunded', 'escalated'] },
            reasoning: { type: 'string' },
            metaJson: {
              type: 'object',
              properties: { amount: { type: 'number' } },
              required: ['amount'],
              additionalProperties: false,
            },
          },
          required: ['transitionName', 'toState', 'reasoning'],
          additionalProperties: false,
        },
      },
    });
    expect(endOf(events).data).toMatchObject({ ...refund, rung: 'structured' });
  });

  it('leaves what it cannot read to the text rung', () => {
    const events = ladder(structured).replies(text('Well.'), decision(refund));
    expect(fallbacksOf(events)).toEqual(['structured → text: not-json']);
    expect(callsOf(events)[1]?.requestBody).not.toHaveProperty('response_format');
    expect(endOf(events).data).toMatchObject({ rung: 'text' });
  });

  it.each([
    { param: 'response_format', message: 'Unknown parameter' },
    { message: 'This model does not support response_format json_schema.' },
  ])('falls back to JSON in text where the provider refuses the format: %j', (error) => {
    const start = ladder(structured);
    const events = start.replies(httpReply(400, { error }), decision(refund));
    expect(fallbacksOf(events)).toEqual(['response_format → none: format-refused']);
    expect(endOf(events).data).toMatchObject({ rung: 'structured', transitionName: 'refund' });
    const lost = ladder(structured).replies(httpReply(400, { error }), text('Well.'));
    expect(endOf(lost).data).toMatchObject({ failure: { kind: 'unreadable-decision' } });
    expect(callsOf(lost)).toHaveLength(2);
  });

  it('keeps the policy of the transition for every result of the schema', () => {
    const transitions = {
      pay: Object.assign({}, enriched['refund'], { onInvalidArguments: 'reject' as const }),
    };
    const wrong = { transitionName: 'pay', toState: 'refunded', metaJson: { amount: 'five' } };
    const events = ladder({ ...structured, transitions }).replies(decision(wrong));
    expect(endOf(events).data).toMatchObject({ failure: { kind: 'invalid-arguments' } });
  });

  it('repeats no schema with references, and names each of several', () => {
    const refers = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { type: 'number' } },
    };
    const transitions = {
      a: { target: 'x', parameters: refers },
      b: { target: 'x', parameters: { type: 'array' } },
    };
    const events = ladder({ ...structured, transitions }).replies(text('Hm.'), text('Hm.'));
    expect(JSON.stringify(callsOf(events)[0]?.requestBody)).toContain(
      '"metaJson":{"anyOf":[{"type":"object"},{"type":"object","properties":{"value":{"type":"array"}},"required":["value"],"additionalProperties":false}]}',
    );
  });
});
