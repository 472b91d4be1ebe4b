import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { PublicSealKey, type Seal, sealIn, verifySeals } from '#lib/seals/core';
import { randomOf } from '#lib/workflow/testing';
import { describeOnBothEngines } from '../support/places/describe-on-engines.js';
import { openLogOf } from '../support/places/open-log-of.js';
import type { Place } from '../support/places/place.js';
import { variablesOf } from '../support/places/variables-of.js';
import { ServerProcess } from '../support/server-process.js';

/** Half of them on each pair of stores. */
const KILLS = Math.ceil(Number(process.env['KILLS'] ?? 20) / 2);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const MOST_MS = 30_000;
/** Two seals and a part of a third one for most calls. */
const EVENTS = 2_100;
const EVENTS_OF_AN_APPEND = 700;

describeOnBothEngines(`sealing under ${KILLS} kills, seed ${SEED}`, (emptyPlace) => {
  const random = randomOf(SEED);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = new PublicSealKey(String(publicKey.export({ type: 'spki', format: 'pem' })));
  const keyFile = join(temporaryFolder(), 'seal.pem');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  let place: Place;
  let server: ServerProcess;

  afterEach(() => server.kill());

  const start = async () => {
    server = await ServerProcess.start({ ...variablesOf(place), REDIAL_SEAL_KEY: keyFile });
  };

  /** @throws if the server dies before it has answered, or refuses */
  async function seal(): Promise<Seal> {
    const response = await fetch(`${server.url}/v1/seals`, { method: 'POST' });
    const body: unknown = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(body));
    return sealIn(body) as Seal;
  }

  async function happened(): Promise<void> {
    const log = await openLogOf(place);
    const data = JSON.stringify({ operation: 'tick', target: randomUUID() });
    const stream = log.streams.of('call', randomUUID());
    for (let from = 0; from < EVENTS; from += EVENTS_OF_AN_APPEND) {
      const events = Array.from({ length: EVENTS_OF_AN_APPEND }, () => {
        const metadata = { occurredAt: new Date().toISOString(), actor: 'operator', commandId: randomUUID() };
        return { eventId: randomUUID(), type: 'KeyBound', data, metadata: JSON.stringify(metadata) };
      });
      await log.store.append(stream, from === 0 ? 'no-stream' : from - 1, events);
    }
    await log.store.close();
  }

  it(
    'goes on after the last whole seal at the next start: none is lost, half or made twice, and everything is under them',
    async () => {
      place = await emptyPlace(true);
      await start();
      await happened();
      const began = performance.now();
      const answered = [await seal()];
      const usualMs = performance.now() - began;
      for (let kill = 1; kill <= KILLS; kill++) {
        await happened();
        const sealing = seal().then(
          (made) => void answered.push(made),
          () => undefined,
        );
        await Promise.race([sealing, delay(random() * usualMs)]);
        await server.kill();
        await sealing;
        await start();
      }
      answered.push(await seal());
      await checkLog(answered);
    },
    60_000 + KILLS * MOST_MS,
  );

  /** Each seal that was answered is a part of the log, as one that was kept elsewhere. */
  async function checkLog(answered: readonly Seal[]): Promise<void> {
    const log = await openLogOf(place);
    const stored = await log.readStream(log.streams.of('log', 'seals'));
    const seals = stored.map(({ data }) => sealIn(data) as Seal);
    expect(seals.map(({ index }) => index)).toEqual(seals.map((_, index) => index));
    expect(answered).toEqual(answered.map(({ index }) => seals[index]));
    expect(seals.at(-1)?.events).toBeGreaterThanOrEqual((KILLS + 1) * EVENTS);
    expect(await verifySeals(log, { key })).toMatchObject({ differs: false, unsealed: 0 });
    await log.store.close();
  }
});
