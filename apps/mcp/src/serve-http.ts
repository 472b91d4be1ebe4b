import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Environment, Redial } from '#lib/engine';
import { explain } from '#lib/kernel';
import { checkListenAddress, urlOf } from '../../server/src/listen-address.js';
import { knowsToken } from '../../server/src/security/knows-token.js';
import { actorTokenOf, type Connection } from './connection.js';
import { createMcpServer } from './create-mcp-server.js';
import type { Profile } from './profiles.js';

const unauthorized = explain(
  'Unauthorized',
  'the request',
  'it came without the token of this server',
  'Send Authorization: Bearer with the value of REDIAL_API_TOKEN',
);

export interface RunningMcp {
  readonly url: string;
  stop(this: void): Promise<void>;
}

/**
 * Speaks MCP over streamable HTTP at `/mcp`. Each request stands for itself: any process can answer any.
 * @throws OpenToOthers beyond this host without a token
 */
export async function serveHttp(
  redial: Redial,
  version: string,
  profile: Profile,
  environment: Environment,
): Promise<RunningMcp> {
  checkListenAddress(environment);
  const { HOST, PORT, REDIAL_API_TOKEN: token } = environment;
  const server = createServer((request, response) => {
    if (request.url !== '/mcp')
      return refuse(
        response,
        404,
        explain('NotFound', `the path ${request.url}`, 'MCP is at /mcp', 'Post there'),
      );
    if (token !== undefined && !knowsToken(request.headers.authorization, token))
      return refuse(response, 401, unauthorized);
    const connection = connectionOf(request, profile, token !== undefined);
    answer(createMcpServer(redial, version, connection), request, response).catch(() => response.destroy());
  });
  await listening(server, PORT, HOST);
  const { port } = server.address() as AddressInfo;
  return { url: `${urlOf(HOST, port)}/mcp`, stop: () => closed(server) };
}

/** Pages of other sites cannot reach a server on this host under a name of their own: its names are the only ones taken. */
async function answer(server: McpServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { port } = request.socket.address() as AddressInfo;
  const transport = new StreamableHTTPServerTransport({
    enableJsonResponse: true,
    enableDnsRebindingProtection: isLocal(request),
    allowedHosts: ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`),
  });
  response.on('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

function connectionOf({ headers }: IncomingMessage, profile: Profile, hasServerToken: boolean): Connection {
  const { authorization, 'redial-actor-token': header } = headers;
  const given = {
    ...(authorization !== undefined && { authorization }),
    ...(typeof header === 'string' && { actorToken: header }),
  };
  const actorToken = actorTokenOf(given, hasServerToken);
  return { profile, ...(actorToken !== undefined && { actorToken }) };
}

function isLocal({ socket }: IncomingMessage): boolean {
  return ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(socket.localAddress ?? '');
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }));
}

async function listening(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
}

async function closed(server: Server): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}
