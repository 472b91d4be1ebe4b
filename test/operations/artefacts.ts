import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import { format, resolveConfig } from 'prettier';
import { operations } from '#lib/engine';
import { type JsonSchema, manifestOf, type OperationEntry } from '#lib/operations';

const ROOT = join(import.meta.dirname, '../..');
const MANIFEST = join(ROOT, 'operations.json');
const CLIENT = join(ROOT, 'libs/client/src/redial-client.generated.ts');

/** The files that are made of the declared operations, with the text that each should have. */
export async function artefacts(): Promise<readonly (readonly [file: string, text: string])[]> {
  const manifest = manifestOf(operations);
  const client = await clientText(manifest.operations, manifest.schemas);
  return [
    [MANIFEST, await formatted(MANIFEST, JSON.stringify(manifest))],
    [CLIENT, await formatted(CLIENT, client)],
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

async function formatted(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}

async function clientText(
  entries: readonly OperationEntry[],
  schemas: { readonly [name: string]: JsonSchema },
): Promise<string> {
  const inputs = entries.map((entry) => [inputName(entry), entry.input] as const);
  return [
    '// Made of the declared operations by `npm run operations:record`.',
    "import { type ClientCallOptions, type ClientOptions, callOverHttp } from './call-over-http.js';",
    await typesText({ ...Object.fromEntries(inputs), ...schemas }),
    '/** A method for each operation of a Redial server. Needs `fetch` and nothing else. */',
    'export class RedialClient {',
    'constructor(private readonly server: ClientOptions) {}',
    ...entries.map(methodText),
    '}',
  ].join('\n\n');
}

function inputName({ id }: OperationEntry): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}Input`;
}

async function typesText(schemas: { readonly [name: string]: JsonSchema }): Promise<string> {
  const definitions = JSON.parse(
    JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/definitions/'),
  ) as Parameters<typeof compile>[0]['definitions'];
  const text = await compile({ title: 'Unused', ...(definitions && { definitions }) }, 'Unused', {
    additionalProperties: false,
    bannerComment: '',
    format: false,
    unreachableDefinitions: true,
  });
  const withoutNotes = text.replaceAll(/\/\*\*\n \* This interface was referenced by [\s\S]*?\*\/\n/g, '');
  return withoutNotes.replace(/export interface Unused \{[\s\S]*?\n?\}\n/, '');
}

function methodText(entry: OperationEntry): string {
  const { id, summary, input, answers } = entry;
  const isOptional = input.required.length === 0 ? ' = {}' : '';
  const types = [...new Set(Object.values(answers).map(typeText))].join(' | ');
  return [
    `/** ${summary}. */`,
    `${id}(input: ${inputName(entry)}${isOptional}, options?: ClientCallOptions): Promise<${types}> {`,
    `return callOverHttp(this.server, ${routeText(entry)}, input, options) as Promise<${types}>;`,
    '}',
  ].join('\n');
}

function routeText({ method, path, whole, query }: OperationEntry): string {
  return JSON.stringify({ method, path, whole, query });
}

function typeText(schema: JsonSchema | null): string {
  if (schema === null) return 'null';
  const { $ref, type, items, anyOf, properties } = schema as {
    readonly $ref?: string;
    readonly type?: string | readonly string[];
    readonly items?: JsonSchema;
    readonly anyOf?: readonly JsonSchema[];
    readonly properties?: { readonly [name: string]: JsonSchema };
  };
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (anyOf) return anyOf.map(typeText).join(' | ');
  if (items) return `readonly (${typeText(items)})[]`;
  if (properties) {
    const members = Object.entries(properties).map(
      ([name, member]) => `readonly ${name}: ${typeText(member)}`,
    );
    return `{ ${members.join('; ')} }`;
  }
  return [type ?? 'unknown'].flat().join(' | ');
}
