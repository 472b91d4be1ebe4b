import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Benchmark, Comparison, Observation } from '../comparison.js';
import { BareDecision, type DecisionBytes } from '../fixtures/bare-decision.js';
import { BENCH_KEY, type DecisionEngine, openDecisionEngine } from '../fixtures/decision-engine.js';
import { decisionMachine, OpenSessions } from '../fixtures/decision-machine.js';
import { median } from '../median.js';
import { ServerProcess } from '../servers/server-process.js';

const AT_ONCE = 32;
const BLOCKS = 8;
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
    const side = (name: string, decide: () => Promise<unknown>): readonly Comparison[] => [
      comparison(`decision-${name}`, 1 / 8, 1, decide, bare),
      comparison(`decision-${name}-${AT_ONCE}`, 1 / 2, AT_ONCE, decide, bare),
    ];
    return {
      comparisons: [...side('facade', facade), ...side('http', http)],
      observe: () => observe(facade, http),
      async close() {
        await server.stop();
        bare.close();
        await engine.close();
      },
    };
  },
};

function comparison(
  name: string,
  goal: number,
  atOnce: number,
  decide: () => Promise<unknown>,
  bare: BareDecision,
): Comparison {
  const all = async (one: () => Promise<unknown>) => {
    await Promise.all(Array.from({ length: atOnce }, one));
  };
  return {
    name,
    compared: `proposals of a model, ${atOnce} at once / one fetch between two durable inserts of the same bytes`,
    unit: 'decisions',
    goal,
    unitsPerCall: atOnce,
    blocks: BLOCKS,
    callsPerBlock: callsFor(atOnce),
    ours: () => all(decide),
    bare: () => all(() => bare.decide()),
  };
}

function callsFor(atOnce: number): number {
  return atOnce === 1 ? 8 : 2;
}

/** One session for each proposal of all blocks, of the block that does not count, and of what is observed. */
async function sessions(redial: Parameters<OpenSessions['make']>[0]): Promise<OpenSessions> {
  const open = new OpenSessions();
  const inBlock = callsFor(1) + AT_ONCE * callsFor(AT_ONCE);
  await open.make(redial, (BLOCKS + 1) * inBlock + OBSERVED);
  return open;
}

async function propose({ submitProposal }: DecisionEngine['redial'], sessionId: string): Promise<unknown> {
  return submitProposal({ sessionId, specialistId: 'clerk' }, { idempotencyKey: randomUUID() });
}

async function bytesOfDecision({ redial, log }: DecisionEngine): Promise<DecisionBytes> {
  const { sessionId } = await redial.createSession({ machineName: 'decision' });
  const head = await log.store.head();
  await propose(redial, sessionId);
  const events = await log.store.readAll({ ...(head && { from: head }), limit: 100 });
  const requested = events.findIndex(({ type }) => type === 'LlmCallRequested');
  const { items } = await redial.listLlmCallsOfSession({ sessionId });
  const { requestBody } = await redial.getLlmCall({ callId: items[0]?.callId ?? '' });
  return {
    before: events.slice(0, requested + 1),
    after: events.slice(requested + 1),
    body: JSON.stringify(requestBody),
  };
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** The two take turns: what else the machine does meets both. */
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
