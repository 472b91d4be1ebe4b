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
  /** Names and values one after the other, as they were written. */
  readonly rawHeaders: readonly string[];
  readonly text: string;
  /** `{}` where the text is no JSON object. */
  readonly body: JsonObject;
}

/** The replies, one a request, or what makes them. `index` counts the requests from 0. */
export type LlmScript =
  | readonly ScriptedReply[]
  | ((request: ScriptedRequest, index: number) => ScriptedReply | Promise<ScriptedReply>);

const PATH = '/v1/chat/completions';

/**
 * A real HTTP server on loopback that speaks `/v1/chat/completions` as scripted. A request beyond the script is answered
 * with a loud 500, and `close` throws about it, as about replies that nobody asked for.
 */
export class ScriptedLlmServer {
  readonly requests: ScriptedRequest[] = [];
  private readonly complaints: string[] = [];
  private readonly left: ScriptedReply[];
  private readonly waiting = new Set<() => void>();

  private constructor(
    private readonly server: Server,
    private readonly script: LlmScript,
  ) {
    this.left = typeof script === 'function' ? [] : [...script];
  }

  /** Listens on a free port. */
  static async start(script: LlmScript = []): Promise<ScriptedLlmServer> {
    const server = createServer();
    const scripted = new ScriptedLlmServer(server, script);
    server.on('request', (request, response) => void scripted.answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return scripted;
  }

  /** For `OPENAI_BASE_URL`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Adds to the end of a script that is a list. */
  enqueue(...replies: ScriptedReply[]): void {
    this.left.push(...replies);
  }

  /** Once that many requests have arrived whole, since the start. */
  async received(count: number): Promise<void> {
    while (this.requests.length < count) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  /** Cuts what is open and stops. @throws Error when the script and what was asked did not fit. */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
    const unused = this.left.length > 0 ? [`${this.left.length} scripted replies were never asked for`] : [];
    const complaints = [...this.complaints, ...unused];
    if (complaints.length > 0) throw new Error(`ScriptedLlmServer: ${complaints.join('; ')}.`);
  }

  private async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming).catch(() => undefined);
    if (!request) return;
    this.requests.push(request);
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
    const scripted = await this.replyTo(request);
    await Promise.allSettled([scripted.after]);
    send(response, scripted);
  }

  private async replyTo(request: ScriptedRequest): Promise<ScriptedReply> {
    const { method, path } = request;
    const isExpected = method === 'POST' && path.split('?')[0] === PATH;
    if (!isExpected) return this.complain(404, `${method} ${path} was asked for, not POST ${PATH}`);
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
      body: JSON.stringify({ error: { message: `ScriptedLlmServer: ${complaint}.` } }),
    });
  }
}

async function readRequest(incoming: IncomingMessage): Promise<ScriptedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const { method = '', url: path = '', headers, rawHeaders } = incoming;
  return { method, path, headers, rawHeaders, text, body: parseJsonObject(text) ?? {} };
}

function send(
  response: ServerResponse,
  { status, headers, body, silent, ending = 'end' }: ScriptedReply,
): void {
  const content = Buffer.from(body as string);
  const announced = ending === 'end' ? content.length : content.length + 1;
  const hasBody = status !== 204 && status !== 304;
  const cut = () => void (ending === 'drop' && response.socket?.destroy());
  if (silent) return cut();
  response.writeHead(status, { ...(hasBody && { 'content-length': announced }), ...headers });
  if (ending === 'end') response.end(content);
  else response.write(content, cut);
}
