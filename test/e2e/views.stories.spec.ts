import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '#lib/event-store-sqlite';
import { Client } from 'pg';
import { httpError, toolCall } from '#lib/activities/testing';
import { ProjectionRunner } from '#lib/read-models';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import type { Place } from '../support/places/place.js';
import { RedialServer } from '../support/redial-server.js';
import { ANSWERS } from './views.answers.js';
import { clerk, openRefund, refunds } from '../support/refunds.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/views.md'), 'utf8');
const VIEWS = ['sessions', 'rounds', 'decisions', 'proposals', 'calls', 'costs', 'tasks', 'runs'];

/** Rows of a query, as an analyst gets them: from the file, or from the schema of the views alone. */
async function asked({ dataDir = '', databaseUrl }: Place, sql: string): Promise<readonly object[]> {
  if (databaseUrl === undefined) {
    const db = new Database(join(dataDir, 'read.sqlite'), { readonly: true });
    try {
      return db.prepare(sql).all() as object[];
    } finally {
      db.close();
    }
  }
  const [, schema = ''] = /search_path(?:=|%3D)(\w+)/.exec(databaseUrl) ?? [];
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`set search_path = ${schema}_views`);
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}

const chosen = (transition: string, more: object = {}) =>
  toolCall(transition, {}, { usage: { prompt_tokens: 100, completion_tokens: 10, ...more } });

/** Without what differs from one run, or one driver, to another. */
function comparable(rows: readonly object[]): readonly unknown[] {
  const text = JSON.stringify(rows)
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, 'an-id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then')
    .replaceAll(/\d{4}-\d\d-\d\d/g, 'today');
  return JSON.parse(text, (key, value: unknown) => {
    if (key.endsWith('_ms')) return typeof value;
    return typeof value === 'string' && /^-?\d+(\.\d+)?(e-\d+)?$/.test(value) ? Number(value) : value;
  }) as readonly unknown[];
}

describeOnEachEngine('the views for analysts', (emptyPlace) => {
  let server: RedialServer;
  let place: Place;
  let fork: string;

  const propose = (sessionId: string, specialistId: string) =>
    server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId });
  const view = (sql: string) => asked(place, sql);

  beforeAll(async () => {
    const models = { 'gpt-4o-mini': { inputPerMillion: 2, outputPerMillion: 4, cacheReadPerMillion: 1 } };
    const price = { version: 'now', from: '2020-01-01T00:00:00Z', currency: 'USD', models };
    place = await emptyPlace(true);
    server = await RedialServer.start({ place, options: { prices: [price] } });
    const overridden = await openRefund(server);
    await server.post('/v1/specialists', { ...clerk, specialistId: 'second' });
    await server.post('/v1/specialists', {
      role: 'proposer',
      specialistId: 'ann',
      machineName: 'refunds',
      isHuman: true,
    });
    server.llm.enqueue(chosen('approve'), chosen('escalate'));
    for (const specialistId of ['clerk', 'second']) await propose(overridden, specialistId);
    const escalated = { specialistId: 'ann', transitionName: 'escalate' };
    await server.post(`/v1/sessions/${overridden}/arbitrations`, escalated);
    const agreed = await openRefund(server);
    const first = {
      role: 'arbiter',
      specialistId: 'first',
      machineName: 'refunds',
      strategyFnName: 'firstProposal',
    };
    await server.post('/v1/specialists', first);
    const cached = { prompt_tokens_details: { cached_tokens: 40 } };
    server.llm.enqueue(chosen('approve', cached), chosen('approve'));
    for (const specialistId of ['clerk', 'second']) await propose(agreed, specialistId);
    await server.post(`/v1/sessions/${agreed}/arbitrations`);
    const failed = await openRefund(server);
    server.llm.enqueue(httpError(400));
    await propose(failed, 'clerk');
    const desk = {
      ...refunds,
      machineName: 'desk',
      specialists: [{ role: 'proposer', specialistId: 'eve', isHuman: true }],
    };
    await server.post('/v1/machines', desk);
    const waiting = await server.post('/v1/sessions', { machineName: 'desk' });
    await server.post(`/v1/sessions/${(waiting.body as { sessionId: string }).sessionId}/tick`);
    const forked = await server.post(`/v1/sessions/${overridden}/forks`, { atRevision: 0 });
    fork = (forked.body as { sessionId: string }).sessionId;
    await server.app.get(ProjectionRunner).caughtUpWithHead(20_000);
  });
  afterAll(() => server.stop());

  it('have a row for each live session, its rounds, decisions, proposals, calls, tasks and runs, and none for forks', async () => {
    const counts: Record<string, unknown> = {};
    for (const name of VIEWS) {
      const rows = await view(`select count(*) as n from redial_${name}`);
      [counts[name]] = comparable(rows).map((row) => (row as { n: number }).n);
    }
    expect(counts).toEqual({
      sessions: 4,
      rounds: 5,
      decisions: 2,
      proposals: 4,
      calls: 5,
      costs: 2,
      tasks: 1,
      runs: expect.any(Number),
    });
    expect(await view(`select session_id from redial_sessions where session_id = '${fork}'`)).toEqual([]);
    expect(await view(`select 1 from redial_runs where root_stream = 'session-${fork}'`)).toEqual([]);
  });

  it('have beside each id its key: those of the same id are equal in all views', async () => {
    const same = await view(`
      select count(*) as n from redial_decisions d
      join redial_rounds r on r.round_key = d.round_key and r.session_key = d.session_key
      join redial_sessions s on s.session_key = d.session_key
      join redial_proposals p on p.proposal_key = d.winning_proposal_key and p.is_late = 0
      join redial_calls c on c.solicitation_key = p.solicitation_key and c.round_key = p.round_key
      join redial_runs u on u.run_key = c.run_key
      where r.round_id = d.round_id and s.session_id = d.session_id and p.proposal_id = d.winning_proposal_id
        and c.round_id = p.round_id and u.run_id = c.run_id`);
    expect(comparable(same)).toEqual([{ n: 1 }]);
    const tasks = 'redial_tasks t join redial_sessions s on s.session_key = t.session_key';
    const waiting = await view(`select count(*) as n from ${tasks} where s.session_id = t.session_id`);
    expect(comparable(waiting)).toEqual([{ n: 1 }]);
  });

  it('show ids, times and facts as the API does', async () => {
    const { body } = await server.get('/v1/sessions?status=done');
    const [session] = (body as { items: { sessionId: string; createdAt: string; metaJson: object }[] }).items;
    const columns = 'session_id, created_at, meta_json';
    const rows = await view(
      `select ${columns} from redial_sessions where session_id = '${session?.sessionId}'`,
    );
    expect(rows).toEqual([
      {
        session_id: session?.sessionId,
        created_at: session?.createdAt,
        meta_json: JSON.stringify(session?.metaJson),
      },
    ]);
  });

  it('price a call as the API does', async () => {
    const { body } = await server.get('/v1/llm-calls?limit=500');
    const { items } = body as { items: { callId: string; costUSD?: number }[] };
    const rows = (await view('select call_id, cost_usd from redial_calls')) as {
      call_id: string;
      cost_usd: number;
    }[];
    const costs = Object.fromEntries(rows.map(({ call_id, cost_usd }) => [call_id, cost_usd]));
    for (const { callId, costUSD } of items) expect(costs[callId]).toBe(costUSD ?? null);
    expect(items.filter(({ costUSD }) => costUSD !== undefined).length).toBeGreaterThan(0);
  });

  it('answer each question of docs/views.md the same on every database', async () => {
    const answers: Record<string, unknown> = {};
    for (const [, question = '', sql = ''] of page.matchAll(/^(.+\?)\n\n```sql\n([\s\S]*?)```/gm))
      answers[question] = comparable(await view(sql));
    expect(answers).toEqual(ANSWERS);
  });

  it('are those of the filled rows after a rebuild', async () => {
    const before = await view('select * from redial_decisions order by session_id');
    const runner = server.app.get(ProjectionRunner);
    await runner.rebuild('sessions');
    const isFilling = async () => (await runner.status()).some(({ status }) => status === 'rebuilding');
    while (await isFilling()) await server.get('/v1/projections');
    expect(await view('select * from redial_decisions order by session_id')).toEqual(before);
  });
});
