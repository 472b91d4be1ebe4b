import { fork } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import type { Position } from '#lib/event-store';
import { type LlmScript, text, toolCall } from '#lib/activities/testing';
import { inspectMachine } from '#lib/decisions/machines';
import type { Place } from '../support/places/place.js';
import { RedialServer } from '../support/redial-server.js';
import type { HostilePair } from './hostile-pairs.mjs';

const PAIRS = 10_000;
/** Made at a time: all of them at once would not fit into memory. */
const BATCH = 500;
const CHOSEN = 60;
const SEED = 20_261_122;
const MOST_MS = 250;
/** The bytes that a session records besides reply and schema. */
const APART_FROM_REPLY = 64 * 1024;

interface Checked extends HostilePair {
  readonly ms: number;
  readonly fits: boolean;
  /** Of the arguments' text in a reply. */
  readonly bytes: number;
}

const machineWith = (machineName: string, parameters: object) => ({
  machineName,
  initialState: 'open',
  goalState: 'closed',
  states: {
    open: { transitions: { pay: { target: 'closed', parameters, onInvalidArguments: 'reject' } } },
    closed: {},
  },
  specialists: [{ role: 'proposer', specialistId: machineName, modelId: 'm', contextTemplate: 'x' }],
});

interface Searched {
  readonly fitting: number;
  readonly checked: number;
  readonly slowest: readonly Checked[];
}

/** A share of the search, in a process of its own. */
async function searched(seeds: readonly number[]): Promise<Searched> {
  const searcher = fork(new URL('./search-pairs.mjs', import.meta.url));
  const answer = once(searcher, 'message');
  const death = once(searcher, 'exit').then(([code]) => {
    throw new Error(`The search ended without an answer (exit code ${String(code)}).`);
  });
  searcher.send({ seeds, batch: BATCH, mostMs: MOST_MS, chosen: CHOSEN });
  const [found] = (await Promise.race([answer, death])) as [Searched];
  death.catch(() => undefined);
  searcher.kill();
  return found;
}

describe(`X-S1, X-S2: a search through ${PAIRS} hostile schemas and replies`, () => {
  let chosen: Checked[] = [];

  it(`no check takes longer than ${MOST_MS} ms of processor time`, async () => {
    const seeds = Array.from({ length: PAIRS / BATCH }, (_, batch) => SEED + batch);
    const shares = [0, 1].map((share) => searched(seeds.filter((_, index) => index % 2 === share)));
    const found = await Promise.all(shares);
    const [worst] = (chosen = found
      .flatMap(({ slowest }) => slowest)
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, CHOSEN));
    const slowest = worst?.ms ?? 0;
    if (slowest > MOST_MS) throw new Error(`${slowest} ms: ${JSON.stringify(worst?.schema).slice(0, 500)}`);
    const sum = (count: (one: Searched) => number) => found.reduce((total, one) => total + count(one), 0);
    const fitting = sum((one) => one.fitting);
    expect(sum((one) => one.checked)).toBe(PAIRS);
    expect(slowest).toBeGreaterThan(1);
    expect(fitting).toBeGreaterThan(PAIRS / 100);
    expect(fitting).toBeLessThan(PAIRS);
  });

  describe('the slowest of them in a server', () => {
    let place: Place;
    let server: RedialServer;
    let seen: Position | undefined;
    const start = async (script: LlmScript) => (server = await RedialServer.start({ place, script }));
    beforeAll(async () => {
      place = { dataDir: temporaryFolder() };
    });

    /** The bytes that the log got since the last call. */
    async function growthOfLog(): Promise<number> {
      let bytes = 0;
      for (;;) {
        const page = { limit: 100, ...(seen !== undefined && { from: seen }) };
        const events = await server.log.store.readAll(page);
        if (events.length === 0) return bytes;
        for (const { data, metadata } of events) bytes += data.length + metadata.length;
        seen = events.at(-1)?.position;
      }
    }

    it('make no log grow by more than three times the reply, and no restart that does not listen', async () => {
      const sound = chosen.filter(({ schema }) => inspectMachine(machineWith('m', schema)).valid);
      expect(sound.length).toBeGreaterThan(10);
      const replies = sound.flatMap(({ value }) => [toolCall('pay', value as object)]);
      await start((_request, index) => replies[index] ?? text('neither'));
      for (const [index, { schema, bytes }] of sound.entries()) {
        const name = `m${index}`;
        await server.post('/v1/machines', machineWith(name, schema));
        await growthOfLog();
        const { body } = await server.post('/v1/sessions', { machineName: name });
        const { sessionId } = body as { sessionId: string };
        const proposed = await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: name });
        expect([name, [201, 502].includes(proposed.status)]).toEqual([name, true]);
        // The request holds the schema, and so does the machine that the session is about.
        const own = (await growthOfLog()) - 2 * JSON.stringify(schema).length - APART_FROM_REPLY;
        if (own > 3 * bytes)
          throw new Error(
            `a reply of ${bytes} bytes made the log grow by ${own}: ${JSON.stringify(schema).slice(0, 500)}`,
          );
      }
      await server.stop();
      await start([]);
      expect((await server.get('/health/live')).status).toBe(200);
      for (const { sessionId } of (await server.get('/v1/sessions?limit=100')).body.items as {
        sessionId: string;
      }[]) {
        const replayed = await server.post(`/v1/sessions/${sessionId}/replay`);
        expect(replayed.body).toMatchObject({ identical: true });
      }
      await server.stop();
    });
  });
});
