import type { AgentInput } from '#lib/flows/core';
import { jsonText } from '#lib/kernel';
import type { Benchmark, Observation } from '../comparison.js';
import { type DecisionEngine, openDecisionEngine } from '../fixtures/decision-engine.js';
import { median } from '../median.js';

const SHORT = 10;
const LONG = [1_000, 5_000];
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
  const start = async () =>
    (await engine.redial.startConversation({ agentName: agent.agentName })).conversationId;
  const long = await start();
  const observed: Observation[] = [];
  let taken = 0;
  for (const length of LONG) {
    await turns(engine, long, length - taken);
    const short = await start();
    await turns(engine, short, SHORT);
    observed.push(...(await compared(engine, { short, long, length })));
    taken = length + TAKEN;
  }
  return observed;
}

interface Compared {
  readonly short: string;
  readonly long: string;
  /** Turns of the long one. */
  readonly length: number;
}

/** Turns of a short and of a long conversation, in turn: other work of the machine affects both. */
async function compared(
  engine: DecisionEngine,
  { short, long, length }: Compared,
): Promise<readonly Observation[]> {
  const ofShort: Turn[] = [];
  const ofLong: Turn[] = [];
  for (let n = 0; n < TAKEN; n++) {
    ofShort.push(...(await turns(engine, short, 1)));
    ofLong.push(...(await turns(engine, long, 1)));
  }
  const [near, far] = [await middle(engine, ofShort), await middle(engine, ofLong)];
  const name = `long-conversation-${length}`;
  const [unit, times] = ['ms', 'times'];
  return [
    { name, value: far.ms, unit, observed: `a turn after ${length} turns` },
    { name: `${name}-short`, value: near.ms, unit, observed: `a turn after ${SHORT} turns, beside it` },
    {
      name: `${name}-ratio`,
      value: far.ms / near.ms,
      atMost: 1.5,
      unit: times,
      observed: 'the one to the other',
    },
    {
      name: `${name}-bytes`,
      value: far.bytes / near.bytes,
      atMost: 1.5,
      unit: times,
      observed: 'the bytes of their events',
    },
  ];
}

interface Turn {
  readonly turnId: string;
  readonly ms: number;
}

/** The median of some turns: their time, and the bytes of the events of their runs. */
async function middle({ log }: DecisionEngine, taken: readonly Turn[]) {
  const sizes = taken.map(async ({ turnId }) => {
    const events = await log.readStream(log.streams.of('turn', turnId));
    return Buffer.byteLength(jsonText(events.map(({ data }) => data)));
  });
  return { ms: median(taken.map(({ ms }) => ms)), bytes: median(await Promise.all(sizes)) };
}

async function turns(
  { redial }: DecisionEngine,
  conversationId: string,
  count: number,
): Promise<readonly Turn[]> {
  const taken: Turn[] = [];
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
