import { open } from 'node:fs/promises';

/** The bytes of a history: in a file, or in memory. */
export interface HistoryBytes {
  /** All bytes, from the first. */
  chunks(): AsyncIterable<Uint8Array>;
  /** @returns less text than `length` bytes if the file ends before */
  read(place: { readonly offset: number; readonly length: number }): Promise<Buffer>;
  close(): Promise<void>;
}

const CHUNK = 1024 * 1024;

/** @throws Error of the operating system */
export async function bytesOfFile(path: string): Promise<HistoryBytes> {
  const file = await open(path);
  return {
    chunks: () => file.createReadStream({ autoClose: false, highWaterMark: CHUNK, start: 0 }),
    read: async ({ offset, length }) => {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    },
    close: () => file.close(),
  };
}

export function bytesOfText(text: string): HistoryBytes {
  const bytes = Buffer.from(text);
  return {
    // Other work of the process runs between two chunks.
    async *chunks() {
      for (let at = 0; at < bytes.length; at += CHUNK) {
        yield bytes.subarray(at, at + CHUNK);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    read: ({ offset, length }) => Promise.resolve(bytes.subarray(offset, offset + length)),
    close: () => Promise.resolve(),
  };
}
