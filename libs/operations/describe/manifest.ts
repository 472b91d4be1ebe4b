import { present } from '#lib/kernel';
import type { Operation } from '../declare/operation.js';
import { sourceOf } from './openapi.js';
import {
  answerSchema,
  componentSchemas,
  inputSchema,
  type JsonSchema,
  type ObjectSchema,
  viewsNamedBy,
} from './schemas.js';

/** An operation as data, for a command line, an MCP server or a client without an engine. */
export interface OperationEntry extends Pick<
  Operation,
  | 'id'
  | 'summary'
  | 'kind'
  | 'method'
  | 'path'
  | 'cli'
  | 'mcp'
  | 'access'
  | 'destructive'
  | 'whole'
  | 'query'
  | 'lines'
> {
  readonly input: ObjectSchema;
  /** By the name of a field: where HTTP takes it from. */
  readonly sources: { readonly [name: string]: 'path' | 'query' | 'body' };
  /** By status; `null` for an answer without a body. */
  readonly answers: { readonly [status: string]: JsonSchema | null };
}

/** `operations.json`. */
export interface OperationManifest {
  readonly operations: readonly OperationEntry[];
  /** The targets of `#/components/schemas/…`. */
  readonly schemas: { readonly [name: string]: JsonSchema };
}

export function manifestOf(operations: readonly Operation[]): OperationManifest {
  return { operations: operations.map(entryOf), schemas: componentSchemas(viewsNamedBy(operations)) };
}

export function entryOf(operation: Operation): OperationEntry {
  const { id, summary, kind, method, path, cli, mcp, access, destructive, whole, query, lines, answers } =
    operation;
  const input = inputSchema(operation);
  const names = Object.keys(input.properties);
  return {
    id,
    summary,
    kind,
    method,
    path,
    ...(cli !== undefined && { cli }),
    ...(mcp && { mcp }),
    access,
    ...(destructive && { destructive }),
    input,
    sources: Object.fromEntries(names.map((name) => [name, sourceOf(operation, name)])),
    ...present({ whole, query, lines }),
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, answerSchema(answer) ?? null]),
    ),
  };
}
