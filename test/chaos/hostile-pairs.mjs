// Plain JavaScript: `search-pairs.mjs` runs it outside of Jest, where generating is several times as fast.
import * as fc from 'fast-check';

/** @typedef {import('#lib/kernel').Json} Json */
/** @typedef {import('#lib/kernel').JsonObject} JsonObject */

/**
 * A schema that an author may write, and arguments that a model may answer.
 * @typedef {{ readonly schema: JsonObject, readonly value: Json }} HostilePair
 */

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
/** @param {number} size */
const range = (size) => Array.from({ length: size }, (_, index) => index);
/**
 * @param {number} size
 * @param {(index: number) => Json} member
 * @returns {JsonObject}
 */
const named = (size, member) => Object.fromEntries(range(size).map((index) => [`m${index}`, member(index)]));

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

/** @type {fc.LetrecValue<{ schema: JsonObject }>} */
const schemas = fc.letrec((tie) => {
  const inner = tie('schema');
  const few = fc.array(inner, { minLength: 1, maxLength: 4 });
  return {
    schema: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      leaves,
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

/**
 * References that double at each level of the value.
 * @param {number} levels
 * @param {JsonObject} leaf
 * @returns {JsonObject}
 */
function doubling(levels, leaf) {
  const level = (/** @type {number} */ n) => ({
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

/** @type {fc.LetrecValue<{ value: Json }>} */
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    texts,
    fc.constantFrom(null, true, 0, 1.5, 1e300),
    fc.tuple(sizes, tie('value')).map(([size, one]) => range(copies(size, one)).map(() => one)),
    sizes.map((size) => range(size).map((index) => ({ a: index, b: [index] }))),
    sizes.map((size) => named(size, (index) => index)),
    fc.tuple(sizes, tie('value')).map(([size, one]) => named(copies(size, one), () => one)),
    fc
      .integer({ min: 1, max: 90 })
      .map((depth) => range(depth).reduce((inside) => [inside, 1], /** @type {Json} */ ([]))),
  ),
}));

/**
 * So that a value stays within what a reply holds.
 * @param {number} size
 * @param {Json} one
 */
function copies(size, one, bytes = 1_000_000) {
  return Math.max(1, Math.min(size, Math.floor(bytes / (JSON.stringify(one).length + 8))));
}

/** @type {fc.Arbitrary<HostilePair>} */
export const hostilePairs = fc
  .tuple(schemas.schema, values.value, fc.boolean())
  .map(([schema, value, whole]) =>
    whole && typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { schema: { type: 'object', ...schema }, value }
      : { schema: { type: 'object', properties: { x: schema } }, value: { x: value } },
  );
