import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { jsonSchemaValidator, JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import type { Connection } from '../../apps/mcp/src/connection.js';
import type { CallOperation } from '../../apps/mcp/src/tool-calls.js';
import { serveStdio } from '../../apps/mcp/src/serve-stdio.js';

/** The answer of a tool. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  /** The text as JSON; absent if it is a sentence of the protocol library. */
  readonly value?: Readonly<Record<string, unknown>>;
}

export async function callTool(
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  const [{ text }] = content as [{ text: string }];
  const isJson = text.startsWith('{') || text.startsWith('[');
  return {
    isError: isError === true,
    text,
    ...(isJson && { value: JSON.parse(text) as Record<string, unknown> }),
  };
}

const ajv = new Ajv2020({ strict: false, validateSchema: false, code: { optimize: false } });
formats.default.default(ajv);

/** Compiles the `outputSchema` of a tool when the tool answers, not those of all tools when they are listed. */
const lazyValidator: jsonSchemaValidator = {
  getValidator<T>(schema: object): JsonSchemaValidator<T> {
    let validate: ValidateFunction | undefined;
    return (value) => {
      validate ??= ajv.compile(schema);
      if (validate(value)) return { valid: true, data: value as T, errorMessage: undefined };
      return { valid: false, data: undefined, errorMessage: ajv.errorsText(validate.errors) };
    };
  },
};

/** Checks what tools answer by their `outputSchema`, once they are listed. */
export function newClient(): Client {
  return new Client({ name: 'test', version: '1' }, { jsonSchemaValidator: lazyValidator });
}

/** A client on the standard input and output of an MCP server in this process. */
export interface ConnectedClient {
  readonly client: Client;
  /** Hangs up, and waits for the server to end. */
  close(this: void): Promise<void>;
}

export async function connectOverStdio(
  calls: CallOperation,
  connection: Connection,
): Promise<ConnectedClient> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const never = new Promise(() => undefined);
  const io = { stdin: toServer, stdout: toClient };
  const serving = serveStdio(calls, '1.2.3', connection, never, io);
  const client = newClient();
  await client.connect(new StdioServerTransport(toClient, toServer));
  const close = async () => {
    await client.close();
    toServer.end();
    await serving;
  };
  return { client, close };
}
