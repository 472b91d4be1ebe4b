import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { reply, ScriptedWebhookServer } from '#lib/activities/testing';
import { approval } from '../support/approval.workflow.js';
import {
  define,
  FORMS,
  functions,
  LISTS,
  MARKER,
  OTHER,
  plant,
  sayMarker,
  strategies,
} from '../support/marker-story.js';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import type { Place } from '../support/places/place.js';
import { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';

const subject = 'customer-42';

/** Every row of every table of a schema, and of the one of its views, as text. */
async function textOfDatabase(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema like current_schema() || '%' and table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of rows) {
    const all = await client.query<{ row: string }>(`select one::text as row from ${name} as one`);
    texts.push(...all.rows.map(({ row }) => row));
  }
  await client.end();
  return texts.join('\n');
}

describeOnEachEngine('a marker in everything that is about a subject', (emptyPlace) => {
  let place: Place;
  let server: RedialServer;
  let receiver: ScriptedWebhookServer;
  let runs = true;
  let paths: readonly string[];
  let others: string[];
  const written: string[] = [];
  const writers = [process.stdout, process.stderr].map((stream) => ({
    stream,
    write: stream.write.bind(stream),
  }));

  beforeAll(async () => {
    for (const { stream } of writers)
      stream.write = (part: string | Uint8Array) => written.push(String(part)) > 0;
    place = await emptyPlace(true);
    receiver = await ScriptedWebhookServer.start(() => reply({ status: 204 }));
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    server = await RedialServer.start({
      place,
      script: sayMarker,
      options: {
        workflows: [approval],
        functions,
        strategies,
        webhooks: { privateAddresses: 'allow', tokens: { HOOK_TOKEN: secret } },
      },
      environment: { REDIAL_MASTER_KEY: randomBytes(32).toString('base64'), LOG_LEVEL: 'verbose' },
    });
    await define(server);
    const types = ['session.created', 'round.decided', 'run.completed', 'turn.completed', 'session.done'];
    await server.post('/v1/hooks', { hookId: 'told', url: receiver.url, types, secretName: 'HOOK_TOKEN' });
    others = [...(await plant(server, { key: 'one' }))];
  }, 120_000);
  afterAll(async () => {
    for (const { stream, write } of writers) stream.write = write;
    if (runs) await server.stop();
    await receiver.close();
  });

  const answersTo = async (asked: readonly string[]) => {
    const answers: [string, string][] = [];
    for (const path of asked) {
      const { status, text } = await server.get(path);
      expect([path, status]).toEqual([path, 200]);
      answers.push([path, text]);
    }
    return answers;
  };
  const found = (text: string | Buffer) => FORMS.filter((form) => text.includes(form));

  it('is found before in answers, and in no byte of the log: examples of others and experiments do not have it', async () => {
    const stored = async () => server.log.store.readAll({ limit: 10_000 });
    paths = await plant(server, { key: 'two', subject });
    others.push(...(await plant(server, { key: 'three' })));
    const asked = { points: { machineName: 'refunds' }, variants: [{ name: 'one', specialistId: 'clerk' }] };
    const { body: experiment } = await server.post('/v1/experiments', asked);
    const path = `/v1/experiments/${(experiment as { experimentId: string }).experimentId}`;
    await untilEvent(server.log, ({ type }) => type === 'ExperimentBatchEnded');
    others.push(path, `${path}/items`);
    for (const { stream, data, metadata } of await stored())
      expect([stream, found(data + metadata)]).toEqual([stream, []]);
    const answers = await answersTo(paths);
    const without = answers.filter(([, text]) => !text.includes(MARKER)).map(([one]) => one);
    expect(without.filter((one) => !/history|why|tool-calls|conversations.*llm-calls/.test(one))).toEqual([]);
    for (const [one, text] of await answersTo(others)) expect([one, found(text)]).toEqual([one, []]);
  }, 120_000);

  it('is in no form anywhere once the subject is erased: log, rows, files, answers, exports, hooks and output', async () => {
    // The first line of a file says when it was written.
    const unchanging = others.filter((path) => !path.endsWith('/history'));
    const kept = await answersTo(unchanging);
    const erased = await server.post(`/v1/subjects/${subject}/erase`);
    expect([erased.status, erased.body]).toMatchObject([200, { subject }]);
    for (const [path, text] of await answersTo([...paths, ...LISTS]))
      expect([path, found(text)]).toEqual([path, []]);
    for (const dataset of ['training', 'preferences']) {
      const { status, text } = await server.post(`/v1/exports/${dataset}`);
      expect([status, text.includes(OTHER), found(text)]).toEqual([200, true, []]);
    }
    const changed = (await answersTo(unchanging)).filter(([, text], at) => text !== kept[at]?.[1]);
    expect(changed.map(([path]) => path)).toEqual([]);
    const roots = [...paths, ...others].filter((one) =>
      /^.v1.(sessions|runs|conversations).[-0-9a-f]{36}$/.test(one),
    );
    expect(roots).toHaveLength(24);
    for (const path of roots)
      expect([path, (await server.post(`${path}/replay`)).body]).toMatchObject([path, { identical: true }]);
    await expectNowhere();
    runs = false;
    await server.stop();
    await expectNowhere();
  }, 120_000);

  async function expectNowhere(): Promise<void> {
    const { dataDir, databaseUrl } = place;
    for (const name of dataDir === undefined ? [] : readdirSync(dataDir))
      expect([name, found(readFileSync(join(dataDir ?? '', name)))]).toEqual([name, []]);
    expect(found(databaseUrl === undefined ? '' : await textOfDatabase(databaseUrl))).toEqual([]);
    expect(found(receiver.requests.map(({ text }) => text).join())).toEqual([]);
    expect(receiver.requests.length).toBeGreaterThan(0);
    expect(found(written.join(''))).toEqual([]);
  }
});
