import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { LONGEST_MS } from '#lib/activity';
import { decodeContent, encodingOf, UnusableReply } from './decode-content.js';
import { MAX_REPLY_BYTES } from './reply-limits.js';
import { publicLookup, refusePrivateLiteral } from './public-lookup.js';

/** A whole reply as it came. */
export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** After content decoding. */
  readonly body: Buffer;
}

export interface HttpRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Refuses hosts whose address is not of the public internet. Default: any host. */
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
 * One POST, and its whole reply whatever its status. Exactly one request goes over the wire: redirects are not followed, so
 * credentials stay with the host they are for, and nothing is sent twice (`fetch` of Node 20 repeats a request that is answered
 * with 421, and gives up after five minutes whatever time limit was asked for).
 * @throws AddressRefused before anything is sent; IncompleteReply when a reply began to come and cannot be taken; the transport's own error when none came.
 */
export async function httpExchange(request: HttpRequest): Promise<HttpReply> {
  const response = await respondedTo(request);
  const { statusCode: status = 0, headers } = response;
  const { bytes, failure } = await collect(response, request);
  try {
    if (failure) throw failure.error;
    return { status, headers, body: await decodeContent(bytes, encodingOf(headers)) };
  } catch (error) {
    throw new IncompleteReply(error, { status, headers, body: bytes });
  }
}

async function respondedTo(request: HttpRequest): Promise<IncomingMessage> {
  const { url, headers, body, signal, publicOnly = false, connections = false } = request;
  const encodings = request.onBytes ? 'identity' : 'gzip, deflate, br';
  if (publicOnly) refusePrivateLiteral(url);
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  const content = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const sent = open(url, {
      method: 'POST',
      headers: { ...headers, 'accept-encoding': encodings, 'content-length': content.length },
      agent: connections,
      signal,
      ...(publicOnly && { lookup: publicLookup }),
    });
    const limit = silenceLimit(request.firstByteTimeoutMs, (error) => sent.destroy(error));
    sent.on('response', resolve).on('error', reject).end(content);
    if (limit) sent.on('response', limit.end).on('close', limit.end);
  });
}

/** The bytes of a body as they come, up to where that fails. */
async function collect(
  response: IncomingMessage,
  { onBytes, idleTimeoutMs }: HttpRequest,
): Promise<{ readonly bytes: Buffer; readonly failure?: { readonly error: unknown } }> {
  const chunks: Buffer[] = [];
  let size = 0;
  const limit = silenceLimit(idleTimeoutMs, (error) => response.destroy(error));
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      limit?.restart();
      size += chunk.length;
      chunks.push(chunk);
      onBytes?.(chunk, response.statusCode ?? 0);
      // Leaving the loop closes the connection: the rest is never read.
      if (size > MAX_REPLY_BYTES) throw UnusableReply.tooLarge();
    }
    return { bytes: Buffer.concat(chunks) };
  } catch (error) {
    return { bytes: Buffer.concat(chunks), failure: { error } };
  } finally {
    limit?.end();
  }
}

/** A reply that is incomplete, too large, or cannot be decoded. */
export class IncompleteReply extends Error {
  override readonly name = 'IncompleteReply';

  /**
   * @param cause why it is unusable: UnusableReply, or the transport's own error
   * @param received its body holds the bytes as received, before content decoding
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

/** Calls back with an error once no byte has arrived for `limitMs`. Nothing if there is no limit. */
function silenceLimit(limitMs: number | undefined, onSilence: (error: TooSilent) => void) {
  if (limitMs === undefined) return undefined;
  const error = new TooSilent(`Nothing came for ${limitMs} ms.`);
  const timer = setTimeout(() => onSilence(error), Math.min(limitMs, LONGEST_MS));
  return { restart: () => void timer.refresh(), end: () => clearTimeout(timer) };
}
