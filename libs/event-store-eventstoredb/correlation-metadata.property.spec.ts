import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { withCorrelation, withoutCorrelation } from './correlation-metadata.js';

const STREAM = 'redial_session-a';
const names = fc.constantFrom(
  'occurredAt',
  'correlationId',
  'causationId',
  '$correlationId',
  '$causationId',
  'other',
);
const values = fc.oneof(fc.constantFrom('a', '"', '\\', ','), fc.integer(), fc.constant(null));
const objects = fc
  .array(fc.tuple(names, values), { maxLength: 6 })
  .map((members) => `{${members.map(([name, value]) => `"${name}":${JSON.stringify(value)}`).join(',')}}`);

describe('correlation metadata', () => {
  it('puts our ids where the tools of EventStoreDB look for them', () => {
    const stored = withCorrelation('{ "correlationId":"a\\"b", "causationId":"c" }', STREAM);
    expect(JSON.parse(stored)).toEqual({
      $correlationId: 'a"b',
      $causationId: 'c',
      correlationId: 'a"b',
      causationId: 'c',
    });
  });

  it('takes the ids that an event leaves out from the name of its stream', () => {
    expect(withCorrelation('{"occurredAt":"now"}', STREAM)).toBe(
      '{"$correlationId":"a","$causationId":"a","occurredAt":"now"}',
    );
  });

  it('leaves texts without ids as they are', () => {
    for (const text of ['', '{}', '[1]', 'no JSON', ' {"correlationId":"a"}', '{"correlationId":1}']) {
      expect(withCorrelation(text, STREAM)).toBe(text);
    }
  });

  it('gives every text back to the letter, also one that looks like its own work', () => {
    const texts = fc.oneof(
      objects,
      objects.map((text) => withCorrelation(text, STREAM)),
      fc.json(),
      fc.string(),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(withoutCorrelation(withCorrelation(text, STREAM), STREAM)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });
});
