import { isJsonObject, ownMember, pointerTokens } from '#lib/kernel';
import type { Schema, SchemaObject } from './keywords.js';
import { isSchema, subschemasOf } from './subschemas.js';

/** A schema, and its resource (the enclosing schema with an `$id`, or the root). References are relative to the resource. */
export interface Located<S extends Schema = Schema> {
  readonly schema: S;
  readonly resource: SchemaObject;
}

/** The location of a subschema in the resource around it. */
export function locate<S extends Schema>(schema: S, around: SchemaObject): Located<S> {
  return { schema, resource: typeof schema === 'object' && isResource(schema) ? schema : around };
}

/** Whether a schema is a resource. In draft 7 an `$id` that is only a fragment is an anchor. */
export function isResource(schema: SchemaObject): boolean {
  const id = ownMember(schema, '$id');
  return typeof id === 'string' && !id.startsWith('#');
}

const ROOT = 'schema:///';

/** Finds the target of a `$ref` within one schema document. Other documents are never loaded. */
export class References {
  /** Built for the first reference that is not a pointer into its own resource. */
  private names: Names | undefined;
  private readonly resolved = new Map<SchemaObject, Map<string, Located | undefined>>();

  constructor(private readonly root: SchemaObject) {}

  /** `undefined` for a reference to no schema of this document. */
  resolve(ref: string, resource: SchemaObject): Located | undefined {
    const known = this.resolved.get(resource) ?? new Map<string, Located | undefined>();
    this.resolved.set(resource, known);
    if (!known.has(ref)) known.set(ref, this.find(ref, resource));
    return known.get(ref);
  }

  private find(ref: string, resource: SchemaObject): Located | undefined {
    const [uri = '', fragment = ''] = ref.split('#', 2);
    const within = uri === '' ? resource : this.named(absolute(uri, this.baseOf(resource)))?.schema;
    if (!isJsonObject(within)) return undefined;
    if (fragment === '') return { schema: within, resource: within };
    if (fragment.startsWith('/')) return pointedAt(within, fragment);
    return this.named(`${this.baseOf(within)}#${fragment}`);
  }

  private named(name: string | undefined): Located | undefined {
    return name === undefined ? undefined : this.index().located.get(name);
  }

  private baseOf(resource: SchemaObject): string {
    return this.index().bases.get(resource) ?? ROOT;
  }

  private index(): Names {
    this.names ??= namesIn(this.root);
    return this.names;
  }
}

interface Names {
  readonly bases: Map<SchemaObject, string>;
  readonly located: Map<string, Located>;
}

function namesIn(root: SchemaObject): Names {
  const names: Names = { bases: new Map([[root, ROOT]]), located: new Map() };
  const open: Located[] = [{ schema: root, resource: root }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { schema, resource } = next;
    if (typeof schema === 'boolean') continue;
    const own = name(schema, resource, names);
    for (const [keyword, value] of Object.entries(schema)) {
      for (const [, subschema] of subschemasOf(keyword, value)) {
        if (isSchema(subschema)) open.push({ schema: subschema, resource: own });
      }
    }
  }
  return names;
}

/** Registers the names of a schema. @returns the resource of its subschemas */
function name(schema: SchemaObject, around: SchemaObject, { bases, located }: Names): SchemaObject {
  const { resource } = locate(schema, around);
  const outerBase = bases.get(around) ?? ROOT;
  const id = ownMember(schema, '$id');
  const base =
    resource === schema && typeof id === 'string' ? (absolute(id, outerBase) ?? outerBase) : outerBase;
  bases.set(resource, base);
  if (resource === schema) located.set(base, { schema, resource });
  const anchors = [ownMember(schema, '$anchor'), typeof id === 'string' && id.startsWith('#') && id.slice(1)];
  for (const anchor of anchors) {
    if (typeof anchor === 'string') located.set(`${base}#${anchor}`, { schema, resource });
  }
  return resource;
}

function absolute(uri: string, base: string): string | undefined {
  try {
    return new URL(uri, base).href.replace(/#$/, '');
  } catch {
    return undefined;
  }
}

function pointedAt(root: SchemaObject, fragment: string): Located | undefined {
  let found: Located<SchemaObject> = { schema: root, resource: root };
  let value: unknown = root;
  for (const token of pointerTokens(decoded(fragment)) ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
    value = (value as { readonly [member: string]: unknown })[token];
    if (isJsonObject(value)) found = locate(value, found.resource);
  }
  return isSchema(value) ? { schema: value, resource: found.resource } : undefined;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
