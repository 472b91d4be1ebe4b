import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as fc from 'fast-check';
import { checkValue } from './check-value.js';
import { inspectSchema } from './inspect-schema.js';
import { schemas, smallValues } from './testing/arbitrary-schema.js';

/** The answer of another implementation of the standard; `undefined` if it refuses the schema. */
function expected(schema: object, value: unknown): boolean | undefined {
  const ajv = new Ajv2020({
    strict: false,
    ownProperties: true,
    logger: false,
    meta: false,
    validateSchema: false,
  });
  formats.default(ajv);
  try {
    return ajv.compile(schema)(value);
  } catch {
    return undefined;
  }
}

/** Besides `prefixItems`, the other implementation accepts an empty array for `contains`. */
function isMisread(schema: object): boolean {
  return 'prefixItems' in schema && 'contains' in schema
    ? true
    : Object.values(schema).some(
        (member) => typeof member === 'object' && member !== null && isMisread(member as object),
      );
}

describe('checkValue beside another implementation of JSON Schema', () => {
  it('agrees on which values fit, for random schemas', () => {
    let compared = 0;
    let fitting = 0;
    fc.assert(
      fc.property(schemas, smallValues, (schema, value) => {
        if (inspectSchema(schema).length > 0 || isMisread(schema)) return;
        const verdict = expected(schema, value);
        if (verdict === undefined) return;
        compared += 1;
        if (verdict) fitting += 1;
        expect({ schema, value, fits: checkValue(schema, value).count === 0 }).toEqual({
          schema,
          value,
          fits: verdict,
        });
      }),
      { numRuns: 1_000, seed: 2020 },
    );
    expect(compared).toBeGreaterThan(400);
    expect(fitting).toBeGreaterThan(100);
  });
});
