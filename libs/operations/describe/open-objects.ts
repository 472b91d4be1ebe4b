import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';

/** The keywords of a schema that describe the members of an object. */
const ABOUT_MEMBERS = ['additionalProperties', 'allOf', 'anyOf', 'oneOf', 'patternProperties', 'properties'];
/** The keywords whose values are no schemas. */
const VALUES = new Set(['const', 'default', 'enum', 'example', 'examples']);

/**
 * The same document, with `additionalProperties: true` in each object schema that has no keyword about members. JSON Schema means the same,
 * but generators of clients take such an object to have no members.
 */
export function withOpenObjects<Document>(document: Document): Document {
  return opened(document as Json) as Document;
}

function takesObjects({ type }: JsonObject): boolean {
  return Array.isArray(type) ? type.includes('object') : type === 'object';
}

function opened(value: Json): Json {
  if (Array.isArray(value)) return value.map(opened);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    VALUES.has(name) || member === undefined ? member : opened(member),
  ]);
  const isSilent = takesObjects(value) && !ABOUT_MEMBERS.some((word) => word in value);
  return {
    ...(Object.fromEntries(members) as typeof value),
    ...(isSilent && { additionalProperties: true }),
  };
}
