import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { heldBack, text } from '#lib/activities/testing';
import { Database } from '#lib/event-store-sqlite';
import type { Place } from '../support/places/place.js';
import { idOfBefore } from '../support/id-of-before.js';
import { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';

/** 250 conditions, each over the text 80 times. */
const agent = {
  agentName: 'poisoned',
  model: 'gpt-4o-mini',
  flows: Array.from({ length: 250 }, (_, index) => ({
    id: `flow-${index}`,
    title: `Flow ${index}`,
    if: { expr: `size(${Array(80).fill('context.s').join(' + ')}) > 0` },
    steps: [{ id: 'one', prompt: 'Speak' }],
  })),
};
const message = { text: 'hello', context: { s: 'x'.repeat(1_000_000) } };

interface Named {
  readonly response_format?: { readonly json_schema: { readonly name: string } };
}

/** As a release without allowances wrote it. */
function withoutAllowances({ dataDir }: Place): void {
  const db = new Database(join(dataDir ?? '', 'log.sqlite'));
  const triggers = db
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  const started = "type = 'WorkflowStarted'";
  const ids = db.prepare<[], string>(`SELECT event_id FROM events WHERE ${started}`).pluck().all();
  db.exec(`UPDATE events SET data = json_remove(data, '$.facts.allowance') WHERE ${started}`);
  for (const id of ids) {
    const renamed = `replace(metadata, '${id}', '${idOfBefore(id)}')`;
    db.exec(`UPDATE events SET metadata = ${renamed} WHERE metadata LIKE '%${id}%'`);
    db.exec(`UPDATE events SET event_id = '${idOfBefore(id)}' WHERE event_id = '${id}'`);
  }
  for (const { sql } of triggers) db.exec(sql);
  db.close();
}

describe('0.2-S1 a log with a turn that takes more than any allowance', () => {
  let place: Place;
  let server: RedialServer;
  let conversation: string;
  let isAnswering = false;

  const start = () =>
    RedialServer.start({
      place,
      script: ({ body }) => {
        const purpose = (body as Named).response_format?.json_schema.name ?? 'text';
        const answer = text(purpose === 'respond' ? { message: 'Hello.' } : {});
        return isAnswering ? answer : heldBack(answer, new Promise(() => {}));
      },
    });

  beforeAll(async () => {
    place = { dataDir: temporaryFolder() };
    server = await start();
    expect((await server.post('/v1/agents', agent)).status).toBe(201);
    const { body } = await server.post('/v1/conversations', { agentName: 'poisoned' });
    conversation = `/v1/conversations/${body.conversationId as string}`;
    const said = server.post(`${conversation}/messages`, message).catch(() => undefined);
    await untilEvent(server.log, ({ type }) => type === 'LlmCallRequested');
    await server.stop();
    await said;
  });
  afterAll(async () => {
    await server.stop();
  });

  it('starts and serves, lists the turn as set aside, and appends nothing to it', async () => {
    withoutAllowances(place);
    isAnswering = true;
    server = await start();
    let items: readonly { readonly stream: string; readonly failure: string }[] = [];
    while (items.length === 0) items = (await server.get('/v1/recovery')).body.items as typeof items;
    expect(items).toMatchObject([{ workflow: 'turn', failure: expect.stringContaining('[NotDerived]') }]);
    const stream = items[0]?.stream ?? '';
    const before = await server.log.readStream(stream);
    const again = await server.post(`/v1/recovery/${encodeURIComponent(stream)}/retry`);
    expect(again.body).toMatchObject({ status: 'set-aside' });
    expect(await server.log.readStream(stream)).toEqual(before);
    expect((await server.get('/health/ready')).status).toBe(200);
  });

  it('a replay reports the turn as not recomputed, and as no difference', async () => {
    const { body } = await server.post(`${conversation}/replay`);
    expect(body).toMatchObject({ identical: true, divergences: [], notRecomputed: expect.any(Number) });
    expect(body.notRecomputed).toBeGreaterThan(0);
  });

  it('the turn is given up, and the next one begins with an allowance and ends', async () => {
    const { body } = await server.get('/v1/recovery');
    const stream = encodeURIComponent((body as { items: { stream: string }[] }).items[0]?.stream ?? '');
    expect((await server.post(`/v1/recovery/${stream}/give-up`)).body).toMatchObject({ status: 'given-up' });
    const { status, body: turn } = await server.post(`${conversation}/messages`, message);
    expect([status, turn.message]).toEqual([200, 'Hello.']);
    expect(turn.directiveChain).toMatchObject([{ source: 'allowance', refused: expect.any(String) }]);
    const { body: replay } = await server.post(`${conversation}/replay`);
    expect(replay).toMatchObject({ identical: true });
  });
});
