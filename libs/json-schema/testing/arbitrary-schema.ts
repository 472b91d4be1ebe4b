import * as fc from 'fast-check';
import type { JsonObject } from '#lib/kernel';

const names = fc.constantFrom('a', 'b', 'c', 'ab');
const patterns = fc.constantFrom('^a', 'b$', '^[ab]+$', '.');
const types = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');
const small = fc.integer({ min: 0, max: 3 });

/** Values of a small set, so that schemas over it often hold. */
export const smallValues = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, 1.5, 2, -1, 'a', 'b', 'ab', '', '😀', '2024-02-29'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const refs = fc.constantFrom('#/$defs/x', '#/$defs/y', '#named', 'https://example.org/y', '#/properties/a');

type Entry = fc.Arbitrary<readonly [string, unknown]>;
const entry = (keyword: string, value: fc.Arbitrary<unknown>): Entry =>
  value.map((one) => [keyword, one] as const);

const plain: Entry[] = [
  entry('type', fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 }))),
  entry('enum', fc.array(smallValues, { minLength: 1, maxLength: 3 })),
  entry('const', smallValues),
  ...['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'maxLength', 'minLength'].map((keyword) =>
    entry(keyword, small),
  ),
  ...['maxItems', 'minItems', 'maxProperties', 'minProperties'].map((keyword) => entry(keyword, small)),
  entry('multipleOf', fc.constantFrom(1, 0.5, 2)),
  entry('pattern', patterns),
  entry('format', fc.constantFrom('date', 'email', 'unheard-of')),
  entry('uniqueItems', fc.boolean()),
  entry('required', fc.uniqueArray(names, { maxLength: 2 })),
  entry(
    'dependentRequired',
    fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), { maxKeys: 2, noNullPrototype: true }),
  ),
  entry('$ref', refs),
];

/**
 * Schemas of draft 2020-12 with references between them, and every keyword except `unevaluatedItems` and `unevaluatedProperties`: the other
 * implementation counts members that a failed branch has read as evaluated.
 */
export const schemas = fc.letrec((tie) => {
  const schema = tie('schema');
  const byName = fc.dictionary(names, schema, { maxKeys: 3, noNullPrototype: true });
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  const applying: Entry[] = [
    ...['not', 'then', 'else', 'propertyNames', 'additionalProperties', 'items', 'contains'].map((keyword) =>
      entry(keyword, schema),
    ),
    ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].map((keyword) => entry(keyword, list)),
    ...['properties', 'dependentSchemas'].map((keyword) => entry(keyword, byName)),
    entry('if', schema),
    entry('patternProperties', fc.dictionary(patterns, schema, { maxKeys: 2, noNullPrototype: true })),
    entry('minContains', small),
    entry('maxContains', small),
  ];
  const object = fc
    .array(fc.oneof(fc.oneof(...plain), fc.oneof(...applying)), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries) as object);
  return {
    schema: fc.oneof({ maxDepth: 4, depthSize: 'small' }, fc.boolean(), object),
    root: fc.tuple(object, object, object).map(([root, x, y]) => ({
      ...root,
      $defs: { x: { ...x, $anchor: 'named' }, y: { ...y, $id: 'https://example.org/y' } },
    })),
  };
}).root as fc.Arbitrary<JsonObject>;
