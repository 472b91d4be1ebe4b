import { describe, expect, it } from '@jest/globals';
import { checkArguments, takesNoArguments } from './check-arguments.js';

const parameters = {
  type: 'object',
  properties: { why: { type: 'string', minLength: 3 }, n: { enum: [1, 2] } },
  required: ['why'],
  additionalProperties: false,
};

describe('checkArguments', () => {
  it('finds nothing in arguments that fit, and in any arguments when there are no parameters', () => {
    expect(checkArguments({ parameters }, { why: 'because', n: 2 })).toEqual({ errors: [], count: 0 });
    expect(checkArguments({}, { anything: [1] }).count).toBe(0);
  });

  it('lists errors as pointer, keyword and what the keyword asked for, without lists of allowed values', () => {
    expect(checkArguments({ parameters }, { n: 3, 'a/b': 1 })).toStrictEqual({
      errors: [
        { path: '', keyword: 'required', params: { missingProperty: 'why' } },
        { path: '', keyword: 'additionalProperties', params: { additionalProperty: 'a/b' } },
        { path: '/n', keyword: 'enum', params: {} },
      ],
      count: 3,
    });
  });

  it('X-T6: takes absent arguments for an empty object', () => {
    expect(checkArguments({ parameters }, undefined).errors).toMatchObject([{ keyword: 'required' }]);
  });

  it('lets nothing that is not a JSON object fit, even without parameters', () => {
    expect(checkArguments({}, 'malformed').errors).toEqual([
      { path: '', keyword: 'type', params: { type: 'object' } },
    ]);
  });
});

describe('takesNoArguments', () => {
  it('is so of a tool without parameters, or without properties in them', () => {
    expect(takesNoArguments({})).toBe(true);
    expect(takesNoArguments({ parameters: { type: 'object', properties: {} } })).toBe(true);
    expect(takesNoArguments({ parameters })).toBe(false);
  });
});
