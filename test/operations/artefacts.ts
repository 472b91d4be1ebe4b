import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import { machineSchema } from '#lib/decisions/machines';
import { operations } from '#lib/engine';
import { agentSchema } from '#lib/flows';
import { type JsonSchema, manifestOf, type OperationEntry } from '#lib/operations';
import { withEventMembers } from './event-members.js';
import { formatted } from './formatted.js';
import { withSettings } from './settings-table.js';
import { withViews } from './view-tables.js';

const ROOT = join(import.meta.dirname, '../..');
const MANIFEST = join(ROOT, 'operations.json');
const EVENTS = join(ROOT, 'docs/events.md');
const OPERATIONS = join(ROOT, 'docs/operations.md');
const VIEWS = join(ROOT, 'docs/views.md');
const MACHINE_SCHEMA = join(ROOT, 'docs/machine.schema.json');
const AGENT_SCHEMA = join(ROOT, 'docs/agent.schema.json');
const CLIENT = join(ROOT, 'libs/client/redial-client.generated.ts');

/** The files that are made of the declared operations, events and definitions, with the text that each should have. */
export async function artefacts(): Promise<readonly (readonly [file: string, text: string])[]> {
  const manifest = manifestOf(operations);
  const client = await clientText(manifest.operations, manifest.schemas);
  return [
    [MANIFEST, await formatted(MANIFEST, JSON.stringify(manifest))],
    [CLIENT, await formatted(CLIENT, client)],
    [EVENTS, await formatted(EVENTS, withEventMembers(textOf(EVENTS)))],
    [OPERATIONS, await formatted(OPERATIONS, withSettings(textOf(OPERATIONS)))],
    [VIEWS, await formatted(VIEWS, withViews(textOf(VIEWS)))],
    [MACHINE_SCHEMA, await formatted(MACHINE_SCHEMA, JSON.stringify(machineSchema))],
    [AGENT_SCHEMA, await formatted(AGENT_SCHEMA, JSON.stringify(agentSchema))],
  ];
}

/** The text that is there. */
export function textOf(file: string): string {
  return readFileSync(file, 'utf8');
}

/** Writes the files. */
export async function writeArtefacts(): Promise<void> {
  for (const [file, text] of await artefacts()) writeFileSync(file, text);
}

async function clientText(
  entries: readonly OperationEntry[],
  schemas: { readonly [name: string]: JsonSchema },
): Promise<string> {
  const inputs = entries.map((entry) => [inputName(entry), entry.input] as const);
  return [
    '// Made of the declared operations by `npm run operations:record`.',
    "import type { ClientCallOptions, Route } from './call-over-http.js';",
    await typesText({ ...Object.fromEntries(inputs), ...schemas }),
    '/** A method for each operation of a Redial server. */',
    'export interface ClientMethods {',
    ...entries.map(methodText),
    '}',
    '/** How HTTP carries each operation. */',
    `export const ROUTES: { readonly [Id in keyof ClientMethods]: Route } = {${entries.map(routeText).join(',')}};`,
  ].join('\n\n');
}

function inputName({ id }: OperationEntry): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}Input`;
}

async function typesText(schemas: { readonly [name: string]: JsonSchema }): Promise<string> {
  const definitions = JSON.parse(
    JSON.stringify(schemas).replaceAll(
      /#\/components\/schemas\/([\w.]+)/g,
      (_, name: string) => `#/definitions/${typeName(name)}`,
    ),
    asTypes,
  ) as { readonly [name: string]: object };
  const named = Object.fromEntries(Object.entries(definitions).map(([name, one]) => [typeName(name), one]));
  const text = await compile({ title: 'Unused', definitions: named }, 'Unused', {
    additionalProperties: false,
    bannerComment: '',
    format: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
  });
  return text
    .replaceAll(/\/\*\*\n \* This interface was referenced by [^/]*\*\/\n/g, '')
    .replaceAll(/\n \* ?\n \* This interface was referenced by [^/]*\*\//g, '\n */')
    .replaceAll(/\/\*\*\n *\* (.*)\n *\*\//g, '/** $1 */')
    .replace(/export interface Unused \{[\s\S]*?\n?\}\n/, '');
}

/** `MachineDefinitionState` for `MachineDefinition.state`. */
function typeName(schemaName: string): string {
  return schemaName.replaceAll(/\.(\w)/g, (_, first: string) => first.toUpperCase());
}

/** Drops what the compiler names by itself (members beside a `$ref`, titles), and splits a `type` of a text or an object, which it misreads. */
function asTypes(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { $ref, title, ...rest } = value as { readonly $ref?: unknown; readonly title?: unknown };
  if (typeof $ref === 'string') return { $ref };
  const { type, description, ...members } = rest as {
    readonly type?: unknown;
    readonly description?: unknown;
  };
  if (Array.isArray(type) && type.includes('object') && 'properties' in members)
    return {
      description,
      anyOf: type.map((one) => (one === 'object' ? { type: one, ...members } : { type: one })),
    };
  return typeof title === 'string' ? rest : value;
}

function methodText(entry: OperationEntry): string {
  const { id, summary, input, answers } = entry;
  const mayBeLeftOut = input.required.length === 0 ? '?' : '';
  const types = [...new Set(Object.values(answers).map(typeText))].join(' | ');
  return [
    `/** ${summary}. */`,
    `${id}(input${mayBeLeftOut}: ${inputName(entry)}, options?: ClientCallOptions): Promise<${types}>;`,
  ].join('\n');
}

function routeText({ id, method, path, whole, query, lines }: OperationEntry): string {
  return `${id}: ${JSON.stringify({ method, path, whole, query, lines })}`;
}

function typeText(schema: JsonSchema | null): string {
  if (schema === null) return 'null';
  const {
    $ref,
    type,
    items,
    anyOf,
    properties,
    required = [],
  } = schema as {
    readonly $ref?: string;
    readonly type?: string | readonly string[];
    readonly items?: JsonSchema;
    readonly anyOf?: readonly JsonSchema[];
    readonly properties?: { readonly [name: string]: JsonSchema };
    readonly required?: readonly string[];
  };
  if ($ref !== undefined) return typeName($ref.slice($ref.lastIndexOf('/') + 1));
  if (anyOf) return anyOf.map(typeText).join(' | ');
  if (items) return `readonly (${typeText(items)})[]`;
  if (properties) {
    const members = Object.entries(properties).map(
      ([name, member]) => `readonly ${name}${required.includes(name) ? '' : '?'}: ${typeText(member)}`,
    );
    return `{ ${members.join('; ')} }`;
  }
  return [type ?? 'unknown']
    .flat()
    .map((one) => (one === 'integer' ? 'number' : one))
    .join(' | ');
}
