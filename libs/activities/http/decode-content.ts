import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type InputType, type ZlibOptions } from 'node:zlib';
import { MAX_REPLY_BYTES } from './reply-limits.js';

/** A reply was received, but is unusable. */
export class UnusableReply extends Error {
  override readonly name = 'UnusableReply';

  static tooLarge(): UnusableReply {
    return new UnusableReply(`The reply is larger than ${MAX_REPLY_BYTES} bytes.`);
  }
}

type Decoder = (content: InputType, options: ZlibOptions) => Promise<Buffer>;

const decoders = new Map<string, Decoder>([
  ['gzip', promisify<InputType, ZlibOptions, Buffer>(gunzip)],
  ['x-gzip', promisify<InputType, ZlibOptions, Buffer>(gunzip)],
  ['deflate', promisify<InputType, ZlibOptions, Buffer>(inflate)],
  ['br', promisify<InputType, ZlibOptions, Buffer>(brotliDecompress)],
]);

/** @throws UnusableReply for an encoding that the request does not accept, content that is not in it, or more than `MAX_REPLY_BYTES` */
export async function decodeContent(content: Buffer, name: string): Promise<Buffer> {
  if (name === 'identity' || content.length === 0) return content;
  const decode = decoders.get(name);
  if (!decode)
    throw new UnusableReply(`The reply has the content encoding "${name}", which was not asked for.`);
  try {
    return await decode(content, { maxOutputLength: MAX_REPLY_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw UnusableReply.tooLarge();
    throw new UnusableReply(`The reply cannot be decoded as ${name}: ${(error as Error).message}.`);
  }
}

/** The encoding in lower case; `identity` if the headers name none. */
export function encodingOf({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): string {
  return encoding.trim().toLowerCase() || 'identity';
}
