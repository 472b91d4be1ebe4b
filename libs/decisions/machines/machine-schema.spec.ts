import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { machineSchema } from './machine-schema.js';

describe('machineSchema', () => {
  it('is a JSON Schema of draft 2020-12 that any validator can use as plain JSON', () => {
    const published: unknown = JSON.parse(JSON.stringify(machineSchema));
    expect(published).toEqual(machineSchema);
    const validate = new Ajv2020({ strict: false }).compile(machineSchema);
    expect(validate({ machineName: 'm', initialState: 'a', defaultState: 'a', states: { a: {} } })).toBe(
      true,
    );
    expect(validate({ machineName: 'm', initialState: 'a', states: { a: {} } })).toBe(false);
  });
});
