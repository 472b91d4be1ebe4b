import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server as McpServer } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { type Environment, type HttpProblem, problemFor } from '#lib/engine/core';
import type { Redial } from '#lib/engine';
import type { Access } from '#lib/operations/core';
import { checkListenAddress, urlOf } from '../../server/src/listen-address.js';
import { answerClientErrors } from '../../server/src/problems/answer-client-errors.js';
import { statusProblem } from '../../server/src/problems/framework-problem.js';
import { credentialsOf } from '../../server/src/security/admit-callers.js';
import { refusedRequest } from '../../server/src/security/refuse-foreign.js';
import { connectionOf } from './connection.js';
import { createMcpServer } from './create-mcp-server.js';
import { HeldAnswers } from './held-answers.js';
import type { Profile } from './profiles.js';
import { logger } from './render-answer.js';
import { callsOfEngine } from './tool-calls.js';
import type { Shown } from './tool-groups.js';

/** The engine that is served, and its access control. */
interface McpService extends Shown {
  readonly redial: Redial;
  readonly access: Access;
  readonly version: string;
  /** The largest profile of a connection; a person's role may give less. */
  readonly profile: Profile;
  /** The specialists in whose names connections may state proposals. */
  readonly as?: readonly string[];
}

export interface RunningMcp {
  readonly url: string;
  stop(this: void): Promise<void>;
}

/**
 * Serves MCP over streamable HTTP at `/mcp`. It is stateless: any process can answer any request.
 * @throws OpenToOthers beyond this host without a token
 */
export async function serveHttp(service: McpService, environment: Environment): Promise<RunningMcp> {
  checkListenAddress(environment);
  const { HOST, PORT, REDIAL_API_TOKEN } = environment;
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    const problem =
      request.url === '/mcp' ? refusedRequest(request, REDIAL_API_TOKEN !== undefined) : statusProblem(404);
    if (problem) return refuse(response, problem);
    serve(service, request, response).catch(() => response.destroy());
  });
  answerClientErrors(server);
  await listening(server, PORT, HOST);
  const { port } = server.address() as AddressInfo;
  return { url: `${urlOf(HOST, port)}/mcp`, stop: () => closed(server) };
}

async function serve(
  { redial, access, version, ...most }: McpService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const credentials = credentialsOf(request);
    const actor = await access.admit({ id: '/mcp', access: 'viewer' }, { credentials });
    const answers = new HeldAnswers(() => response.destroy());
    const connection = connectionOf(actor, credentials, most);
    const server = createMcpServer(callsOfEngine(redial), version, connection, answers);
    response.on('close', () => {
      answers.close();
      void server.close();
    });
    await answer(server, request, response);
  } catch (error) {
    if (response.headersSent) throw error;
    refuse(response, problemFor(error, logger));
  }
}

async function answer(server: McpServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

/** A JSON-RPC error, with the problem document as its data. */
function refuse(response: ServerResponse, problem: HttpProblem): void {
  const error = { code: -32_000, message: problem.detail, data: problem };
  response.writeHead(problem.status, {
    'Content-Type': 'application/json',
    ...(problem.status === 401 && { 'WWW-Authenticate': 'Bearer realm="redial"' }),
  });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
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
