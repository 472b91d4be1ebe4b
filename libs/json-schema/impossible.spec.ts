import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { checkValue } from './check-value.js';
import { impossibleAt } from './impossible.js';
import { inspectSchema } from './inspect-schema.js';
import { schemas, smallValues } from './testing/arbitrary-schema.js';

describe('impossibleAt', () => {
  it.each([
    [{ not: {} }, '/not'],
    [{ enum: [] }, '/enum'],
    [{ type: 'string', enum: [1, 2] }, '/enum'],
    [{ type: 'integer', minimum: 5, maximum: 2 }, '/minimum'],
    [{ type: 'object', properties: { a: false }, required: ['a'] }, '/properties/a'],
    [{ type: 'object', required: ['b'], properties: { a: {} }, additionalProperties: false }, '/required/0'],
    [
      {
        type: 'object',
        properties: { 'a/b': { type: 'string', minLength: 3, maxLength: 1 } },
        required: ['a/b'],
      },
      '/properties/a~1b/minLength',
    ],
    [{ allOf: [{ type: 'string' }, { type: 'number' }] }, '/type'],
    [{ anyOf: [{ not: true }, { enum: [] }] }, '/anyOf'],
  ])('X-D5: points at what nothing can satisfy: %j', (schema, pointer) => {
    expect(impossibleAt(schema)).toBe(pointer);
  });

  it.each([
    [{ minimum: 5, maximum: 2 }],
    [{ type: ['string', 'integer'], minimum: 5, maximum: 2 }],
    [{ type: 'object', properties: { a: false } }],
    [{ allOf: [{ type: 'number' }, { type: 'integer' }] }],
    [{ enum: [1, 'x'], type: 'string' }],
  ])('finds nothing where some value fits: %j', (schema) => {
    expect(impossibleAt(schema)).toBeUndefined();
  });

  it('X-D5: never says so of a schema that a value fits', () => {
    fc.assert(
      fc.property(schemas, smallValues, (schema, value) => {
        if (inspectSchema(schema).length > 0 || checkValue(schema, value).count > 0) return;
        expect({ schema, value, at: impossibleAt(schema) }).toEqual({ schema, value, at: undefined });
      }),
      { numRuns: 2_000 },
    );
  });
});
