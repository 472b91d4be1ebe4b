import { isJsonObject, type Json, type JsonObject, jsonText } from '#lib/kernel';

const DEEPEST = 8;
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** A JSON Schema as a type of TypeScript, for a model to read: what TypeScript cannot say is left out. */
export function typeOf(schema: Json | undefined, depth = 0): string {
  if (!isJsonObject(schema) || depth > DEEPEST) return schema === false ? 'never' : 'unknown';
  const { const: only, enum: listed, anyOf, oneOf, allOf, type } = schema;
  if (only !== undefined) return jsonText(only);
  if (Array.isArray(listed)) return union(listed.map((one: Json) => jsonText(one)));
  for (const choice of [anyOf, oneOf])
    if (Array.isArray(choice)) return union(choice.map((one: Json) => typeOf(one, depth + 1)));
  if (Array.isArray(allOf)) return allOf.map((one: Json) => grouped(typeOf(one, depth + 1))).join(' & ');
  if (Array.isArray(type)) return union(type.map((one: Json) => typeOf({ ...schema, type: one }, depth)));
  return named(schema, type, depth);
}

function named(schema: JsonObject, type: Json | undefined, depth: number): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return `${grouped(typeOf(schema['items'], depth + 1))}[]`;
    case 'object':
      return objectType(schema, depth);
    default:
      return schema['properties'] === undefined ? 'unknown' : objectType(schema, depth);
  }
}

function objectType({ properties, required, additionalProperties }: JsonObject, depth: number): string {
  const needed = Array.isArray(required) ? (required as readonly Json[]) : [];
  const members = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) => {
    const key = IDENTIFIER.test(name) ? name : jsonText(name);
    return `${comment(schema)}${key}${needed.includes(name) ? '' : '?'}: ${typeOf(schema, depth + 1)}`;
  });
  if (members.length > 0) return `{ ${members.join('; ')} }`;
  if (additionalProperties === false) return '{}';
  return `{ [name: string]: ${typeOf(isJsonObject(additionalProperties) ? additionalProperties : undefined, depth + 1)} }`;
}

function comment(schema: Json | undefined): string {
  const { description } = isJsonObject(schema) ? schema : {};
  return typeof description === 'string' && description !== '' ? `/* ${oneLine(description)} */ ` : '';
}

/** A description in a comment: on one line, and without its end. */
export function oneLine(text: string): string {
  return text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();
}

function union(types: readonly string[]): string {
  return [...new Set(types)].map(grouped).join(' | ') || 'never';
}

function grouped(type: string): string {
  return / [|&] /.test(type) && !type.startsWith('{') ? `(${type})` : type;
}
