import { escapePointerToken, isJsonObject } from '#lib/kernel';
import { KEYWORDS, type Schema } from './keywords.js';

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isJsonObject(value);
}

/** The subschemas in a keyword's value, each with its pointer from the keyword. */
export function subschemasOf(keyword: string, value: unknown): readonly (readonly [string, unknown])[] {
  switch (KEYWORDS[keyword]?.form) {
    case 'schema':
      return [['', value]];
    case 'schemaOrSchemas':
      return Array.isArray(value) ? listed(value) : [['', value]];
    case 'schemas':
      return Array.isArray(value) ? listed(value) : [];
    case 'schemasByName':
    case 'schemasByPattern':
      return isJsonObject(value) ? named(value) : [];
    case 'schemasOrTextsByName':
      return isJsonObject(value) ? named(value).filter(([, member]) => !Array.isArray(member)) : [];
    default:
      return [];
  }
}

function listed(values: readonly unknown[]): [string, unknown][] {
  return values.map((value, index) => [`/${index}`, value]);
}

function named(values: object): [string, unknown][] {
  return Object.entries(values).map(([name, value]) => [`/${escapePointerToken(name)}`, value]);
}
