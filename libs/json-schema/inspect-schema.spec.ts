import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import { DefinitionSchemas } from './definition-schemas.js';
import { inspectSchema } from './inspect-schema.js';
import { limits } from './limits.js';

const paths = (schema: JsonObject) => inspectSchema(schema).map(({ path }) => path);

describe('inspectSchema', () => {
  it('finds nothing in a schema that can be used, and leaves annotations alone', () => {
    expect(
      inspectSchema({ type: 'object', title: 5, 'x-hint': {}, properties: { a: { format: 'odd' } } }),
    ).toEqual([]);
  });

  it('points at every keyword with a value of another form', () => {
    expect(
      paths({
        type: ['string', 'text'],
        properties: { a: { minimum: '1' }, b: 5 },
        required: 'a',
        anyOf: [],
        items: [{}],
        minLength: -1,
      }),
    ).toEqual([
      '/type',
      '/properties/b',
      '/required',
      '/anyOf',
      '/items',
      '/minLength',
      '/properties/a/minimum',
    ]);
  });

  it('X-S1: refuses patterns that are not regular, by pointer', () => {
    const schema = {
      properties: { 'a/b': { pattern: '(?=x)' }, c: { pattern: '(x)\\1' } },
      patternProperties: { '(': {} },
    };
    expect(paths(schema)).toEqual([
      '/patternProperties/(',
      '/properties/a~1b/pattern',
      '/properties/c/pattern',
    ]);
    expect(paths({ pattern: '^[\\u4e00-\\u9fa5]+\\/(?<year>\\d{4})$' })).toEqual([]);
  });

  it('X-S1: refuses patterns that are large once they are compiled', () => {
    expect(paths({ pattern: '(a{1000}){1}'.repeat(60) })).toEqual(['/pattern']);
    expect(paths({ pattern: `[${'['.repeat(100_000)}` })).toEqual(['/pattern']);
    expect(paths({ pattern: '^.{1,500}$' })).toEqual([]);
  });

  it('X-S1: refuses references that double, and a schema that refers to itself for the same value, at the keyword', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 24 }, (_, n) => [
        `s${n}`,
        { anyOf: [{ $ref: `#/$defs/s${n + 1}` }, { $ref: `#/$defs/s${n + 1}` }] },
      ]),
    );
    expect(paths({ properties: { x: { $ref: '#/$defs/s0' } }, $defs: { ...doubling, s24: {} } })).toEqual([
      '/properties/x/$ref',
    ]);
    expect(paths({ allOf: [{ not: { $ref: '#' } }] })).toEqual(['/allOf/0']);
    expect(paths({ properties: { next: { $ref: '#' } } })).toEqual([]);
  });

  it('refuses references that lead nowhere or elsewhere, and those whose target is not fixed', () => {
    expect(paths({ $ref: '#/$defs/none' })).toEqual(['/$ref']);
    expect(paths({ items: { $ref: 'https://example.org/x' } })).toEqual(['/items/$ref']);
    expect(paths({ items: { $dynamicRef: '#x' } })).toEqual(['/items/$dynamicRef']);
  });

  it('looks at schemas that only a reference leads to', () => {
    expect(paths({ $ref: '#/x-schemas/a', 'x-schemas': { a: { type: 'strin' } } })).toEqual(['/$ref/type']);
  });

  it('X-S3: refuses more bytes, levels and keywords than the limits', () => {
    expect(paths({ description: 'x'.repeat(limits.schemaBytes) })).toEqual(['']);
    const deep = (levels: number): JsonObject => (levels === 0 ? {} : { not: deep(levels - 1) });
    expect(paths(deep(limits.schemaDepth + 1))).not.toEqual([]);
    expect(paths(deep(limits.schemaDepth - 1))).toEqual([]);
    expect(paths(deep(limits.schemaDepth * 3))).toEqual(['']);
    const many = Object.fromEntries(Array.from({ length: limits.keywords }, (_, n) => [`a${n}`, 0]));
    expect(paths(many)).toEqual([]);
    expect(paths({ ...many, one: 0 })).toEqual(['']);
  });

  it('X-S3: counts keywords and patterns of all schemas of a definition together', () => {
    const beside = new DefinitionSchemas();
    const inspect = (n: number) => inspectSchema({ pattern: `^${n}.{1,400}$` }, { beside });
    const refused = Array.from({ length: 100 }, (_, n) => inspect(n).length).indexOf(1);
    expect(refused).toBeGreaterThan(5);
    expect(refused).toBeLessThan(30);
    expect(inspect(0)).toEqual([]);
  });
});
