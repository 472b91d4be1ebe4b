import {
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { LONGEST_TIMER_MS, settledBy, withLinkedSignal } from '#lib/workflow';
import { decodeContent, encodingOf, UnusableReply } from './decode-content.js';
import { MAX_REPLY_BYTES } from './reply-limits.js';
import { publicLookup, refusePrivateLiteral } from './public-lookup.js';

/** A whole reply. */
export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body after content decoding. */
  readonly body: Buffer;
}

export interface HttpRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Refuses hosts whose address is not on the public internet. Default: any host. */
  readonly publicOnly?: boolean;
  /** Called with the bytes of the reply as they arrive, before content decoding. The request then accepts no content encoding. */
  readonly onBytes?: (bytes: Buffer, status: number) => void;
  /** Milliseconds until the reply begins, and between two parts of it. Default: no limit. */
  readonly firstByteTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** Default: a connection of its own. */
  readonly connections?: Agent;
}

/**
 * One POST, and its whole reply, of any status.
 *
 * It sends exactly one request: redirects are not followed, so credentials stay with their host, and no request is sent twice (`fetch` of Node 20
 * repeats a request that is answered with 421, and gives up after five minutes, whatever the time limit).
 *
 * It settles by the signal and by the limits of silence. These are timers, so it needs no event of a socket to settle.
 * @throws AddressRefused before the request is sent; IncompleteReply if a reply began but cannot be used; the transport's own error if no reply
 * began.
 */
export function httpExchange(request: HttpRequest): Promise<HttpReply> {
  return withLinkedSignal(request.signal, async (signal, end) => {
    const response = await respondedTo(request, signal, end);
    const { statusCode: status = 0, headers } = response;
    const { bytes, failure } = await collect(response, request, signal, end);
    try {
      if (failure) throw failure.error;
      return { status, headers, body: await decodeContent(bytes, encodingOf(headers)) };
    } catch (error) {
      throw new IncompleteReply(error, { status, headers, body: bytes });
    }
  });
}

/**
 * One POST, and the head of its reply. The connection is closed before the body comes.
 * @throws AddressRefused before the request is sent; the transport's own error if no reply began
 */
export function httpHead(request: HttpRequest): Promise<Omit<HttpReply, 'body'>> {
  return withLinkedSignal(request.signal, async (signal, end) => {
    const response = await respondedTo(request, signal, end);
    response.on('error', () => undefined).destroy();
    return { status: response.statusCode ?? 0, headers: response.headers };
  });
}

type End = (reason: Error) => void;

/** The final response, once its head has come. If the signal aborts, the connection is closed, too. */
async function respondedTo(request: HttpRequest, signal: AbortSignal, end: End): Promise<IncomingMessage> {
  const { url, headers, body, publicOnly = false, connections = false } = request;
  const encodings = request.onBytes ? 'identity' : 'gzip, deflate, br';
  if (publicOnly) refusePrivateLiteral(url);
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  const content = Buffer.from(body);
  const sent = open(url, {
    method: 'POST',
    headers: { ...headers, 'accept-encoding': encodings, 'content-length': content.length },
    agent: connections,
    signal,
    ...(publicOnly && { lookup: publicLookup }),
  });
  const limit = silenceLimit(request.firstByteTimeoutMs, end);
  try {
    return await settledBy(signal, responseTo(sent.end(content), end));
  } finally {
    limit?.end();
  }
}

/** The most informational responses (1xx) before the final one. */
const MOST_INFORMATIONAL = 32;

/** Rejects if the request ends without a response. */
function responseTo(sent: ClientRequest, end: End): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let informational = 0;
    sent.on('response', resolve).on('error', reject);
    sent.on('close', () => reject(new Error('The connection was closed before a reply came.')));
    sent.on('information', () => {
      if (++informational > MOST_INFORMATIONAL)
        end(new UnusableReply(`More than ${MOST_INFORMATIONAL} informational responses came, and no reply.`));
    });
    sent.on('upgrade', ({ statusCode: status = 0, headers }, socket) => {
      socket.destroy();
      const why = new UnusableReply('The server switched protocols, which was not asked for.');
      reject(new IncompleteReply(why, { status, headers, body: Buffer.alloc(0) }));
    });
  });
}

interface Collected {
  readonly bytes: Buffer;
  readonly failure?: { readonly error: unknown };
}

/** The bytes of a body as they come, up to a failure. */
async function collect(
  response: IncomingMessage,
  { onBytes, idleTimeoutMs }: HttpRequest,
  signal: AbortSignal,
  end: End,
): Promise<Collected> {
  const chunks: Buffer[] = [];
  let size = 0;
  const limit = silenceLimit(idleTimeoutMs, end);
  const take = (chunk: Buffer) => {
    limit?.restart();
    size += chunk.length;
    chunks.push(chunk);
    onBytes?.(chunk, response.statusCode ?? 0);
    if (size > MAX_REPLY_BYTES) throw UnusableReply.tooLarge();
  };
  try {
    await settledBy(signal, eachPart(response, take));
    return { bytes: Buffer.concat(chunks) };
  } catch (error) {
    return { bytes: Buffer.concat(chunks), failure: { error } };
  } finally {
    limit?.end();
  }
}

/** An error of `take` closes the connection, and the rest is never read. */
async function eachPart(response: IncomingMessage, take: (chunk: Buffer) => void): Promise<void> {
  for await (const chunk of response as AsyncIterable<Buffer>) take(chunk);
}

/** A reply that is incomplete, too large, or cannot be decoded. */
export class IncompleteReply extends Error {
  override readonly name = 'IncompleteReply';

  /**
   * @param cause the reason why it is unusable: UnusableReply, or the transport's own error
   * @param received the reply with the bytes of its body as received, before content decoding
   */
  constructor(
    override readonly cause: unknown,
    readonly received: HttpReply,
  ) {
    super('The reply cannot be taken.', { cause });
  }
}

/** No byte arrived for longer than the limit between two parts of a reply. */
export class TooSilent extends Error {
  override readonly name = 'TooSilent';
}

/** Ends an exchange once no byte has arrived for `limitMs`. `undefined` if there is no limit. */
function silenceLimit(limitMs: number | undefined, end: End) {
  if (limitMs === undefined) return undefined;
  const error = new TooSilent(`Nothing came for ${limitMs} ms.`);
  const timer = setTimeout(end, Math.min(limitMs, LONGEST_TIMER_MS), error);
  return { restart: () => void timer.refresh(), end: () => clearTimeout(timer) };
}
