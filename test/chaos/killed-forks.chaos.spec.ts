import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { ScriptedLlmServer, text } from '#lib/activities/testing';
import { randomOf } from '#lib/workflow/testing';
import { describeOnBothEngines } from '../support/places/describe-on-engines.js';
import { openLogOf } from '../support/places/open-log-of.js';
import type { Place } from '../support/places/place.js';
import { reviewedRefunds } from '../support/reviewed-refunds.js';
import { type Answer, ServerProcess } from '../support/server-process.js';

/** Half of them on each pair of stores. */
const KILLS = Math.ceil(Number(process.env['KILLS'] ?? 12) / 2);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const MOST_MS = 30_000;
const proposed = text({ transitionName: 'review', toState: 'review', reasoning: 'So.' });
const greeter = {
  agentName: 'greeter',
  model: 'gpt-4o-mini',
  flows: [{ title: 'Greeting', steps: [{ reply: 'Hello!' }] }],
};

interface Fork {
  readonly path: string;
  readonly body: string;
  readonly type?: string;
}

describeOnBothEngines(`forks under ${KILLS} kills, seed ${SEED}`, (emptyPlace) => {
  const random = randomOf(SEED);
  let place: Place;
  let llm: ScriptedLlmServer;
  let server: ServerProcess;

  afterEach(async () => {
    await server.kill();
    await llm.close();
  });

  async function start(): Promise<void> {
    server = await ServerProcess.at(place, llm);
  }

  const post = (path: string, body: object = {}) => server.post(path, body);
  const send = ({ path, body, type = 'application/json' }: Fork, key: string) =>
    server.post(path, body, { 'Content-Type': type, 'Idempotency-Key': key });

  /** A fork of a session, of its history file, of a conversation, and of a run whose request is asked again. */
  async function forks(): Promise<readonly Fork[]> {
    expect((await post('machines', reviewedRefunds)).status).toBe(201);
    const session = await post('sessions', { machineName: 'refunds', metaJson: { text: 'A cup.' } });
    const path = `sessions/${String(session.body['sessionId'])}`;
    expect((await post(`${path}/proposals`, { specialistId: 'clerk' })).status).toBe(201);
    const { body } = await post(`${path}/arbitrations`);
    expect(body).toMatchObject({ guardsPass: true });
    const history = await (await fetch(`${server.url}/v1/${path}/history`)).text();
    const { revision } = (await (await fetch(`${server.url}/v1/${path}`)).json()) as { revision: number };
    const fields = JSON.stringify({ atRevision: revision });
    expect((await post('agents', greeter)).status).toBe(201);
    const begun = await post('conversations', { agentName: 'greeter' });
    const conversation = `conversations/${String(begun.body['conversationId'])}`;
    await post(`${conversation}/directives`, { goTo: 'Greeting' });
    const turn = await post(`${conversation}/messages`, { text: 'Hello' });
    const input = { systemPrompt: 'You help.', userPrompt: 'Refund it.', model: 'gpt-4o-mini', tools: [] };
    const run = await post('runs', { workflow: 'planner', input, waitMs: MOST_MS });
    expect(run.body).toMatchObject({ status: 'completed' });
    return [
      { path: `runs/${String(run.body['runId'])}/forks`, body: JSON.stringify({ atRevision: 1 }) },
      { path: `${path}/forks`, body: fields },
      { path: 'histories/forks', body: `${fields}\n${history}`, type: 'application/x-ndjson' },
      { path: `${conversation}/forks`, body: JSON.stringify({ atTurn: turn.body['turnId'] }) },
    ];
  }

  it(
    'are made once for each key and whole, whichever write was the last before the kill',
    async () => {
      place = await emptyPlace(true);
      llm = await ScriptedLlmServer.start(() => proposed);
      await start();
      const asked = await forks();
      const made: Answer['body'][] = [];
      let usualMs = 100;
      for (let kill = 0; kill < KILLS; kill++) {
        const fork = asked[kill % asked.length] as Fork;
        const began = performance.now();
        if (kill < asked.length) made.push((await send(fork, `usual-${kill}`)).body);
        usualMs = kill < asked.length ? performance.now() - began : usualMs;
        const cut = send(fork, `key-${kill}`).catch(() => undefined);
        await Promise.race([cut, delay(random() * usualMs)]);
        await server.kill();
        const before = await Promise.race([cut, Promise.resolve()]);
        await start();
        const first = await send(fork, `key-${kill}`);
        expect([kill, first.status]).toEqual([kill, 201]);
        expect(before?.status === 201 ? before.body : first.body).toEqual(first.body);
        expect((await send(fork, `key-${kill}`)).body).toEqual(first.body);
        made.push(first.body);
      }
      for (const body of made) {
        const name = await pathOf(body);
        expect((await post(`${name}/replay`)).body).toMatchObject({ identical: true, open: 0 });
      }
      await checkLog(made.length);
    },
    60_000 + KILLS * MOST_MS,
  );

  /** The path of a fork; a run has ended then, whichever process asked for it. */
  async function pathOf(fork: Answer['body']): Promise<string> {
    if ('sessionId' in fork) return `sessions/${String(fork['sessionId'])}`;
    if ('conversationId' in fork) return `conversations/${String(fork['conversationId'])}`;
    const path = `runs/${String(fork['runId'])}`;
    const ended = await fetch(`${server.url}/v1/${path}?waitMs=${MOST_MS}`);
    expect(await ended.json()).toMatchObject({ status: 'completed' });
    return path;
  }

  /** As many streams begin with copies as keys were sent, and each goes on by itself. */
  async function checkLog(count: number): Promise<void> {
    const log = await openLogOf(place);
    const events = await log.store.readAll({ limit: 100_000 });
    const begun = events.filter(({ revision, data }) => revision === 0 && data.includes('"forkedFrom":'));
    expect(begun).toHaveLength(count);
    const own = events.filter(({ type }) => /^(?:Session|Conversation|Workflow)Forked$/.test(type));
    expect(own.map(({ stream }) => stream).toSorted()).toEqual(begun.map(({ stream }) => stream).toSorted());
    await log.store.close();
  }
});
