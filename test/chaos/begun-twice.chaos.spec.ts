import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  noAnswer,
  ScriptedLlmServer,
  type ScriptedReply,
  type ScriptedRequest,
  ScriptedWebhookServer,
  text,
  toolCall,
  reply,
} from '#lib/activities/testing';
import { describeOnBothEngines } from '../support/places/describe-on-engines.js';
import type { Place } from '../support/places/place.js';
import { variablesOf } from '../support/places/variables-of.js';
import { ServerProcess } from '../support/server-process.js';
import { type HttpAnswer, HttpCaller } from './http-caller.js';

/** Of a run's lease, of the pause between two sweeps, and what a busy machine adds. */
const TAKEOVER_MS = 15_000 + 5_000 + 60_000;
/** The model never answers the process with this key: it dies in the call. */
const KEY_OF_THE_KILLED = 'sk-canary-0123456789';

const planner = { systemPrompt: 'Plan', userPrompt: 'Charge', model: 'gpt-4o-mini', tools: ['charge'] };
const code = { instructions: 'Charge', model: 'gpt-4o-mini', tools: ['charge'] };

describeOnBothEngines('a run that is begun twice', (emptyPlace) => {
  let place: Place;
  let llm: ScriptedLlmServer;
  let webhook: ScriptedWebhookServer;
  const processes: ServerProcess[] = [];

  beforeEach(async () => {
    place = await emptyPlace(true);
    llm = await ScriptedLlmServer.start((request) =>
      request.headers.authorization === `Bearer ${KEY_OF_THE_KILLED}` ? noAnswer() : chargeOnce(request),
    );
    webhook = await ScriptedWebhookServer.start(() => reply({ body: '{"success":true,"data":1}' }));
  });

  afterEach(async () => {
    await Promise.all(processes.splice(0).map((each) => each.kill()));
    await llm.close();
    await webhook.close();
  });

  /** Processes differ in a setting that the facts of a run hold. */
  async function startProcess(apiKey: string): Promise<ServerProcess> {
    const started = await ServerProcess.start({
      ...variablesOf(place),
      OPENAI_API_KEY: apiKey,
      REDIAL_LLM_TIMEOUT_MS: String(100_000 + processes.length),
      OPENAI_BASE_URL: llm.baseUrl,
      REDIAL_WEBHOOK_PRIVATE_ADDRESSES: 'allow',
    });
    processes.push(started);
    return started;
  }

  /** A version of the tool: its webhook says which one was called. */
  async function registerTool(caller: HttpCaller, version: number): Promise<void> {
    const { status } = await caller.post('/v1/tools', {
      toolId: 'charge',
      description: `Charges, version ${version}`,
      parameters: { type: 'object' },
      execution: { webhookUrl: `${webhook.url}?version=${version}` },
    });
    expect(status).toBe(201);
  }

  /** The reply of a model that calls the tool once. */
  function chargeOnce({ body }: ScriptedRequest): ScriptedReply {
    const { messages } = body as { messages?: readonly { role: string; content?: string }[] };
    const isPlanner =
      messages?.some(({ content }) => content?.includes(planner.systemPrompt) ?? false) ?? false;
    if (!isPlanner) return text('await charge({});\nreturn { action: "done", value: "1" };');
    return messages?.some(({ role }) => role === 'tool') ? text('Charged.') : toolCall('charge', {});
  }

  function startRuns(caller: HttpCaller, keys: readonly string[]) {
    return Promise.all(
      keys.map((key, n) => {
        const [workflow, input] = n % 2 === 0 ? (['planner', planner] as const) : (['code', code] as const);
        return caller.post('/v1/runs', { workflow, input }, key);
      }),
    );
  }

  async function untilEnded(caller: HttpCaller, runId: unknown): Promise<unknown> {
    for (const until = Date.now() + TAKEOVER_MS; ;) {
      const { body } = await caller.get(`/v1/runs/${String(runId)}?waitMs=5000`);
      if (body['status'] !== 'running' || Date.now() > until) return body['status'];
    }
  }

  async function expectIdentical(caller: HttpCaller, runId: unknown): Promise<void> {
    const { body } = await caller.post(`/v1/runs/${String(runId)}/replay`, {});
    expect(body).toMatchObject({ identical: true, open: 0 });
  }

  function newKeys(): readonly string[] {
    return Array.from({ length: 4 }, () => randomUUID());
  }

  async function expectEnded(caller: HttpCaller, runs: readonly HttpAnswer[]): Promise<void> {
    for (const { body } of runs) {
      expect(await untilEnded(caller, body['runId'])).toBe('completed');
      await expectIdentical(caller, body['runId']);
    }
  }

  it('0.2-X5 the repeat of a start that reaches a second process while the first lives holds no run when the first is killed', async () => {
    const first = await startProcess(KEY_OF_THE_KILLED);
    const one = new HttpCaller(first.url);
    const other = new HttpCaller((await startProcess('sk-canary-9876543210')).url);
    await registerTool(one, 1);
    const keys = newKeys();
    const [started, atOnce] = await Promise.all([startRuns(one, keys), startRuns(other, keys)]);
    const later = await startRuns(other, keys);
    const idsOf = (runs: readonly HttpAnswer[]) => runs.map(({ body }) => body['runId']);
    expect([idsOf(atOnce), idsOf(later)]).toEqual([idsOf(started), idsOf(started)]);
    await first.kill();
    await expectEnded(other, started);
  });

  it('0.2-X1 a keyed start that is repeated after its process was killed drives the run that the log holds, with the versions of then', async () => {
    const first = await startProcess(KEY_OF_THE_KILLED);
    const keys = newKeys();
    await registerTool(new HttpCaller(first.url), 1);
    const started = await startRuns(new HttpCaller(first.url), keys);
    await llm.received(keys.length);
    await first.kill();
    const caller = new HttpCaller((await startProcess('sk-canary-9876543210')).url);
    await registerTool(caller, 2);
    const ended = expectEnded(caller, started);
    // Some repeats come after the leases ended and before the next sweep.
    const progress = { isDone: false };
    const noticed = () => void (progress.isDone = true);
    void ended.then(noticed, noticed);
    while (!progress.isDone) await startRuns(caller, keys);
    await ended;
    expect(new Set(webhook.requests.map(({ path }) => path))).toEqual(new Set(['/hook?version=1']));
  });
});
