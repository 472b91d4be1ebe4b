import { escapePointerToken, isJsonObject, type JsonObject } from '#lib/kernel';
import { isOfType } from './assertions.js';
import type { SchemaObject } from './keywords.js';
import { subschemasOf } from './subschemas.js';

const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/**
 * The pointer to the reason why no value fits a schema; `undefined` if one may. Finds mistakes (limits that cross, a required property that is not
 * allowed, types that exclude each other), and does not follow references. For a schema without problems.
 */
export function impossibleAt(schema: unknown): string | undefined {
  if (schema === false) return '';
  if (!isJsonObject(schema)) return undefined;
  const { not } = schema;
  if (not === true || (isJsonObject(not) && Object.keys(not).length === 0)) return '/not';
  return impossibleValues(schema) ?? impossibleBranch(schema) ?? impossibleTypes(schema);
}

function impossibleValues(schema: SchemaObject): string | undefined {
  const keyword = 'const' in schema ? 'const' : 'enum';
  const values: unknown = keyword === 'const' ? [schema['const']] : schema['enum'];
  if (!Array.isArray(values)) return undefined;
  const types = 'type' in schema ? typesOf(schema) : TYPES;
  return values.some((value) => types.some((type) => isOfType(value, type))) ? undefined : `/${keyword}`;
}

function impossibleBranch(schema: SchemaObject): string | undefined {
  const pointers = (keyword: string) =>
    subschemasOf(keyword, schema[keyword]).map(([pointer, branch]) => {
      const within = impossibleAt(branch);
      return within === undefined ? undefined : `/${keyword}${pointer}${within}`;
    });
  const all = pointers('allOf').find((pointer) => pointer !== undefined);
  if (all !== undefined) return all;
  return ['anyOf', 'oneOf']
    .find((keyword) => keyword in schema && pointers(keyword).every((one) => one !== undefined))
    ?.replace(/^/, '/');
}

function impossibleTypes(schema: SchemaObject): string | undefined {
  const parts = [schema, ...subschemasOf('allOf', schema['allOf']).map(([, part]) => part)];
  const named = parts.flatMap((part) => (isJsonObject(part) && 'type' in part ? [typesOf(part)] : []));
  const allowed = TYPES.filter((type) => named.every((types) => types.includes(type)));
  if (allowed.length === 0) return '/type';
  const reasons = allowed.map((type) => reasonAgainst(type, schema));
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}

function typesOf({ type, nullable }: SchemaObject): readonly string[] {
  const types = [type].flat() as string[];
  return [...types, ...(types.includes('number') ? ['integer'] : []), ...(nullable === true ? ['null'] : [])];
}

/** The limits of a type, lower before upper. */
const LIMITS: { readonly [type: string]: readonly (readonly [string, string])[] } = {
  number: [
    ['minimum', 'maximum'],
    ['exclusiveMinimum', 'exclusiveMaximum'],
  ],
  string: [['minLength', 'maxLength']],
  array: [['minItems', 'maxItems']],
  object: [['minProperties', 'maxProperties']],
};

function reasonAgainst(type: string, schema: SchemaObject): string | undefined {
  const crossed = (LIMITS[type === 'integer' ? 'number' : type] ?? []).find(
    ([lower, upper]) => Number(schema[lower] ?? -Infinity) > Number(schema[upper] ?? Infinity),
  );
  if (crossed) return `/${crossed[0]}`;
  return type === 'object' ? impossibleProperty(schema) : undefined;
}

function impossibleProperty(schema: SchemaObject): string | undefined {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema;
  const known = properties as JsonObject;
  for (const [index, name] of (required as string[]).entries()) {
    if (Object.hasOwn(known, name)) {
      const within = impossibleAt(known[name]);
      if (within !== undefined) return `/properties/${escapePointerToken(name)}${within}`;
    } else if (additionalProperties === false && patternProperties === undefined) return `/required/${index}`;
  }
  return undefined;
}
