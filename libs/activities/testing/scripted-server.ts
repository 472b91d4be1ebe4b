import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JsonObject, parseJsonObject } from '#lib/kernel';
import { reply, type ScriptedReply } from './scripted-reply.js';

/** A request as it arrived. */
export interface ScriptedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were written. */
  readonly rawHeaders: readonly string[];
  readonly text: string;
  /** `{}` if the text is not a JSON object. */
  readonly body: JsonObject;
  /** Differs between connections. */
  readonly remotePort: number | undefined;
}

/** The replies, one for each request, or a function that makes them. `index` counts the requests from 0. */
export type ServerScript =
  | readonly ScriptedReply[]
  | ((request: ScriptedRequest, index: number) => ScriptedReply | Promise<ScriptedReply>);

/**
 * A real HTTP server on loopback that answers POST requests for one path by a script. It answers a request beyond the script with a loud 500. `close`
 * throws about such requests, and about replies that no request took.
 */
export abstract class ScriptedServer {
  readonly requests: ScriptedRequest[] = [];
  /** Closes no idle connection by itself: on a busy machine a request could be on its way to a connection that was just closed. */
  private readonly server: Server = createServer({ keepAliveTimeout: 0 });
  private readonly complaints: string[] = [];
  private readonly left: ScriptedReply[];
  private readonly waiting = new Set<() => void>();

  protected constructor(
    private readonly script: ServerScript,
    private readonly path: string,
  ) {
    this.left = typeof script === 'function' ? [] : [...script];
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Adds replies to the end of a script that is a list. */
  enqueue(...replies: ScriptedReply[]): void {
    this.left.push(...replies);
  }

  /** Waits until this number of whole requests has arrived since the start. */
  async received(count: number): Promise<void> {
    while (this.requests.length < count) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  /** Cuts open connections and stops. @throws Error if the script and the requests did not match */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
    const unused = this.left.length > 0 ? [`${this.left.length} scripted replies were never asked for`] : [];
    const complaints = [...this.complaints, ...unused];
    if (complaints.length > 0) throw new Error(`${this.constructor.name}: ${complaints.join('; ')}.`);
  }

  /** Listens on a free port. */
  protected async listening(): Promise<this> {
    this.server.on('request', (request, response) => void this.answer(request, response));
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  private async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming).catch(() => undefined);
    if (!request) return;
    this.requests.push(request);
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
    const scripted = await this.replyTo(request);
    await Promise.allSettled([scripted.after]);
    await send(response, scripted);
  }

  private async replyTo(request: ScriptedRequest): Promise<ScriptedReply> {
    const { method, path } = request;
    const isExpected = method === 'POST' && path.split('?')[0] === this.path;
    if (!isExpected) return this.complain(404, `${method} ${path} was asked for, not POST ${this.path}`);
    const scripted = await this.scriptedReply(request).catch((error: unknown) => String(error));
    if (typeof scripted === 'object') return scripted;
    return this.complain(500, scripted ?? `request ${this.requests.length} came, and the script had ended`);
  }

  private async scriptedReply(request: ScriptedRequest): Promise<ScriptedReply | undefined> {
    if (typeof this.script === 'function') return this.script(request, this.requests.length - 1);
    return this.left.shift();
  }

  private complain(status: number, complaint: string): ScriptedReply {
    this.complaints.push(complaint);
    return reply({
      status,
      body: JSON.stringify({ error: { message: `${this.constructor.name}: ${complaint}.` } }),
    });
  }
}

async function readRequest(incoming: IncomingMessage): Promise<ScriptedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const { method = '', url: path = '', headers, rawHeaders } = incoming;
  const { remotePort } = incoming.socket;
  return { method, path, headers, rawHeaders, text, body: parseJsonObject(text) ?? {}, remotePort };
}

async function send(response: ServerResponse, scripted: ScriptedReply): Promise<void> {
  const { status, headers, body, more, silent, ending = 'end' } = scripted;
  const content = Buffer.from(body as string);
  const announced = ending === 'end' ? content.length : content.length + 1;
  const hasLength = status !== 204 && status !== 304 && more === undefined;
  const cut = () => void (ending === 'drop' && response.socket?.destroy());
  if (silent) return cut();
  response.writeHead(status, { ...(hasLength && { 'content-length': announced }), ...headers });
  response.write(content);
  for (const part of more ?? []) {
    await part.after;
    response.write(part.body);
  }
  if (ending === 'end') response.end();
  else response.write('', cut);
}
