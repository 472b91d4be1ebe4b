import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A history holds what people and models wrote: only its owner reads the file. */
const OF_OWNER = 0o600;

/**
 * Writes a file under another name, and renames it once it is complete and on the disk. Each of several writers has its own; the last rename
 * wins. A process that dies leaves a file that ends with `.part`.
 * @throws Error of the system, or of the texts: then the file is as it was
 */
export async function writeWhole(file: string, texts: AsyncIterable<string>): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    await pipeline(
      Readable.from(texts),
      createWriteStream(part, { mode: OF_OWNER, flush: true, flags: 'wx' }),
    );
    await rename(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(part, { force: true });
    throw error;
  }
}
