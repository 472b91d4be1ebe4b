import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import { checkValue } from './check-value.js';
import { inspectSchema } from './inspect-schema.js';
import { limits } from './limits.js';
import { schemaProblem } from './schema-problem.js';

const keywords = (schema: JsonObject, value: unknown) =>
  checkValue(schema, value).errors.map(({ path, keyword }) => `${path} ${keyword}`);
const fits = (schema: JsonObject, value: unknown) => checkValue(schema, value).count === 0;
const tooLarge = [' tooLargeToCheck'];

describe('checkValue: booleans', () => {
  it('every value fits the schema true, and none the schema false', () => {
    expect(checkValue(true, null)).toEqual({ errors: [], count: 0 });
    expect(checkValue(false, 1)).toEqual({
      errors: [{ path: '', keyword: 'false schema', params: {} }],
      count: 1,
    });
    expect([inspectSchema(true), inspectSchema(false)]).toEqual([[], []]);
  });
});

describe('schemaProblem', () => {
  it.each<[JsonObject, unknown, string]>([
    [{ propertyNames: { minLength: 1 } }, { '': 1 }, '/ must have a name that is not empty'],
    [{ propertyNames: { not: { enum: ['a'] } } }, { a: 1 }, '/a is no name that is allowed here'],
    [{ anyOf: [{ minimum: 3 }, { multipleOf: 2 }] }, 1, ' fits none of the forms that are allowed here'],
    [{ oneOf: [false] }, 1, ' fits none of the forms that are allowed here'],
    [{ oneOf: [true, true] }, 1, ' fits several forms, of which only one may fit here'],
    [{ not: true }, 1, ' has a form that is not allowed here'],
  ])('says in words how %j is broken', (schema, value, text) => {
    const problems = checkValue(schema, value).errors.map(schemaProblem);
    expect(problems.map(({ path, message }) => `${path} ${message}`)).toContain(text);
  });
});

describe('checkValue: bounds', () => {
  it('X-S1: takes linear time for a pattern that backtracks without end elsewhere', () => {
    const schema = { properties: { x: { type: 'string', pattern: '^(a+)+$' } } };
    expect(keywords(schema, { x: `${'a'.repeat(50_000)}!` })).toEqual(['/x pattern']);
    expect(fits(schema, { x: 'aaaa' })).toBe(true);
  });

  it('X-S1: takes linear time for uniqueItems on objects', () => {
    const items = Array.from({ length: 10_000 }, (_, n) => ({ n, text: 'x' }));
    expect(fits({ uniqueItems: true }, items)).toBe(true);
    expect(checkValue({ uniqueItems: true }, [...items, { text: 'x', n: 7 }]).errors).toMatchObject([
      { keyword: 'uniqueItems', params: { i: 10_000, j: 7 } },
    ]);
  });

  it('X-S1: gives up, at the same step everywhere, on references that double at each level of the value', () => {
    const twice = { properties: { x: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } };
    const nested = (levels: number): JsonObject => (levels === 0 ? {} : { x: nested(levels - 1) });
    expect(fits(twice, nested(8))).toBe(true);
    expect(keywords(twice, nested(60))).toEqual(tooLarge);
    expect(checkValue(twice, nested(60))).toEqual(checkValue(twice, nested(60)));
  });

  it('X-S1: lets nothing fit a schema that doubles its references, or refers to itself for the same value', () => {
    const doubling: JsonObject = Object.fromEntries(
      Array.from({ length: 24 }, (_, n) => [
        `s${n}`,
        { allOf: [{ $ref: `#/$defs/s${n + 1}` }, { $ref: `#/$defs/s${n + 1}` }] },
      ]),
    );
    expect(keywords({ $ref: '#/$defs/s0', $defs: { ...doubling, s24: {} } }, {})).toEqual([' schema']);
    expect(keywords({ allOf: [{ $ref: '#' }] }, {})).toEqual([' schema']);
  });

  it('X-S1: does not check values over the limits of bytes and levels', () => {
    expect(keywords({ type: 'string' }, 'x'.repeat(limits.valueBytes))).toEqual(tooLarge);
    const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as unknown;
    expect(keywords({}, deep)).toEqual(tooLarge);
  });

  it('does not check what is too much work for a schema and a value that are each within their limits', () => {
    const allowed = Array.from({ length: 5_000 }, (_, n) => `value ${n}`);
    const values = Array.from({ length: 5_000 }, () => 'none of them');
    expect(keywords({ items: { enum: allowed } }, values)).toEqual(tooLarge);
    expect(checkValue({ items: { enum: allowed } }, values.slice(0, 100)).count).toBe(100);
  });

  it('takes a long text for no format', () => {
    expect(keywords({ format: 'email' }, `${'a'.repeat(3_000)}@example.org`)).toEqual([' format']);
  });
});

describe('checkValue: errors', () => {
  it('X-S2: lists the first 20 and counts the others, without lists of allowed values', () => {
    const { errors, count } = checkValue(
      { items: { enum: ['a'.repeat(100), 'b'] } },
      Array.from({ length: 5_000 }, () => 'x'),
    );
    expect(errors).toHaveLength(20);
    expect(errors[0]).toEqual({ path: '/0', keyword: 'enum', params: {} });
    expect(count).toBe(5_000);
  });

  it('X-S2: cuts the member names of a value', () => {
    const found = checkValue({ additionalProperties: false }, { ['k'.repeat(100_000)]: 1 });
    const inside = checkValue({ additionalProperties: { type: 'null' } }, { ['k'.repeat(100_000)]: 1 });
    expect(JSON.stringify([found, inside]).length).toBeLessThan(1_000);
  });

  it('says nothing of branches that fail when another one fits', () => {
    const schema = { anyOf: [{ type: 'string' }, { required: ['a'] }] };
    expect(fits(schema, 'x')).toBe(true);
  });

  it('of branches that all fail says what is wrong by the one that was meant, else one error', () => {
    const closed = (name: string) => ({
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
      additionalProperties: false,
    });
    const schema = { type: 'array', items: { anyOf: [{ type: 'string' }, closed('fn'), closed('url')] } };
    expect(keywords(schema, [{ fn: 1 }])).toEqual(['/0/fn type']);
    expect(keywords(schema, [{ fn: 'f', url: 'u' }])).toEqual(['/0 anyOf']);
    const { errors, count } = checkValue(schema, [5, 'x', {}]);
    expect(errors).toEqual([
      { path: '/0', keyword: 'type', params: { type: ['string', 'object'] } },
      { path: '/2', keyword: 'anyOf', params: {} },
    ]);
    expect(count).toBe(2);
  });

  it('keeps the keys apart that JavaScript adds to objects', () => {
    expect(keywords({ required: ['toString', 'constructor'] }, {})).toEqual([' required', ' required']);
    expect(fits({ additionalProperties: false, properties: {} }, JSON.parse('{"__proto__": 1}'))).toBe(false);
  });
});

describe('checkValue: keywords that the comparison with another implementation leaves out', () => {
  it('unevaluatedProperties counts members that fitting references and branches have evaluated', () => {
    const schema = {
      properties: { a: true },
      anyOf: [
        { properties: { b: true }, required: ['b'] },
        { properties: { c: true }, required: ['c'] },
      ],
      $ref: '#/$defs/more',
      unevaluatedProperties: false,
      $defs: { more: { patternProperties: { '^x-': true } } },
    };
    expect(fits(schema, { a: 1, b: 1, 'x-y': 1 })).toBe(true);
    expect(keywords(schema, { a: 1, b: 1, d: 1 })).toEqual([' unevaluatedProperties']);
    expect(keywords({ ...schema, not: { properties: { d: true } } }, { b: 1, d: 1 })).toContain(' not');
  });

  it('unevaluatedItems counts prefixItems, items, contains and branches that fit', () => {
    const schema = { prefixItems: [true], contains: { type: 'null' }, unevaluatedItems: { type: 'string' } };
    expect(fits(schema, [1, null, 'x'])).toBe(true);
    expect(keywords(schema, [1, null, 2])).toEqual(['/2 type']);
    expect(fits({ anyOf: [{ items: true }], unevaluatedItems: false }, [1])).toBe(true);
    expect(fits({ oneOf: [true, { items: true, minItems: 2 }], unevaluatedItems: false }, [1])).toBe(false);
  });

  it('draft 7: a list in items, additionalItems, dependencies, anchors in $id', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: { t: { items: [{ type: 'number' }], additionalItems: { $ref: '#text' } } },
      dependencies: { a: ['b'], c: { required: ['d'] } },
      definitions: { text: { $id: '#text', type: 'string' } },
    };
    expect(fits(schema, { t: [1, 'x'] })).toBe(true);
    expect(keywords(schema, { t: ['x', 1], a: 1, c: 1 })).toEqual([
      ' dependencies',
      ' required',
      '/t/0 type',
      '/t/1 type',
    ]);
  });

  it('resolves references relative to the nearest $id', () => {
    const named = (type: string) => ({
      $id: 'https://example.org/a',
      properties: { x: { $ref: 'x' }, y: { $ref: 'https://example.org/x#inner' } },
      $defs: { x: { $id: 'x', $ref: '#/$defs/it', $defs: { it: { $anchor: 'inner', type } } } },
    });
    expect(keywords(named('string'), { x: 1, y: 1 })).toEqual(['/x type', '/y type']);
    expect(fits(named('number'), { x: 1, y: 1 })).toBe(true);
  });
});

describe('checkValue: time', () => {
  const members = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${i}`, 'x']));
  const many = Array.from({ length: 400 }, (_, n) => n);

  it.each<[string, JsonObject, unknown]>([
    ['branches', { additionalProperties: { anyOf: many.map((n) => ({ const: n })) } }, members(10_000)],
    [
      'members that are looked at again',
      { allOf: many.map(() => ({ additionalProperties: true })), unevaluatedProperties: false },
      members(10_000),
    ],
    ['allowed values', { items: { enum: many } }, Array.from({ length: 50_000 }, () => 'x')],
    [
      'a large pattern',
      { items: { pattern: '(?:a?){400}z' } },
      Array.from({ length: 2_000 }, () => 'a'.repeat(200)),
    ],
  ])('X-S1: gives up soon for %s', (_, schema, value) => {
    let ms = Infinity;
    // The fastest of three: a garbage collection may fall into one.
    for (let tries = 0; tries < 3 && ms >= 500; tries += 1) {
      const before = process.cpuUsage();
      expect(keywords(schema, value)).toEqual(tooLarge);
      const { user, system } = process.cpuUsage(before);
      ms = (user + system) / 1000;
    }
    expect(ms).toBeLessThan(500);
  });
});
