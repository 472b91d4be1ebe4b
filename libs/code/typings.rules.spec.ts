import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import { tool } from './testing/code-history.js';
import { declarations } from './prompt.js';
import { typeOf } from './typings.rules.js';

const order: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 1, description: 'Its number */ and\nmore' },
    state: { enum: ['open', 'paid', null] },
    lines: { type: 'array', items: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/line' }] }, maxItems: 9 },
    'at-night': { type: 'boolean', nullable: true, default: false },
  },
  required: ['id', 'lines'],
  additionalProperties: false,
  $defs: { line: { type: 'object', properties: { sku: { const: 'a' } }, required: ['sku'] } },
};

describe('types of JSON Schemas', () => {
  it('L-20: has descriptions, rules, optional members, enums, arrays of unions, and what is referred to', () => {
    expect(typeOf(order)).toBe(
      '{ /* Its number * / and more; integer; minimum 1 */ id: number; state?: "open" | "paid" | null; ' +
        '/* maxItems 9 */ lines: (string | { sku: "a" })[]; /* default false */ "at-night"?: boolean | null }',
    );
  });

  it.each<[JsonObject, string]>([
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ oneOf: [{ const: 1 }, { type: 'string' }] }, '1 | string'],
    [
      {
        allOf: [
          { type: 'object', properties: { a: {} } },
          { type: 'object', properties: { b: {} } },
        ],
      },
      '{ a?: unknown } & { b?: unknown }',
    ],
    [
      { type: 'array', items: { allOf: [{ type: 'object', properties: { a: {} } }, { enum: ['}'] }] } },
      '({ a?: unknown } & "}")[]',
    ],
    [
      { type: 'array', prefixItems: [{ type: 'number' }], items: { type: 'string' } },
      '[number, ...string[]]',
    ],
    [{ type: 'array', items: [{ type: 'number' }], additionalItems: false }, '[number]'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [name: string]: number }'],
    [{ type: 'object', additionalProperties: false }, '{}'],
    [{ properties: { a: false }, anyOf: [{}, { type: 'string' }] }, '{ a?: never }'],
    [{}, 'unknown'],
  ])('L-20: %j is %s', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it('a schema that refers to itself has a type of bounded length', () => {
    const properties = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`p${n}`, { $ref: '#' }]));
    expect(typeOf({ type: 'object', properties }).length).toBeLessThan(50_000);
  });
});

describe('declarations', () => {
  it('L-24 L-26: declares functions without what is given to each call, and objects with what may be written', () => {
    const pay = { ...tool('pay'), parameters: order };
    const find = { path: 'find', tool: tool('find', {}, { type: 'string' }), inputs: {} };
    const calls = [find, { path: 'cart.pay', tool: pay, inputs: { id: 1, lines: [], state: 'open' } }];
    const cart = {
      name: 'cart',
      description: 'What is bought',
      properties: [
        { name: 'total', value: 5 },
        { name: 'lines', value: [], writable: true, description: 'In order', schema: { type: 'array' } },
      ],
    };
    expect(declarations(calls, [cart]))
      .toBe(`/** Does find */ declare function find(input: { /* integer */ order: number }): Promise<string>;
/** What is bought */ declare const cart: {
  readonly total: number;
  /** In order */ lines: unknown[];
  /** Does pay */ pay(input?: { /* default false */ "at-night"?: boolean | null }): Promise<unknown>;
};`);
  });
});
