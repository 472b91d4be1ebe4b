import { isJsonObject, type Json, type JsonObject, jsonText, ownMember } from '#lib/kernel';

const DEEPEST = 8;
/** The most schemas of one type, because a schema may refer to itself in many places. */
const MOST_SCHEMAS = 1_000;
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
/** Constraints of a schema that TypeScript cannot express, for the model. */
const RULES = [
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'default',
] as const;

/** A JSON Schema as a type of TypeScript, for a model to read. Constraints that TypeScript cannot express are in comments of members, or left out. */
export function typeOf(schema: Json | undefined): string {
  return new Typing(isJsonObject(schema) ? schema : {}).of(schema, 0);
}

class Typing {
  #left = MOST_SCHEMAS;

  /** @param root the schema in which references are read */
  constructor(private readonly root: JsonObject) {}

  of(schema: Json | undefined, depth: number): string {
    this.#left -= 1;
    if (!isJsonObject(schema) || depth > DEEPEST || this.#left < 0)
      return schema === false ? 'never' : 'unknown';
    const { nullable, $ref, anyOf, oneOf, allOf, ...own } = schema;
    if (nullable === true) return union([this.of({ ...schema, nullable: false }, depth), 'null']);
    const parts = [
      ...(typeof $ref === 'string' ? [this.of(this.#referred($ref), depth + 1)] : []),
      ...[anyOf, oneOf].flatMap((choice) => (Array.isArray(choice) ? [this.#union(choice, depth)] : [])),
      ...(Array.isArray(allOf) ? allOf.map((one: Json) => this.of(one, depth + 1)) : []),
      this.#plain(own, depth),
    ];
    return intersection(parts);
  }

  #union(choice: readonly Json[], depth: number): string {
    return union(choice.map((one) => this.of(one, depth + 1)));
  }

  #plain(schema: JsonObject, depth: number): string {
    const { const: only, enum: listed, type } = schema;
    if (only !== undefined) return jsonText(only);
    if (Array.isArray(listed)) return union(listed.map((one: Json) => jsonText(one)));
    if (Array.isArray(type)) return union(type.map((one: Json) => this.#named(schema, one, depth)));
    return this.#named(schema, type, depth);
  }

  #named(schema: JsonObject, type: Json | undefined, depth: number): string {
    switch (type) {
      case 'string':
      case 'boolean':
      case 'number':
      case 'null':
        return type;
      case 'integer':
        return 'number';
      case 'array':
        return this.#array(schema, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        return schema['properties'] === undefined ? 'unknown' : this.#object(schema, depth);
    }
  }

  #array({ items, prefixItems, additionalItems }: JsonObject, depth: number): string {
    const [first, rest] = Array.isArray(items) ? [items, additionalItems] : [prefixItems, items];
    const each = (schema: Json | undefined) => `${grouped(this.of(schema, depth + 1))}[]`;
    if (!Array.isArray(first)) return each(rest);
    const members = first.map((one: Json) => this.of(one, depth + 1));
    return `[${[...members, ...(rest === false ? [] : [`...${each(rest)}`])].join(', ')}]`;
  }

  #object({ properties, required, additionalProperties }: JsonObject, depth: number): string {
    const needed = Array.isArray(required) ? (required as readonly Json[]) : [];
    const members = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) => {
      const key = IDENTIFIER.test(name) ? name : jsonText(name);
      return `${memberComment(schema)}${key}${needed.includes(name) ? '' : '?'}: ${this.of(schema, depth + 1)}`;
    });
    const others = isJsonObject(additionalProperties) ? this.of(additionalProperties, depth + 1) : 'unknown';
    const isOpen =
      additionalProperties !== false && (members.length === 0 || isJsonObject(additionalProperties));
    const index = isOpen ? [`[name: string]: ${members.length === 0 ? others : 'unknown'}`] : [];
    const all = [...members, ...index];
    return all.length === 0 ? '{}' : `{ ${all.join('; ')} }`;
  }

  /** The target of a reference within the schema. */
  #referred(reference: string): Json | undefined {
    if (!reference.startsWith('#')) return undefined;
    const tokens = reference.slice(1).split('/').slice(1);
    return tokens.reduce<Json | undefined>((value, token) => {
      const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
      return isJsonObject(value) ? ownMember(value, name) : undefined;
    }, this.root);
  }
}

function memberComment(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return '';
  const { description, type } = schema;
  const rules = RULES.flatMap((name) =>
    schema[name] === undefined ? [] : [`${name} ${jsonText(schema[name])}`],
  );
  const parts = [
    ...(typeof description === 'string' && description !== '' ? [oneLine(description)] : []),
    ...(type === 'integer' ? ['integer'] : []),
    ...rules.map(oneLine),
  ];
  return parts.length > 0 ? `/* ${parts.join('; ')} */ ` : '';
}

/** A description as the comment before a declaration; an empty text if there is none. */
export function documented(description: string): string {
  return description === '' ? '' : `/** ${oneLine(description)} */ `;
}

/** A description on one line, without the text that would end its comment. */
export function oneLine(text: string): string {
  return text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();
}

function union(types: readonly string[]): string {
  const all = [...new Set(types)];
  return all.includes('unknown') ? 'unknown' : all.map(grouped).join(' | ') || 'never';
}

/** The intersection of types. `unknown` adds nothing to it. */
function intersection(types: readonly string[]): string {
  const all = [...new Set(types)].filter((type) => type !== 'unknown');
  if (all.length < 2) return all[0] ?? 'unknown';
  return all.map(grouped).join(' & ');
}

function grouped(type: string): string {
  return isCompound(type.replaceAll(/"(?:[^"\\]|\\.)*"|\/\*.*?\*\//g, '')) ? `(${type})` : type;
}

/** Whether a type is a union or an intersection outside of all brackets. */
function isCompound(type: string): boolean {
  const outer = type.replaceAll(/[{[(][^{}[\]()]*[}\])]/g, '');
  return outer === type ? / [|&] /.test(type) : isCompound(outer);
}
