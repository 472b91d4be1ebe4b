import type { AgentInput } from '#lib/engine';
import { jsonText } from '#lib/kernel';
import type { Benchmark, Observation } from '../comparison.js';
import { type DecisionEngine, openDecisionEngine } from '../fixtures/decision-engine.js';
import { median } from '../median.js';

const SHORT = 10;
const LONG = 1_000;
const TAKEN = 20;
const CONVERSATIONS = 200;
const TURNS = 50;

/** Two calls of the model a turn: routing, and the answer. */
const agent: AgentInput = {
  agentName: 'bench',
  model: 'gpt-4o-mini',
  flows: [{ id: 'talk', title: 'Talk', reentrant: true, steps: [{ id: 'talk', prompt: 'Talk' }] }],
  maxToolLoops: 0,
  compaction: { maxTokens: 1_000 },
};

/** Whether a turn takes longer, or writes more, in a long conversation. */
export const longConversation: Benchmark = {
  name: 'long-conversation',
  group: 'conversations',
  onlyByName: true,
  open: (folder) => opened(folder, observeLong),
};

/** Turns of many conversations at once. */
export const manyConversations: Benchmark = {
  name: 'many-conversations',
  group: 'conversations',
  onlyByName: true,
  open: (folder) => opened(folder, observeMany),
};

async function opened(folder: string, observe: (engine: DecisionEngine) => Promise<readonly Observation[]>) {
  const engine = await openDecisionEngine(folder);
  await engine.redial.defineAgent(agent);
  return { comparisons: [], observe: () => observe(engine), close: () => engine.close() };
}

async function observeLong(engine: DecisionEngine): Promise<readonly Observation[]> {
  const { conversationId } = await engine.redial.startConversation({ agentName: agent.agentName });
  await turns(engine, conversationId, SHORT - TAKEN / 2);
  const short = await measured(engine, conversationId);
  await turns(engine, conversationId, LONG - SHORT - TAKEN);
  const long = await measured(engine, conversationId);
  const at = (turn: number, { ms, bytes }: Measured) => [
    { name: `long-conversation-${turn}`, value: ms, unit: 'ms', observed: `a turn after ${turn} turns` },
    { name: `long-conversation-${turn}-kB`, value: bytes / 1000, unit: 'kB', observed: 'events of it' },
  ];
  return [
    ...at(SHORT, short),
    ...at(LONG, long),
    ratio('long-conversation', long.ms / short.ms, 1.5),
    ratio('long-conversation-bytes', long.bytes / short.bytes, 1.5),
  ];
}

function ratio(name: string, value: number, atMost: number): Observation {
  return { name, value, atMost, unit: 'times', observed: 'the one to the other' };
}

interface Measured {
  readonly ms: number;
  readonly bytes: number;
}

/** The middle of some turns: how long they take, and the bytes of the events of their runs. */
async function measured(engine: DecisionEngine, conversationId: string): Promise<Measured> {
  const taken = await turns(engine, conversationId, TAKEN);
  const sizes = taken.map(async ({ turnId }) => {
    const events = await engine.log.readStream(engine.log.streams.of('turn', turnId));
    return Buffer.byteLength(jsonText(events.map(({ data }) => data)));
  });
  return { ms: median(taken.map(({ ms }) => ms)), bytes: median(await Promise.all(sizes)) };
}

async function turns({ redial }: DecisionEngine, conversationId: string, count: number) {
  const taken: { readonly turnId: string; readonly ms: number }[] = [];
  for (let n = 0; n < count; n++) {
    const start = performance.now();
    const { turnId } = await redial.sendMessage({ conversationId, text: 'What do you think of this one?' });
    taken.push({ turnId, ms: performance.now() - start });
  }
  return taken;
}

async function observeMany(engine: DecisionEngine): Promise<readonly Observation[]> {
  const { agentName } = agent;
  const started = await Promise.all(
    Array.from({ length: CONVERSATIONS }, () => engine.redial.startConversation({ agentName })),
  );
  const start = performance.now();
  const times = await Promise.all(
    started.map(async ({ conversationId }) => turns(engine, conversationId, TURNS)),
  );
  const seconds = (performance.now() - start) / 1000;
  const each = median(times.flat().map(({ ms }) => ms));
  const observed = `${CONVERSATIONS} conversations of ${TURNS} turns at once`;
  return [
    { name: 'many-conversations', value: (CONVERSATIONS * TURNS) / seconds, unit: 'turns/s', observed },
    { name: 'many-conversations-turn', value: each, unit: 'ms', observed: 'the middle turn of them' },
  ];
}
