import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Benchmark, Comparison, Observation } from '../comparison.js';
import { BareDecision } from '../fixtures/bare-decision.js';
import { BENCH_KEY, openDecisionEngine } from '../fixtures/decision-engine.js';
import { decisionMachine, OpenSessions } from '../fixtures/decision-machine.js';
import {
  AT_ONCE,
  bytesOfDecision,
  compareDecisions,
  decisionsPerComparison,
  GOALS_BESIDE_FLOOR,
  propose,
} from '../fixtures/decision-sides.js';
import { median } from '../median.js';
import { ServerProcess } from '../servers/server-process.js';

const FLOOR = 'one fetch between two durable inserts of the same bytes';
const OBSERVED = 60;

/** One keyed proposal of a model, beside the floor: the same bytes in the same two flushes, and the same call. */
export const decision: Benchmark = {
  name: 'decision',
  async open(folder) {
    const engine = await openDecisionEngine(join(folder, 'facade'));
    const environment = {
      REDIAL_DATA_DIR: join(folder, 'http'),
      OPENAI_API_KEY: BENCH_KEY,
      OPENAI_BASE_URL: engine.modelUrl,
    };
    const { redial } = engine;
    const bare = new BareDecision(
      join(folder, 'bare.sqlite'),
      engine.modelUrl,
      await bytesOfDecision(engine),
    );
    const server = await ServerProcess.start('./redial-server.js', JSON.stringify(environment));
    const call = (path: string, body: object) => post(`${server.url}/v1${path}`, body);
    await call('/machines', decisionMachine);
    const byFacade = await sessions(redial);
    const byHttp = await sessions({
      createSession: (input = {}) => call('/sessions', input) as ReturnType<typeof redial.createSession>,
    });
    const facade = () => propose(redial, byFacade.take());
    const http = () => call(`/sessions/${byHttp.take()}/proposals`, { specialistId: 'clerk' });
    const beside = (name: string, goal: number, atOnce: number, ours: () => Promise<unknown>) =>
      compareDecisions({
        name: `decision-${name}`,
        other: FLOOR,
        goal,
        atOnce,
        ours,
        bare: () => bare.decide(),
      });
    const side = (
      name: string,
      [oneByOne, atOnce]: readonly [number, number],
      decide: () => Promise<unknown>,
    ): readonly Comparison[] => [beside(name, atOnce, AT_ONCE, decide), beside(name, oneByOne, 1, decide)];
    return {
      comparisons: [...side('facade', GOALS_BESIDE_FLOOR, facade), ...side('http', [1 / 8, 1 / 2], http)],
      observe: () => observe(facade, http),
      async close() {
        await server.stop();
        bare.close();
        await engine.close();
      },
    };
  },
};

/** One session for each proposal of both comparisons, and of the observations. */
async function sessions(redial: Parameters<OpenSessions['make']>[0]): Promise<OpenSessions> {
  const open = new OpenSessions();
  await open.make(redial, 2 * decisionsPerComparison + OBSERVED);
  return open;
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** The two take turns: other work of the machine affects both. */
async function observe(
  facade: () => Promise<unknown>,
  http: () => Promise<unknown>,
): Promise<readonly Observation[]> {
  const times: { readonly one: number; readonly other: number }[] = [];
  while (times.length < OBSERVED) times.push({ one: await timed(facade), other: await timed(http) });
  const unit = 'ms';
  return [
    {
      name: 'decision-facade-p50',
      value: median(times.map(({ one }) => one)),
      unit,
      observed: 'a proposal, one after another',
    },
    {
      name: 'decision-http-p50',
      value: median(times.map(({ other }) => other)),
      unit,
      observed: 'the same over HTTP',
    },
    {
      name: 'decision-http-adds',
      value: median(times.map(({ one, other }) => other - one)),
      atMost: 2,
      unit,
      observed: 'what HTTP adds',
    },
  ];
}

async function timed(decide: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await decide();
  return performance.now() - start;
}
