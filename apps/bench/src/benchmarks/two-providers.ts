import type { Redial } from '#lib/engine';
import type { Benchmark } from '../comparison.js';
import { openCycleEngine } from '../fixtures/cycle-engine.js';
import { BENCH_KEY } from '../fixtures/decision-engine.js';
import { CHOSEN, decisionMachine } from '../fixtures/decision-machine.js';
import { ServerProcess } from '../servers/server-process.js';

const AT_ONCE = 32;
const [clerk] = decisionMachine.specialists;
const machine = {
  ...decisionMachine,
  machineName: 'pair',
  ask: 'together',
  specialists: [
    { ...clerk, specialistId: 'one' },
    { ...clerk, specialistId: 'other', modelId: 'other/bench' },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' },
  ],
} as const;

/** Rounds that two models on two providers decide, of 32 sessions at once. */
export const twoProviders: Benchmark = {
  name: 'two-providers',
  async open(folder) {
    const models = [
      await ServerProcess.start('./model-server.js', CHOSEN),
      await ServerProcess.start('./model-server.js', CHOSEN),
    ] as const;
    const [first, second] = models.map(({ url }) => url) as [string, string];
    const engine = await openCycleEngine(folder, {
      llm: { apiKey: BENCH_KEY, baseUrl: first },
      providers: { other: { baseUrl: second } },
    });
    await engine.redial.defineMachine(machine);
    const body = await sentBody(engine.redial);
    return {
      comparisons: [
        {
          name: `two-providers-${AT_ONCE}`,
          compared: `rounds of two models on two providers, ${AT_ONCE} sessions at once / the same two calls by fetch, nothing recorded`,
          unit: 'decisions',
          unitsPerCall: AT_ONCE,
          blocks: 8,
          callsPerBlock: 2,
          ours: () => all(() => decided(engine.redial)),
          bare: () => all(() => Promise.all([call(first, body), call(second, body)])),
        },
      ],
      async close() {
        await engine.close();
        for (const model of models) await model.stop();
      },
    };
  },
};

async function all(one: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

async function decided(redial: Redial): Promise<string> {
  const { sessionId, status } = await redial.runSession({ machineName: 'pair' });
  if (status !== 'done') throw new Error(`A session has ended as ${status}.`);
  return sessionId;
}

async function call(modelUrl: string, body: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${modelUrl}/chat/completions`, { method: 'POST', headers, body });
  if (!(await answer.text()).includes('tool_calls')) throw new Error('The model gave no answer.');
}

async function sentBody(redial: Redial): Promise<string> {
  const { items } = await redial.listLlmCallsOfSession({ sessionId: await decided(redial) });
  const { requestBody } = await redial.getLlmCall({ callId: items[0]?.callId ?? '' });
  return JSON.stringify(requestBody);
}
