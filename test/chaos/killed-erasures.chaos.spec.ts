import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { ScriptedLlmServer, text } from '#lib/activities/testing';
import { sha256 } from '#lib/kernel';
import { randomOf } from '#lib/workflow/testing';
import { describeOnBothEngines } from '../support/places/describe-on-engines.js';
import { openLogOf } from '../support/places/open-log-of.js';
import type { Place } from '../support/places/place.js';
import { reviewedRefunds } from '../support/reviewed-refunds.js';
import { type Answer, ServerProcess } from '../support/server-process.js';

/** Half of them on each pair of stores. */
const KILLS = Math.ceil(Number(process.env['KILLS'] ?? 20) / 2);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const MOST_MS = 30_000;
/** A model replies after the erasure has begun. */
const LATE_MS = 400;
const MARKER = 'marker-4711-of-somebody';
const FORMS = [MARKER, sha256(MARKER), Buffer.from(MARKER).toString('hex'), btoa(MARKER).slice(0, -2)];
const proposed = text({ transitionName: 'review', toState: 'review', reasoning: MARKER });

describeOnBothEngines(`an erasure under ${KILLS} kills, seed ${SEED}`, (emptyPlace) => {
  const random = randomOf(SEED);
  const masterKey = randomBytes(32).toString('base64');
  let place: Place;
  let llm: ScriptedLlmServer;
  let server: ServerProcess;
  let replyMs = 0;

  afterEach(async () => {
    await server.kill();
    await llm.close();
  });

  async function start(): Promise<void> {
    server = await ServerProcess.at(place, llm, { REDIAL_MASTER_KEY: masterKey });
  }

  const post = (path: string, body: object = {}) => server.post(path, body);

  /** After a kill the rows are behind while they are filled again: nothing was made then, and the caller asks again. */
  async function made(body: object): Promise<Answer> {
    const until = performance.now() + MOST_MS;
    for (;;) {
      const answer = await post('sessions', body);
      if (answer.body['code'] !== 'projection-behind' || performance.now() > until) return answer;
    }
  }

  /** Two sessions: a round that waits for a person, and a call to a model whose reply is late. */
  async function begin(subject: string): Promise<readonly string[]> {
    const given = { machineName: 'refunds', metaJson: { text: MARKER }, tags: { name: MARKER }, subject };
    const both = [await made(given), await made(given)];
    expect(both).toMatchObject([{ status: 201 }, { status: 201 }]);
    const ids = both.map(({ body }) => String(body['sessionId']));
    expect((await post(`sessions/${ids[0]}/proposals`, { specialistId: 'clerk' })).status).toBe(201);
    expect((await post(`sessions/${ids[0]}/tick`)).status).toBe(200);
    replyMs = LATE_MS;
    void post(`sessions/${ids[1]}/proposals`, { specialistId: 'clerk' }).catch(() => undefined);
    await llm.received(llm.requests.length + 1);
    replyMs = 0;
    return ids;
  }

  it(
    'is finished at the next start, whichever of its writes was the last: once, with nothing of the content anywhere and all else as it was',
    async () => {
      place = await emptyPlace(true);
      llm = await ScriptedLlmServer.start(() => delay(replyMs, proposed));
      await start();
      expect((await post('machines', reviewedRefunds)).status).toBe(201);
      const ofOthers = { machineName: 'refunds', metaJson: { text: 'A cup.' } };
      const { body: other } = await post('sessions', ofOthers);
      const kept = async () => {
        const url = `${server.url}/v1/sessions/${String(other['sessionId'])}`;
        return (await fetch(url, { headers: { Connection: 'close' } })).text();
      };
      const before = await kept();
      const begun = new Map([['customer-0', await begin('customer-0')]]);
      const began = performance.now();
      expect(await post('subjects/customer-0/erase')).toMatchObject({ status: 200 });
      const usualMs = performance.now() - began;
      for (let kill = 1; kill <= KILLS; kill++) {
        const subject = `customer-${kill}`;
        begun.set(subject, await begin(subject));
        const erased = post(`subjects/${subject}/erase`).catch(() => undefined);
        await Promise.race([erased, delay(random() * usualMs)]);
        await server.kill();
        await start();
      }
      for (const [subject, [waiting]] of begun) await expectErased(subject, waiting);
      expect(filesWithMarker()).toEqual([]);
      expect(await kept()).toBe(before);
      await checkLog();
    },
    60_000 + KILLS * MOST_MS,
  );

  /** A kill may come before the log has the erasure: the call is made again. */
  async function expectErased(subject: string, sessionId: string | undefined): Promise<void> {
    expect(await post(`subjects/${subject}/erase`)).toMatchObject({ status: 200, body: { subject } });
    expect(await post(`sessions/${sessionId}/tick`)).toMatchObject({ status: 409, body: { code: 'erased' } });
    expect(await post(`sessions/${sessionId}/replay`)).toMatchObject({ body: { identical: true } });
  }

  function filesWithMarker(): readonly string[] {
    const { dataDir } = place;
    if (dataDir === undefined) return [];
    const files = readdirSync(dataDir).map((name) => join(dataDir, name));
    return files.filter((file) => FORMS.some((form) => readFileSync(file).includes(form)));
  }

  async function checkLog(): Promise<void> {
    const log = await openLogOf(place);
    const events = await log.store.readAll({ limit: 100_000 });
    const texts = events.map(({ data, metadata }) => data + metadata).join('\n');
    for (const form of FORMS) expect(texts).not.toContain(form);
    for (const type of ['SubjectErased', 'SubjectErasureEnded'])
      expect(events.filter((event) => event.type === type)).toHaveLength(KILLS + 1);
    await log.store.close();
  }
});
