import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RedialOptions } from '#lib/engine';
import { SEALS } from '#lib/event-store';
import type { Benchmark, Observation } from '../comparison.js';
import { type DecisionEngine, openDecisionEngine } from '../fixtures/decision-engine.js';
import { OpenSessions } from '../fixtures/decision-machine.js';
import { AT_ONCE, propose } from '../fixtures/decision-sides.js';
import { median } from '../median.js';
import { quantile } from '../quantile.js';

const BLOCKS = 10;
/** Decisions of one block. They have about as many events as a seal adds at most. */
const DECISIONS = 8 * AT_ONCE;
const LONGEST_MS = 60_000;

interface Side {
  readonly engine: DecisionEngine;
  readonly subject: string | undefined;
  readonly hasSeals: boolean;
}

/** A decision with and without the parts that make the record verifiable and erasable; sides take turns, by processor time. */
export const record: Benchmark = {
  name: 'record',
  onlyByName: true,
  async open(folder) {
    const { privateKey } = generateKeyPairSync('ed25519');
    const sealKey = join(folder, 'seal.pem');
    writeFileSync(sealKey, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const about = { masterKey: randomBytes(32).toString('base64') };
    const sides = [
      await openSide(join(folder, 'plain')),
      await openSide(join(folder, 'itself')),
      await openSide(join(folder, 'seals'), { sealKey }),
      await openSide(join(folder, 'subject'), about, 'customer-42'),
    ] as const;
    return {
      comparisons: [],
      observe: () => observe(sides),
      close: async () => void (await Promise.all(sides.map(({ engine }) => engine.close()))),
    };
  },
};

async function openSide(folder: string, options: RedialOptions = {}, subject?: string): Promise<Side> {
  const engine = await openDecisionEngine(folder, options);
  // Seals by real time would fall into one block or another.
  await engine.sealing.stop();
  return { engine, subject, hasSeals: options.sealKey !== undefined };
}

async function observe(sides: readonly [Side, Side, Side, Side]): Promise<readonly Observation[]> {
  const times: number[][] = [];
  for (const side of sides) await timeOf(side);
  for (let block = 0; block < BLOCKS; block++) times.push(await timesOf(sides, block));
  // Each side beside the first one of the same block.
  const more = (side: number) => times.map((all) => ((all[side] ?? 0) / (all[0] ?? 0) - 1) * 100);
  const itself = more(1).map(Math.abs);
  const spread = quantile(itself, 0.75);
  const unit = '%';
  return [
    {
      name: 'record-itself',
      value: spread,
      unit,
      observed: 'a decision beside itself, three of four blocks',
    },
    { name: 'record-seals', value: median(more(2)), atMost: 2 + spread, unit, observed: 'more, with seals' },
    {
      name: 'record-subject',
      value: median(more(3)),
      atMost: 15 + spread,
      unit,
      observed: 'more, about a subject',
    },
    {
      name: 'record-bytes',
      value: await bytesOfSeals(sides[2]),
      atMost: 4,
      unit,
      observed: 'bytes of seals, to those of all other events',
    },
  ];
}

/** In turn, so that each side is the first one as often as the others. */
async function timesOf(sides: readonly Side[], block: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < sides.length; n++) {
    const at = (block + n) % sides.length;
    const side = sides[at];
    if (side) times[at] = await timeOf(side);
  }
  return times;
}

/** The processor time of a block, its rows and its seals included, on sessions that were made just now: all sides have them in memory. */
async function timeOf({ engine, subject, hasSeals }: Side): Promise<number> {
  const sessions = new OpenSessions();
  await sessions.make(engine.redial, DECISIONS, subject);
  await engine.projections.caughtUpWithHead(LONGEST_MS);
  if (hasSeals) await engine.redial.sealLog();
  const before = process.cpuUsage();
  for (let done = 0; done < DECISIONS; done += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => propose(engine.redial, sessions.take())));
  await engine.projections.caughtUpWithHead(LONGEST_MS);
  if (hasSeals) await engine.redial.sealLog();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function bytesOfSeals({ engine: { log } }: Side): Promise<number> {
  const seals = log.streams.of('log', SEALS);
  const bytes = { seals: 0, others: 0 };
  let from = undefined as Awaited<ReturnType<typeof log.store.head>>;
  for (;;) {
    const page = await log.store.readAll({ limit: 1_000, ...(from !== undefined && { from }) });
    for (const { stream, eventId, type, data, metadata } of page)
      bytes[stream === seals ? 'seals' : 'others'] += Buffer.byteLength(
        stream + eventId + type + data + metadata,
      );
    from = page.at(-1)?.position;
    if (from === undefined) return (bytes.seals / bytes.others) * 100;
  }
}
