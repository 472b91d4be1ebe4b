import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';

/** Words by which a schema of objects says which members may stand in them. */
const ABOUT_MEMBERS = ['additionalProperties', 'allOf', 'anyOf', 'oneOf', 'patternProperties', 'properties'];
/** Words that hold values, and no schemas. */
const VALUES = new Set(['const', 'default', 'enum', 'example', 'examples']);

/**
 * The same document, in which each schema of an object without a word about its members allows all: JSON Schema means that, but
 * generators of clients read silence as no members.
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
