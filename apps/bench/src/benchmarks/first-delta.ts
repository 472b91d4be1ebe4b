import type { Benchmark, Observation } from '../comparison.js';
import { BENCH_KEY, type DecisionEngine, openDecisionEngine } from '../fixtures/decision-engine.js';
import { decisionMachine } from '../fixtures/decision-machine.js';
import { median } from '../median.js';
import { quantile } from '../quantile.js';

const WARM_UP = 10;
const OBSERVED = 100;
const [clerk] = decisionMachine.specialists;
const machine = {
  ...decisionMachine,
  machineName: 'streamed',
  specialists: [{ ...clerk, modelParameters: { stream: true } }],
};

/** Until the first text of a streamed reply is shown: through Redial, from the command on, and by a fetch of the same body. */
export const firstDelta: Benchmark = {
  name: 'first-delta',
  async open(folder) {
    const engine = await openDecisionEngine(folder);
    await engine.redial.defineMachine(machine);
    return { comparisons: [], observe: () => observe(engine), close: () => engine.close() };
  },
};

/** The two take turns: other work of the machine affects both. */
async function observe(engine: DecisionEngine): Promise<readonly Observation[]> {
  const body = await sentBody(engine);
  const times: { readonly ours: number; readonly bare: number }[] = [];
  for (let n = 0; n < WARM_UP + OBSERVED; n++) {
    const time = { ours: await throughRedial(engine), bare: await bareClient(engine.modelUrl, body) };
    if (n >= WARM_UP) times.push(time);
  }
  return [
    ...observations(
      'first-delta',
      'from the proposal to the first delta',
      times.map(({ ours }) => ours),
    ),
    ...observations(
      'first-delta-bare',
      'from a fetch to its first text',
      times.map(({ bare }) => bare),
    ),
    ...observations(
      'first-delta-adds',
      'what Redial adds',
      times.map(({ ours, bare }) => ours - bare),
    ),
  ];
}

function observations(name: string, observed: string, values: readonly number[]): readonly Observation[] {
  return [
    { name: `${name}-p50`, value: median(values), unit: 'ms', observed },
    { name: `${name}-p99`, value: quantile(values, 0.99), unit: 'ms', observed: 'the same' },
  ];
}

async function throughRedial({ redial, deltas }: DecisionEngine): Promise<number> {
  const { sessionId } = await redial.createSession({ machineName: 'streamed' });
  const start = performance.now();
  let first: number | undefined;
  const leave = deltas.listen(sessionId, () => (first ??= performance.now() - start));
  await redial.submitProposal({ sessionId, specialistId: 'clerk' });
  leave();
  if (first === undefined) throw new Error('No delta came.');
  return first;
}

async function bareClient(modelUrl: string, body: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${BENCH_KEY}` };
  const start = performance.now();
  const answer = await fetch(`${modelUrl}/chat/completions`, { method: 'POST', headers, body });
  let first: number | undefined;
  let text = '';
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    if (text.includes('"content"')) first ??= performance.now() - start;
  }
  if (first === undefined) throw new Error('No text came.');
  return first;
}

async function sentBody({ redial }: DecisionEngine): Promise<string> {
  const { sessionId } = await redial.createSession({ machineName: 'streamed' });
  await redial.submitProposal({ sessionId, specialistId: 'clerk' });
  const { items } = await redial.listLlmCallsOfSession({ sessionId });
  const { requestBody } = await redial.getLlmCall({ callId: items[0]?.callId ?? '' });
  return JSON.stringify(requestBody);
}
