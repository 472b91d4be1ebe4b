import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** The most decompressed bytes that are searched. */
const MOST_BYTES = 10 * 1024 * 1024;

const decoders: { readonly [encoding: string]: () => ReturnType<typeof createGunzip> } = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The compression of bytes, by their first bytes; `undefined` if they do not look compressed. */
export function compressionOf(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  if (first === 0x1f && second === 0x8b) return 'gzip';
  return first === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(second ?? 0) ? 'deflate' : undefined;
}

/** The decompressed part of bytes that may be cut or damaged, and the number of bytes it came from. */
interface Decompressed {
  readonly output: Buffer;
  /** The bytes after these were not searched. */
  readonly taken: number;
}

/** `undefined` for an unknown encoding. */
export async function decompressedPart(bytes: Buffer, encoding: string): Promise<Decompressed | undefined> {
  if (!Object.hasOwn(decoders, encoding)) return undefined;
  const coarse = await inPieces(encoding, pieces(bytes, 0, bytes.length, 64));
  if (coarse.taken === bytes.length) return coarse;
  // A decoder drops its output for the piece in which it fails, so that piece is fed byte by byte.
  const sound = bytes.subarray(0, coarse.taken);
  const end = Math.min(bytes.length, coarse.taken + 64);
  const fine = await inPieces(encoding, [sound, ...pieces(bytes, coarse.taken, end, 1)]);
  return { output: fine.output, taken: coarse.isFull ? coarse.taken : bytes.length };
}

async function inPieces(
  encoding: string,
  input: readonly Buffer[],
): Promise<Decompressed & { readonly isFull: boolean }> {
  const decoder = decoders[encoding]?.() ?? createGunzip();
  const output: Buffer[] = [];
  let size = 0;
  let taken = 0;
  decoder.on('data', (chunk: Buffer) => {
    output.push(chunk);
    size += chunk.length;
  });
  const failed = new Promise<false>((resolve) => decoder.once('error', () => resolve(false)));
  for (const piece of input) {
    const written = new Promise<boolean>((resolve) => {
      decoder.write(piece, (error) => resolve(!error));
    });
    if (!(await Promise.race([written, failed]))) break;
    taken += piece.length;
    if (size > MOST_BYTES) break;
  }
  decoder.destroy();
  return { output: Buffer.concat(output), taken, isFull: size > MOST_BYTES };
}

function pieces(bytes: Buffer, from: number, to: number, size: number): Buffer[] {
  return Array.from({ length: Math.ceil((to - from) / size) }, (_, n) =>
    bytes.subarray(from + n * size, Math.min(to, from + (n + 1) * size)),
  );
}
