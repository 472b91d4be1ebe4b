import { httpError, type LlmScript, type ScriptedReply, text, toolCall } from '#lib/activities/testing';
import type { Redial, RedialOptions } from '#lib/engine';
import type { RunsSubject } from './run-histories.js';
import { toolCalls } from '../support/tool-calls.js';

/** A conversation or a run to record: what the model and the functions answer, and what is asked of the engine. */
export interface RunScenario {
  readonly name: string;
  /** Begins with its first reply each time it is read: specs share this value. */
  readonly script: LlmScript;
  readonly functions: NonNullable<RedialOptions['functions']>;
  readonly play: (redial: Redial) => Promise<RunsSubject>;
}

const MODEL = 'gpt-4o-mini';
const amount = { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] };

async function register(redial: Redial, toolIds: readonly string[]): Promise<void> {
  for (const toolId of toolIds)
    await redial.registerTool({
      toolId,
      description: `Does ${toolId}`,
      parameters: toolId === 'charge' ? amount : { type: 'object' },
      execution: { fnName: toolId },
      policy: { needsApproval: toolId === 'charge' },
    });
}

/** Answers for each purpose of a turn, one after another; the last one stays. */
function byPurpose(answers: { readonly [purpose: string]: readonly (object | ScriptedReply)[] }): LlmScript {
  const asked = new Map<string, number>();
  return ({ body }) => {
    const { response_format: format } = body as { response_format?: { json_schema: { name: string } } };
    const purpose = format?.json_schema.name ?? '';
    const count = asked.get(purpose) ?? 0;
    asked.set(purpose, count + 1);
    const given = answers[purpose]?.[count] ?? answers[purpose]?.at(-1) ?? {};
    return 'status' in given && 'headers' in given ? (given as ScriptedReply) : text(given);
  };
}

/** The day is asked for after the name; the flow says what follows it. */
const booking = {
  id: 'booking',
  title: 'Booking',
  requiredFields: ['name'],
  hooks: { onEnter: { fn: 'entered' }, onComplete: { fn: 'booked' } },
  steps: [{ id: 'who', collect: ['name'], prepare: 'look', hooks: { finalize: { fn: 'finalized' } } }],
};
const care = { id: 'care', title: 'Care', steps: [{ id: 'ask', prompt: 'Ask how it went' }] };
const agent = {
  agentName: 'clerk',
  model: MODEL,
  schema: { type: 'object', properties: { name: { type: 'string' }, visitId: { type: 'string' } } },
  tools: ['charge', 'note', 'look'],
  signals: [{ id: 'greeted', phase: 'pre' as const, handler: { fn: 'greeted' }, behavior: 'once' as const }],
  flows: [booking, care],
};

const conversation: RunScenario = {
  name: 'conversation',
  get script() {
    return byPurpose({
      extract: [{}, { name: 'Ada' }, {}],
      route: [{ intent: 'to book', scores: { booking: 90, care: 10 } }],
      respond: [
        toolCalls(['charge', '{"amount":5}'], ['note', ''], ['nothing', '{}']),
        { message: 'Charged.' },
        { message: 'How was it?' },
      ],
    });
  },
  functions: {
    charge: () => ({ paid: true, dataUpdate: { visitId: 'v-1' } }),
    note: () => 'noted',
    look: () => ({ contextUpdate: { looked: true } }),
    entered: () => ({ dataUpdate: { visitId: 'v-0' } }),
    booked: () => ({ goTo: 'care', reason: 'booked' }),
    finalized: () => ({ contextUpdate: { finalized: true }, note: 'not a member' }),
    greeted: () => ({ contextUpdate: { greeted: true } }),
  },
  play: async (redial) => {
    await register(redial, agent.tools);
    await redial.defineAgent(agent);
    const { conversationId } = await redial.startConversation({ agentName: 'clerk' });
    const payload = { approved: true, arguments: { amount: 7 } };
    await redial.sendMessage({ conversationId, text: 'Charge me 5' });
    await redial.signalTurn({ conversationId, name: 'approval', payload });
    await redial.sendMessage({ conversationId, text: 'I am Ada' });
    await redial.sendMessage({ conversationId, text: 'Fine' });
    return { conversationId };
  },
};

/** The first model fails; the flow follows itself; a directive gives data beside its position; the history is compacted twice. */
const directed: RunScenario = {
  name: 'directed',
  get script() {
    return byPurpose({
      extract: [httpError(503, 'overloaded'), { name: '' }, { name: 'Ada', visitId: 'v-1' }, {}],
      route: [{ intent: 'to book', scores: { again: 90, care: 10 } }],
      respond: [{ message: `Yes. ${'It is so. '.repeat(20)}` }],
      compact: [{ summary: 'They booked.' }],
    });
  },
  functions: { greeted: () => ({ contextUpdate: { greeted: true } }) },
  play: async (redial) => {
    const again = { ...booking, id: 'again', reentrant: true, hooks: { onComplete: { goTo: 'again' } } };
    await redial.defineAgent({
      agentName: 'directed',
      model: MODEL,
      backupModels: ['gpt-4o'],
      schema: agent.schema,
      signals: [{ id: 'greeted', phase: 'both', handler: { fn: 'greeted' }, behavior: 'once' }],
      flows: [
        {
          ...again,
          steps: [
            { id: 'who', collect: ['name'] },
            { id: 'which', collect: ['visitId'] },
          ],
        },
        care,
      ],
      compaction: { maxTokens: 200, preserveRecentCount: 2 },
    });
    const { conversationId } = await redial.startConversation({ agentName: 'directed' });
    for (const text of ['Book', 'Hm', 'Ada, v-1']) await redial.sendMessage({ conversationId, text });
    await redial.dispatchDirective({ conversationId, appendPrompt: ['Be brief'] });
    await redial.sendMessage({ conversationId, text: 'And now?' });
    const dataUpdate = { visitId: 'v-2' };
    await redial.dispatchDirective({ conversationId, reset: { clearData: true }, dataUpdate });
    await redial.sendMessage({ conversationId, text: 'Go on' });
    return { conversationId };
  },
};

const planner: RunScenario = {
  name: 'planner',
  script: [
    toolCalls(['note', ''], ['charge', '{"amount":"much"}'], ['nothing', '{"broken']),
    toolCall('charge', { amount: 5 }),
    text('Charged.'),
  ],
  functions: { charge: () => undefined, note: () => ({ at: [1, null] }) },
  play: async (redial) => {
    await register(redial, ['charge', 'note']);
    const input = {
      systemPrompt: 'You help.',
      userPrompt: 'Charge 5',
      model: MODEL,
      tools: ['charge', 'note'],
    };
    const { runId } = await redial.startRun({ workflow: 'planner', input, waitMs: 10_000 });
    const payload = { approved: true, arguments: { amount: 7 } };
    await redial.signalRun({ runId, name: 'approval', payload });
    await redial.getRun({ runId, waitMs: 10_000 });
    return { workflow: 'planner', runId };
  },
};

const fenced = (program: string) => text(`\`\`\`ts\n${program}\n\`\`\``);

const code: RunScenario = {
  name: 'code',
  script: [
    fenced('const seen = await note({ a: 1 });\nreturn { action: "think", reason: "look", seen };'),
    fenced('await note({ b: 2 });\nreturn { action: "done", value: "never" };'),
    fenced('return { action: "done", value: `Noted.【0】` };'),
  ],
  functions: {
    note: () => ({ noted: true, text: 'It rains' }),
    before: (input) =>
      (input as { input: { b?: number } }).input.b === 2
        ? { think: { reason: 'wait', context: { b: 2 } } }
        : null,
    after: () => ({ output: { noted: 'changed' } }),
    ended: () => null,
  },
  play: async (redial) => {
    await register(redial, ['note']);
    const hooks = {
      onBeforeTool: { fn: 'before' },
      onAfterTool: { fn: 'after' },
      onIterationEnd: { fn: 'ended' },
    };
    const input = { instructions: 'Note it.', model: MODEL, tools: ['note'], hooks, citations: ['a source'] };
    const { runId } = await redial.startRun({ workflow: 'code', input, waitMs: 10_000 });
    return { workflow: 'code', runId };
  },
};

const chat: RunScenario = {
  name: 'chat',
  script: [
    fenced('yield <Message>Hello【0】</Message>;\nreturn { action: "listen" };'),
    fenced(
      'yield <Message>Bye</Message>;\nreturn { action: "done", value: { success: false, error: "no" } };',
    ),
  ],
  functions: {},
  play: async (redial) => {
    const input = { instructions: 'Talk.', model: MODEL, tools: [], chat: true, citations: ['a source'] };
    const exits = [{ name: 'done', description: 'Over' }];
    const { runId } = await redial.startRun({ workflow: 'code', input: { ...input, exits }, waitMs: 10_000 });
    for (const said of ['Hi', 'Bye']) {
      await redial.signalRun({ runId, name: 'message', payload: { text: said } });
      await redial.getRun({ runId, waitMs: 10_000 });
    }
    return { workflow: 'code', runId };
  },
};

export const runScenarios: readonly RunScenario[] = [conversation, directed, planner, code, chat];
