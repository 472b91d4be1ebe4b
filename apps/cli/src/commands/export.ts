import { type ClientOptions, exportedText, RedialProblem } from '#lib/client';
import { present, printableJson } from '#lib/kernel';
import { withEngineOnLog, withReadingEngine } from '../engine/with-engine.js';
import { InvalidInput } from '../error-classes.js';
import { namedServer, unreachable } from '../input/named-server.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, printLines } from '../io.js';

interface ExportOptions extends GlobalOptions {
  readonly format?: 'csv' | 'jsonl';
  readonly from?: string;
  readonly to?: string;
  readonly machine?: string;
  /** `--no-meta` */
  readonly meta: boolean;
}

const PROGRESS_MS = 1_000;

/** Writes the rows of a dataset to standard output as they are read, and their number to standard error. */
export async function exportDataset(options: ExportOptions, io: Io, dataset: string): Promise<void> {
  const { dataDir } = options;
  const isContent = dataset === 'training' || dataset === 'preferences';
  const input = isContent ? contentInput(options, dataset) : rowsInput(options, dataset);
  const server = namedServer(present({ dataDir }));
  if (server) return written(fromServer(server, input), dataset, io);
  if (isContent)
    return withEngineOnLog(dataDir, io.err, async ({ redial }) =>
      written(await redial.exportContent(input), dataset, io),
    );
  await withReadingEngine(dataDir, io.err, async ({ redial, log }) => {
    const minPosition = await log.store.head();
    const rows = await redial.exportDataset({ ...input, ...(minPosition !== undefined && { minPosition }) });
    await written(rows, dataset, io);
  });
}

function rowsInput({ format, meta, ...options }: ExportOptions, dataset: string) {
  const range = rangeOf(options);
  return present({ ...range, dataset, format, metaJson: meta ? undefined : ('off' as const) });
}

/** Content is lines of JSON alone, and its questions have the facts of sessions. @throws InvalidInput */
function contentInput({ format, meta, ...options }: ExportOptions, dataset: string) {
  const fix = `Leave it out: ${dataset} is lines of JSON, with the facts of sessions`;
  if (format === 'csv') throw new InvalidInput('--format csv', 'it is for rows, not for content', fix);
  if (!meta) throw new InvalidInput('--no-meta', 'it is for rows, not for content', fix);
  return { ...rangeOf(options), dataset };
}

function rangeOf({ from, to, machine }: Pick<ExportOptions, 'from' | 'to' | 'machine'>) {
  return present({ from, to, machineName: machine });
}

/** The parts of the body as they come: the whole body may be larger than the memory. @throws ServerUnreachable */
async function* fromServer(
  server: ClientOptions,
  input: Parameters<typeof exportedText>[1],
): AsyncGenerator<string, void> {
  try {
    yield* exportedText({ ...server, fetch }, input);
  } catch (error) {
    throw error instanceof RedialProblem ? error : unreachable(error);
  }
}

async function written(texts: AsyncIterable<string>, dataset: string, { out, err }: Io): Promise<void> {
  let bytes = 0;
  const say = () => printLines(err, [`${dataset}: ${(bytes / 1_000_000).toFixed(1)} MB`]);
  const progress = setInterval(say, PROGRESS_MS);
  try {
    for await (const text of texts) {
      bytes += Buffer.byteLength(text);
      // A character that a terminal may not get is escaped here: `out` would replace it by another one.
      if (out.write(printableJson(text)) === false) await out.drained?.();
    }
    say();
  } finally {
    clearInterval(progress);
  }
}
