import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { decodeContent } from './decode-content.js';
import { publicLookup, refusePrivateLiteral } from './public-lookup.js';
import { MAX_REPLY_BYTES, UnusableReply } from './unusable-reply.js';

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
}

/**
 * One POST, and its whole reply whatever its status. Exactly one request goes over the wire: redirects are not followed, so
 * credentials stay with the host they are for, and nothing is sent twice (`fetch` of Node 20 repeats a request that is answered
 * with 421, and gives up after five minutes whatever time limit was asked for). Each call has a connection of its own: one kept from an
 * earlier call may be closed by the other side at the moment it is used, and nobody could say whether the call was made.
 * @throws AddressRefused before anything is sent; UnusableReply when the reply came and cannot be taken; the transport's own error when no whole reply came.
 */
export async function httpExchange(request: HttpRequest): Promise<HttpReply> {
  const response = await respondedTo(request);
  const received = await collect(response);
  const body = await decodeContent(received, response.headers['content-encoding']);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

async function respondedTo(request: HttpRequest): Promise<IncomingMessage> {
  const { url, headers, body, signal, publicOnly = false } = request;
  if (publicOnly) refusePrivateLiteral(url);
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  const content = Buffer.from(body);
  return new Promise((resolve, reject) => {
    open(url, {
      method: 'POST',
      headers: { ...headers, 'accept-encoding': 'gzip, deflate, br', 'content-length': content.length },
      agent: false,
      signal,
      ...(publicOnly && { lookup: publicLookup }),
    })
      .on('response', resolve)
      .on('error', reject)
      .end(content);
  });
}

async function collect(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop closes the connection: the rest is never read.
    if (size > MAX_REPLY_BYTES) throw UnusableReply.tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
