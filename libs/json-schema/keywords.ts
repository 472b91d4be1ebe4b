import type { Json } from '#lib/kernel';

/** A schema: an object of keywords, `true`, which every value fits, or `false`, which no value fits. */
export type Schema = boolean | { readonly [keyword: string]: Json | undefined };
export type SchemaObject = Exclude<Schema, boolean>;

/** The form of a keyword's value. */
export type Form =
  | 'flag'
  | 'number'
  | 'positive'
  | 'count'
  | 'text'
  | 'texts'
  | 'textsByName'
  | 'types'
  | 'pattern'
  | 'list'
  | 'any'
  | 'schema'
  | 'schemas'
  | 'schemaOrSchemas'
  | 'schemasByName'
  | 'schemasByPattern'
  | 'schemasOrTextsByName';

/** `place`: whether the subschemas apply to the same value as the schema that holds them, to members of it, or to no value by themselves. */
interface Keyword {
  readonly form: Form;
  readonly place?: 'here' | 'inside' | 'nowhere';
}

const here = (form: Form): Keyword => ({ form, place: 'here' });
const inside = (form: Form): Keyword => ({ form, place: 'inside' });
const nowhere = (form: Form): Keyword => ({ form, place: 'nowhere' });
const plain = (form: Form): Keyword => ({ form });

/** Every keyword with a meaning, in the order in which a value is checked. All others are annotations. */
export const KEYWORDS: { readonly [keyword: string]: Keyword } = {
  $id: plain('text'),
  $anchor: plain('text'),
  $defs: nowhere('schemasByName'),
  definitions: nowhere('schemasByName'),
  type: plain('types'),
  nullable: plain('flag'),
  $ref: plain('text'),
  enum: plain('list'),
  const: plain('any'),
  maximum: plain('number'),
  minimum: plain('number'),
  exclusiveMaximum: plain('number'),
  exclusiveMinimum: plain('number'),
  multipleOf: plain('positive'),
  maxLength: plain('count'),
  minLength: plain('count'),
  pattern: plain('pattern'),
  format: plain('text'),
  maxItems: plain('count'),
  minItems: plain('count'),
  uniqueItems: plain('flag'),
  maxContains: plain('count'),
  minContains: plain('count'),
  maxProperties: plain('count'),
  minProperties: plain('count'),
  required: plain('texts'),
  dependentRequired: plain('textsByName'),
  not: here('schema'),
  anyOf: here('schemas'),
  oneOf: here('schemas'),
  allOf: here('schemas'),
  if: here('schema'),
  then: here('schema'),
  else: here('schema'),
  dependencies: here('schemasOrTextsByName'),
  dependentSchemas: here('schemasByName'),
  propertyNames: inside('schema'),
  additionalProperties: inside('schema'),
  properties: inside('schemasByName'),
  patternProperties: inside('schemasByPattern'),
  prefixItems: inside('schemas'),
  items: inside('schemaOrSchemas'),
  additionalItems: inside('schema'),
  contains: inside('schema'),
  unevaluatedItems: inside('schema'),
  unevaluatedProperties: inside('schema'),
};
