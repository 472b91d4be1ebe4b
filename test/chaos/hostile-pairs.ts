import * as fc from 'fast-check';
import type { Json, JsonObject } from '#lib/kernel';

/** A schema that an author may write, and arguments that a model may answer. */
export interface HostilePair {
  readonly schema: JsonObject;
  readonly value: Json;
}

const PATTERNS = [
  '^(a+)+$',
  '(a|aa)*b',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(x+x+)+y',
  '^.{1,400}$',
  '(.*a){12}',
  '\\p{L}+\\p{N}*$',
  '[^b]{0,300}c',
];
const FORMATS = ['email', 'uri', 'date-time', 'ipv6', 'hostname', 'regex', 'uuid', 'iri'];

const sizes = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 40 }) },
  { weight: 3, arbitrary: fc.integer({ min: 40, max: 600 }) },
  { weight: 1, arbitrary: fc.integer({ min: 600, max: 20_000 }) },
);
const range = (size: number) => Array.from({ length: size }, (_, index) => index);
const named = (size: number, member: (index: number) => Json): JsonObject =>
  Object.fromEntries(range(size).map((index) => [`m${index}`, member(index)]));

/** Keywords that apply to whatever they meet, most with more work the larger the schema is. */
const leaves = fc.oneof(
  fc.constantFrom(...PATTERNS).map((pattern) => ({ pattern })),
  fc.constantFrom(...FORMATS).map((format) => ({ format })),
  sizes.map((size) => ({ enum: range(Math.min(size, 3_000)).map((index) => [index, { a: index }]) })),
  sizes.map((size) => ({ const: range(Math.min(size, 3_000)) })),
  sizes.map((size) => ({ required: range(Math.min(size, 3_000)).map((index) => `m${index}`) })),
  fc.constant({ uniqueItems: true }),
  fc.constant({ type: 'string', minLength: 3, maxLength: 5 }),
  fc.constantFrom({}, { not: {} }, { type: ['object', 'array'] }, { additionalProperties: false }),
);

const schemas = fc.letrec<{ schema: JsonObject }>((tie) => {
  const inner = tie('schema');
  const few = fc.array(inner, { minLength: 1, maxLength: 4 });
  return {
    schema: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      leaves as fc.Arbitrary<JsonObject>,
      inner.map((schema) => ({ items: schema })),
      inner.map((schema) => ({ additionalProperties: schema })),
      inner.map((schema) => ({ propertyNames: schema, unevaluatedProperties: false })),
      inner.map((schema) => ({ contains: schema, minContains: 2 })),
      inner.map((schema) => ({ not: schema })),
      few.map((all) => ({ allOf: all })),
      few.map((any) => ({ anyOf: any })),
      few.map((one) => ({ oneOf: one, unevaluatedItems: false })),
      fc.tuple(inner, inner).map(([test, then]) => ({ if: test, then, else: { items: test } })),
      fc.tuple(fc.constantFrom(...PATTERNS), inner).map(([pattern, schema]) => ({
        patternProperties: { [pattern]: schema },
      })),
      fc
        .tuple(sizes, inner)
        .map(([size, schema]) => ({ properties: named(copies(size, schema, 250_000), () => schema) })),
      fc.tuple(fc.integer({ min: 1, max: 24 }), inner).map(([levels, schema]) => doubling(levels, schema)),
      inner.map((schema) => ({
        anyOf: [schema, { items: { $ref: '#' } }, { additionalProperties: { $ref: '#' } }],
      })),
    ),
  };
});

/** References that double at each level of the value. */
function doubling(levels: number, leaf: JsonObject): JsonObject {
  const level = (n: number) => ({
    anyOf: [{ items: { $ref: `#/$defs/s${n}` } }, { items: { $ref: `#/$defs/s${n}` } }],
  });
  const defs = Object.fromEntries(range(levels).map((n) => [`s${n}`, n + 1 < levels ? level(n + 1) : leaf]));
  return { ...level(0), $defs: defs };
}

const texts = fc.oneof(
  sizes.map((size) => `${'a'.repeat(size)}!`),
  sizes.map((size) => 'x'.repeat(size * 10)),
  sizes.map((size) => 'ab'.repeat(size)),
  fc.constantFrom('', 'a@b.c', '2026-01-01T00:00:00Z', '::1'),
);

const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    texts,
    fc.constantFrom(null, true, 0, 1.5, 1e300),
    fc.tuple(sizes, tie('value')).map(([size, one]) => range(copies(size, one)).map(() => one)),
    sizes.map((size) => range(size).map((index) => ({ a: index, b: [index] }))),
    sizes.map((size) => named(size, (index) => index)),
    fc.tuple(sizes, tie('value')).map(([size, one]) => named(copies(size, one), () => one)),
    fc.integer({ min: 1, max: 90 }).map((depth) => range(depth).reduce<Json>((inside) => [inside, 1], [])),
  ),
}));

/** So that a value stays within what a reply holds. */
function copies(size: number, one: Json, bytes = 1_000_000): number {
  return Math.max(1, Math.min(size, Math.floor(bytes / (JSON.stringify(one).length + 8))));
}

export const hostilePairs: fc.Arbitrary<HostilePair> = fc
  .tuple(schemas.schema, values.value, fc.boolean())
  .map(([schema, value, whole]) =>
    whole && typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { schema: { type: 'object', ...schema }, value }
      : { schema: { type: 'object', properties: { x: schema } }, value: { x: value } },
  );
