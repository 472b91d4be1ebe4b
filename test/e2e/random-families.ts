import { httpError, type LlmScript, reply, ScriptedWebhookServer, text } from '#lib/activities/testing';
import type { JsonObject } from '#lib/kernel';
import type { Redial } from '#lib/engine';
import { startEngine, type TestEngine } from '../support/engine.js';
import type { Place } from '../support/places/place.js';
import type { Looked } from './as-it-was.js';
import { toolCalls } from '../support/tool-calls.js';

const MODEL = 'gpt-4o-mini';
const SAID = { transitionName: 'turn', reasoning: 'As before.' };
const named = { machineName: 'turns' };

const machine = {
  ...named,
  initialState: 'left',
  goalState: 'over',
  states: {
    left: { prompt: 'Turn?', transitions: { turn: 'right', stop: 'over', stay: 'left' } },
    right: {
      prompt: 'Turn?',
      people: { groups: ['turners'], approvals: 2, dueIn: 'PT1H' },
      transitions: { turn: 'left', stop: 'over' },
    },
    over: {},
  },
};

const agent = {
  agentName: 'clerk',
  model: MODEL,
  schema: { type: 'object', properties: { name: { type: 'string' } } },
  tools: ['charge', 'note'],
  flows: [
    { id: 'booking', title: 'Booking', requiredFields: ['name'], steps: [{ id: 'who', collect: ['name'] }] },
    { id: 'care', title: 'Care', steps: [{ id: 'ask', prompt: 'Ask how it went' }] },
  ],
};

const program = (code: string) => text(`\`\`\`ts\n${code}\n\`\`\``);
const failed = httpError(500, 'No.');
const charging = toolCalls(['charge', '{"amount":5}'], ['note', '']);
const unfit = toolCalls(['charge', '{"amount":"much"}'], ['nothing', '{"broken']);

/** The answers of the model, by the purpose of a request: which one follows is random. */
const answers = {
  session: [text({ ...SAID, toState: 'right' }), text('no idea'), text({ ...SAID, toState: 'left' }), failed],
  planner: [charging, unfit, text('Charged.'), failed],
  code: [
    program('const seen = await note({ a: 1 });\nreturn { action: "think", reason: "look", seen };'),
    program('await charge({ amount: 3 });\nreturn { action: "listen" };'),
    program('yield <Message>Hello</Message>;\nreturn { action: "listen" };'),
    program('return { action: "done", value: 1 };'),
    program('throw new Error("no");'),
    failed,
  ],
  extract: [text({}), text({ name: 'Ada' }), text('none'), failed],
  route: [
    text({ intent: 'to book', scores: { booking: 90, care: 10 } }),
    text({ intent: 'to ask', scores: { booking: 10, care: 90 } }),
  ],
  respond: [charging, text({ message: 'And?' }), unfit, failed],
} as const;

function purposeOf(body: unknown): keyof typeof answers {
  const { response_format: format } = body as { response_format?: { json_schema: { name: string } } };
  const purpose = format?.json_schema?.name ?? '';
  if (purpose in answers) return purpose as keyof typeof answers;
  const all = JSON.stringify(body);
  if (all.includes('Plan it.')) return 'planner';
  return all.includes('Write it.') ? 'code' : 'session';
}

type Commands<Root> = { readonly [name: string]: (redial: Redial, root: Root) => Promise<unknown> };

/** A root, and what may be asked of it. */
interface Begun {
  readonly root: Looked;
  readonly command: (name: string) => Promise<unknown> | undefined;
}

/** One family: the names of its commands, and how a root begins. A command that is refused is one, too. */
interface Family {
  readonly names: readonly string[];
  readonly begin: (redial: Redial) => Promise<Begun>;
}

function family<Root extends Looked>(
  begin: (redial: Redial) => Promise<Root>,
  commands: Commands<Root>,
): Family {
  return {
    names: Object.keys(commands),
    async begin(redial) {
      const root = await begin(redial);
      return { root, command: (name) => commands[name]?.(redial, root) };
    },
  };
}

type Session = { readonly sessionId: string };

const submit =
  (specialistId: string) =>
  async (redial: Redial, { sessionId }: Session) =>
    redial.submitProposal({ sessionId, specialistId });
const state =
  (transitionName: string) =>
  async (redial: Redial, { sessionId }: Session) =>
    redial.submitProposal({ sessionId, specialistId: 'boss', ...SAID, transitionName });
const decide =
  (transitionName: string, actor?: string) =>
  async (redial: Redial, { sessionId }: Session) => {
    const role = actor === undefined && { specialistId: 'boss' };
    return redial.submitArbitration(
      { sessionId, ...SAID, transitionName, ...role },
      actor === undefined ? {} : { actor },
    );
  };

/** The commands for a session. */
export const sessionCommands = {
  function: submit('function'),
  model: submit('model'),
  webhook: submit('webhook'),
  state: state('stay'),
  judge: async (redial, { sessionId }) => redial.submitArbitration({ sessionId, specialistId: 'judge' }),
  turn: decide('turn'),
  stay: decide('stay'),
  anna: decide('turn', 'anna'),
  bob: decide('turn', 'bob'),
  tick: async (redial, { sessionId }) => redial.tickSession({ sessionId }),
  stop: async (redial, { sessionId }) =>
    redial.executeTransition({ sessionId, transitionName: 'stop', toState: 'over', reasoning: 'Enough.' }),
  close: async (redial, { sessionId }) => redial.closeSession({ sessionId, reason: 'Enough.' }),
  disable: async (redial) => redial.disableSpecialist({ specialistId: 'model' }),
  enable: async (redial) => redial.enableSpecialist({ specialistId: 'model' }),
} satisfies Commands<Session>;

const signal =
  (name: string, payload: JsonObject) =>
  async (redial: Redial, { runId }: { readonly runId: string }) => {
    await redial.signalRun({ runId, name, payload });
    await redial.getRun({ runId, waitMs: 10_000 });
  };

const runCommands: Commands<{ readonly runId: string }> = {
  approve: signal('approval', { approved: true }),
  change: signal('approval', { approved: true, arguments: { amount: 7 } }),
  refuse: signal('approval', { approved: false, reason: 'No.' }),
  give: signal('approval', { approved: false, result: { paid: 1 } }),
  say: signal('message', { text: 'Go on' }),
  cancel: async (redial, { runId }) => redial.cancelRun({ runId, reason: 'Enough.' }),
};

const begun = (workflow: string, input: object) =>
  family(async (redial) => {
    const { runId } = await redial.startRun({ workflow, input: { model: MODEL, ...input }, waitMs: 10_000 });
    return { runId };
  }, runCommands);

type Conversation = { readonly conversationId: string };

const answerTurn =
  (payload: JsonObject) =>
  async (redial: Redial, { conversationId }: Conversation) =>
    redial.signalTurn({ conversationId, name: 'approval', payload });
const say =
  (said: string) =>
  async (redial: Redial, { conversationId }: Conversation) =>
    redial.sendMessage({ conversationId, text: said });

/** Sessions of machines, runs of the planner and of code, and conversations. */
export const families = {
  session: family(async (redial) => {
    const { sessionId } = await redial.createSession({ ...named, metaJson: { text: 'a' } });
    return { sessionId };
  }, sessionCommands),
  planner: begun('planner', { systemPrompt: 'Plan it.', userPrompt: 'Charge 5', tools: ['charge', 'note'] }),
  code: begun('code', { instructions: 'Write it.', tools: ['charge', 'note'] }),
  chat: begun('code', { instructions: 'Write it.', tools: ['charge', 'note'], chat: true }),
  conversation: family(
    async (redial) => {
      const { conversationId } = await redial.startConversation({ agentName: 'clerk' });
      return { conversationId };
    },
    {
      greet: say('Hi'),
      name: say('I am Ada'),
      approve: answerTurn({ approved: true }),
      change: answerTurn({ approved: true, arguments: { amount: 7 } }),
      refuse: answerTurn({ approved: false }),
    },
  ),
} as const satisfies { readonly [name: string]: Family };

/** An engine that has what roots of all families need. */
export class Stage {
  /** Which answers of the model follow: random, and the same again for the same play. */
  luck: readonly number[] = [];
  #asked = 0;

  private constructor(
    readonly engine: TestEngine,
    private readonly hook: ScriptedWebhookServer,
  ) {}

  static async start(place: Place): Promise<Stage> {
    const hook = await ScriptedWebhookServer.start(() => reply({ body: JSON.stringify(SAID) }));
    const staged: { stage?: Stage } = {};
    const script: LlmScript = ({ body }) => staged.stage?.answer(purposeOf(body)) ?? failed;
    const engine = await startEngine(script, {
      ...place,
      strategies: { turn: () => SAID },
      functions: { charge: () => ({ paid: true }), note: () => ({ noted: true }) },
      webhooks: { privateAddresses: 'allow', tokens: { TURNS_WEBHOOK_TOKEN: 'turns-canary-0123456789' } },
    });
    staged.stage = new Stage(engine, hook);
    await prepare(engine.redial, hook.url);
    return staged.stage;
  }

  answer(purpose: keyof typeof answers) {
    const { luck } = this;
    this.#asked += 1;
    const pool = answers[purpose];
    return pool[((luck[this.#asked % luck.length] ?? 0) + this.#asked) % pool.length];
  }

  async stop(): Promise<void> {
    await this.engine.stop();
    await this.hook.close();
  }
}

async function prepare(redial: Redial, webhookUrl: string): Promise<void> {
  await redial.defineMachine(machine);
  await redial.registerProposer({ ...named, specialistId: 'function', strategyFnName: 'turn' });
  const contextTemplate = 'Go {{metaJson.text}}';
  await redial.registerProposer({ ...named, specialistId: 'model', modelId: MODEL, contextTemplate });
  const webhookTokenName = 'TURNS_WEBHOOK_TOKEN';
  await redial.registerProposer({
    ...named,
    specialistId: 'webhook',
    strategyWebhookUrl: webhookUrl,
    webhookTokenName,
  });
  await redial.registerProposer({ ...named, specialistId: 'boss', isHuman: true });
  await redial.registerArbiter({ ...named, specialistId: 'judge', strategyFnName: 'alignmentMargin' });
  for (const personId of ['anna', 'bob'])
    await redial.registerPerson({ personId, name: personId, role: 'reviewer', groups: ['turners'] });
  const amount = { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] };
  for (const [toolId, parameters] of [
    ['charge', amount],
    ['note', { type: 'object' }],
  ] as const)
    await redial.registerTool({
      toolId,
      description: `Does ${toolId}`,
      parameters,
      execution: { fnName: toolId },
      policy: { needsApproval: toolId === 'charge' },
    });
  await redial.defineAgent(agent);
}
