import { describe, expect, it } from '@jest/globals';
import { checkArguments } from './check-arguments.js';

const parameters = {
  type: 'object',
  properties: {
    why: { type: 'string', minLength: 3 },
    when: { type: 'string', format: 'date' },
    n: { enum: [1, 2] },
  },
  required: ['why'],
  additionalProperties: false,
};

describe('checkArguments', () => {
  it('finds nothing in arguments that fit', () => {
    expect(checkArguments(parameters, { why: 'because', when: '2024-02-29', n: 2 })).toEqual([]);
  });

  it('gives every error, as pointer, keyword and what the keyword asked for', () => {
    expect(checkArguments(parameters, { when: '2023-02-29', n: 3, 'a/b': 1 })).toStrictEqual([
      { path: '', keyword: 'required', params: { missingProperty: 'why' } },
      { path: '', keyword: 'additionalProperties', params: { additionalProperty: 'a/b' } },
      { path: '/when', keyword: 'format', params: { format: 'date' } },
      { path: '/n', keyword: 'enum', params: { allowedValues: [1, 2] } },
    ]);
  });

  it('gives the same again for an equal schema, and changes neither schema nor arguments', () => {
    const args = Object.freeze({ why: 1 });
    const copy = { ...parameters };
    expect(checkArguments(copy, args)).toEqual(checkArguments(parameters, args));
    expect(copy).toEqual(parameters);
  });

  it('does not coerce, and fills no defaults in', () => {
    const args = {};
    expect(checkArguments({ properties: { a: { type: 'number', default: 1 } } }, args)).toEqual([]);
    expect(args).toEqual({});
    expect(checkArguments({ properties: { a: { type: 'number' } } }, { a: '1' })).toHaveLength(1);
  });

  it('does not take inherited members for arguments', () => {
    expect(checkArguments({ type: 'object', required: ['toString', 'constructor'] }, {})).toHaveLength(2);
  });

  it('keeps schemas apart that use the same $id', () => {
    const named = (type: string) => ({
      $id: 'https://example.org/a',
      properties: { x: { $ref: '#/$defs/x' } },
      $defs: { x: { $id: 'https://example.org/x', type } },
    });
    expect(checkArguments(named('string'), { x: 1 })).toHaveLength(1);
    expect(checkArguments(named('number'), { x: 1 })).toEqual([]);
  });

  it.each([
    ['does not compile', { $ref: '#/nowhere' }],
    ['is no schema', { type: 'strin' }],
    ['would answer later', { $async: true, type: 'object' }],
    ['refers to itself without end', { allOf: [{ $ref: '#' }] }],
  ])('says that a schema cannot be used that %s', (_, unusable) => {
    expect(checkArguments(unusable, {})).toStrictEqual([{ path: '', keyword: 'parameters', params: {} }]);
  });
});
