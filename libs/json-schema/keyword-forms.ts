import { isJsonObject } from '#lib/kernel';
import type { Form } from './keywords.js';
import { isSchema } from './subschemas.js';

/** The JSON types that `type` can name. */
const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

const isText = (value: unknown) => typeof value === 'string';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isType = (value: unknown) => isText(value) && TYPES.includes(value);

/** The form that a keyword's value must have, and the message for it. Subschemas are checked separately. */
const FORMS: { readonly [form in Form]: readonly [fits: (value: unknown) => boolean, needed: string] } = {
  flag: [(value) => typeof value === 'boolean', 'a boolean'],
  number: [(value) => typeof value === 'number', 'a number'],
  positive: [(value) => typeof value === 'number' && value > 0, 'a number above 0'],
  count: [(value) => Number.isInteger(value) && (value as number) >= 0, 'a whole number from 0'],
  text: [isText, 'a string'],
  texts: [(value) => isTexts(value) && new Set(value).size === value.length, 'a list of different strings'],
  textsByName: [
    (value) => isJsonObject(value) && Object.values(value).every(isTexts),
    'an object of lists of strings',
  ],
  types: [
    (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    `one of ${TYPES.join(', ')}, or a list of these`,
  ],
  pattern: [isText, 'a string'],
  list: [Array.isArray, 'a list'],
  any: [() => true, 'any value'],
  schema: [isSchema, 'a schema: an object or a boolean'],
  schemas: [(value) => Array.isArray(value) && value.length > 0, 'a list of at least one schema'],
  schemaOrSchemas: [(value) => isSchema(value) || Array.isArray(value), 'a schema: an object or a boolean'],
  schemasByName: [isJsonObject, 'an object of schemas'],
  schemasByPattern: [isJsonObject, 'an object of schemas'],
  schemasOrTextsByName: [
    (value) =>
      isJsonObject(value) && Object.values(value).every((one) => !Array.isArray(one) || isTexts(one)),
    'an object of schemas or lists of strings',
  ],
};

/** The problem of a value for a keyword of this form; `undefined` for a valid one. */
export function formProblem(form: Form, value: unknown): string | undefined {
  const [fits, needed] = FORMS[form];
  return fits(value) ? undefined : `must be ${needed}`;
}
