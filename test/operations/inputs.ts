import type { GateDefinition } from '#lib/decisions/gates';
import type { MachineInput } from '#lib/decisions/machines';
import { type ScriptedReply, text, toolCall } from '#lib/activities/testing';
import { approval } from '../support/approval.workflow.js';
import type { RedialServer } from '../support/redial-server.js';
import { stumbling } from '../support/stumbling.workflow.js';
import { acting, type Door } from './doors.js';
import { parkDeliveries, reactionInputs } from './parked-deliveries.js';
import { experiment, restingExperiment } from './resting-experiment.js';
import { beginAboutSubjects, subjectInputs } from './subjects.js';

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

const lookup = {
  description: 'Finds an order',
  parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
  execution: { webhookUrl: 'https://example.com/orders' },
  policy: { readOnly: true },
};

/** Workflows of code: one waits for a person, one stumbles. The OpenAPI document shows their names. */
export const workflows = [
  { ...approval, name: 'refund_check' },
  { ...stumbling, name: 'delivery' },
];

/** Says hello without a model. */
const greeter = {
  agentName: 'a_greeter',
  model: 'gpt-4o-mini',
  flows: [{ title: 'Greeting', steps: [{ reply: 'Hello!' }] }],
};

/** Asks a model that pays, once a person approves. */
const payer = {
  agentName: 'a_payer',
  model: 'gpt-4o-mini',
  flows: [{ title: 'Paying', steps: [{ prompt: 'Pay', tools: ['a_payment'] }] }],
};

/** A case that a model and a person are asked about. */
const gift = {
  machineName: 'gift',
  initialState: 'offered',
  goalState: 'kept',
  states: {
    offered: {
      prompt: 'Keep it?',
      transitions: { keep: { target: 'kept', description: 'Keep it' }, decline: 'returned' },
    },
    kept: {},
    returned: {},
  },
  specialists: [
    { role: 'proposer', specialistId: 'model', modelId: 'gpt-4o-mini', contextTemplate: 'A gift.' },
    { role: 'proposer', specialistId: 'ann', isHuman: true },
    { role: 'proposer', specialistId: 'other', strategyFnName: 'firstAvailable' },
  ],
} satisfies MachineInput;

/** A case that one person decides: no tick changes it. */
const chore = {
  machineName: 'chore',
  initialState: 'offered',
  goalState: 'kept',
  states: gift.states,
  specialists: [{ role: 'proposer', specialistId: 'keeper', personId: 'fay', isHuman: true }],
} satisfies MachineInput;

/** The input of each operation with which it succeeds. Names differ by door: each creates and deletes its own. */
export const inputs: { readonly [operation: string]: (door: Door) => object } = {
  getCollapseMetrics: () => ({ machineName: 'gift' }),
  getDecisionDays: () => ({ machineName: 'gift' }),
  getDecisionLog: () => ({ machineName: 'gift', how: 'override', from: '2020-01-01T00:00:00Z' }),
  getAlignment: () => ({ machineName: 'gift', rule: 'ratio;halfLife=5' }),
  importExemplars: () => ({
    machineName: 'gift',
    exemplars: [{ state: 'offered', transitionName: 'keep', specialistId: 'ann' }],
  }),
  listExemplars: () => ({ machineName: 'gift', state: 'offered' }),
  getInbox: () => ({ machineName: 'gift' }),
  getModelStatistics: () => ({ by: 'day', machineName: 'gift' }),
  defineMachine: (door) => ({ machine: { ...gift, machineName: `parcel-of-${door}`, specialists: [] } }),
  proveMachine: () => ({ machine: gift, properties: [{ reaches: gift.goalState }] }),
  simulateMachine: () => ({ machineName: 'gift', consensusThreshold: 0.5, trust: { minComparisons: 1 } }),
  validateMachine: () => ({ machine: { ...gift, goalState: 'lost' } }),
  listMachines: () => ({ limit: 1 }),
  getMachine: () => ({ machineName: 'gift', version: 1 }),
  getMachineDiagram: () => ({ machineName: 'gift' }),
  registerSpecialist: (door) => ({
    role: 'arbiter',
    specialistId: `referee-of-${door}`,
    machineName: 'gift',
    strategyFnName: 'aheadByK',
    threshold: 0.5,
    disabled: true,
  }),
  listSpecialists: () => ({ machineName: 'gift', role: 'proposer' }),
  getSpecialist: () => ({ specialistId: 'model', machineName: 'gift', version: 1 }),
  listSpecialistVersions: () => ({ specialistId: 'model', machineName: 'gift' }),
  enableSpecialist: () => ({ specialistId: 'other', machineName: 'gift' }),
  disableSpecialist: () => ({ specialistId: 'other', machineName: 'gift' }),
  createGate: (door) => ({ gate: { gateId: `discount-gate-of-${door}`, choices: { yes: 'Agree', no: {} } } }),
  listGates: () => ({ limit: 1 }),
  getGate: () => ({ gateId: 'refund-gate' }),
  deleteGate: (door) => ({ gateId: `old-gate-of-${door}` }),
  getGateStatus: () => ({ gateId: 'refund-gate' }),
  invokeGate: () => ({
    gateId: 'refund-gate',
    metaJson: { amount: 5 },
    promptSuffix: 'This time?',
    history: [{ transitionName: 'first', reasoning: 'why' }],
  }),
  getInvocation: () => ({ gateId: 'refund-gate', sessionId: ids['invocation'] }),
  evaluateSpecialist: () => ({ specialistId: 'model', specialistMachine: 'gift', against: 'record' }),
  listEvaluations: () => ({ specialistId: 'other', machineName: 'gift' }),
  getEvaluation: () => ({ evaluationId: ids['evaluation'] }),
  replayEvaluation: () => ({ evaluationId: ids['evaluation'] }),
  startExperiment: () => experiment,
  listExperiments: () => ({ status: 'completed' }),
  getExperiment: () => ({ experimentId: ids['experiment'] }),
  listExperimentItems: () => ({ experimentId: ids['experiment'], variant: 'other' }),
  resumeExperiment: (door) => ({ experimentId: ids[`resumed-by-${door}`], maxCalls: 100 }),
  cancelExperiment: (door) => ({ experimentId: ids[`abandoned-by-${door}`], reason: 'not needed' }),
  listProjections: () => ({}),
  createSession: () => ({ machineName: 'gift', machineVersion: 1, metaJson: { order: 17 } }),
  listSessions: () => ({ machineName: 'gift', status: 'done', limit: 1 }),
  getRunHistory: () => ({ runId: runs['known'] }),
  getConversationHistory: () => ({ conversationId: ids['conversation'] }),
  forkHistory: (door) => ({ atRevision: (door as string) === 'later' ? 3 : 4, history: ids['history'] }),
  getSessionHistory: () => ({ sessionId: ids['decided'] }),
  getRunProof: () => ({ runId: runs['known'] }),
  getConversationProof: () => ({ conversationId: ids['conversation'] }),
  getSessionProof: () => ({ sessionId: ids['decided'] }),
  sealLog: () => ({}),
  ...subjectInputs,
  listSeals: () => ({ limit: 1 }),
  getLatestSeal: () => ({}),
  ...reactionInputs,
  getSession: () => ({ sessionId: ids['decided'] }),
  getSessionAt: () => ({ sessionId: ids['decided'], revision: 1 }),
  listSessionEvents: () => ({ sessionId: ids['decided'] }),
  exportDataset: () => ({ dataset: 'decisions', format: 'csv', machineName: 'gift' }),
  listEvents: () => ({ types: 'SessionCreated', limit: 1 }),
  whySession: () => ({ sessionId: ids['decided'] }),
  diffSessions: () => ({ sessionId: ids['decided'], with: ids['decided'] }),
  submitProposal: (door) => ({
    sessionId: ids[`proposed-of-${door}`],
    specialistId: 'ann',
    transitionName: 'decline',
    reasoning: 'too large',
    metaJson: { size: 5 },
    costUSD: 0.5,
    numInputTokens: 5,
  }),
  listProposals: () => ({ sessionId: ids['decided'] }),
  evaluateConsensus: () => ({ sessionId: ids['invocation'] }),
  submitArbitration: (door) => ({
    sessionId: ids[`arbitrated-of-${door}`],
    specialistId: 'ann',
    transitionName: 'decline',
  }),
  executeTransition: (door) => ({
    sessionId: ids[`executed-of-${door}`],
    transitionName: 'decline',
    toState: 'returned',
    reasoning: 'now',
  }),
  forkSession: () => ({ sessionId: ids['decided'], atRevision: 0, reason: 'What if?' }),
  closeSession: (door) => ({ sessionId: ids[`closed-of-${door}`], reason: 'by mistake' }),
  tickSession: (door) => ({ sessionId: ids[`ticked-of-${door}`] }),
  tickAll: () => ({}),
  runSession: (door) => ({ sessionId: ids[`run-of-${door}`], maxTicks: 3 }),
  replaySession: () => ({ sessionId: ids['decided'] }),
  listLlmCalls: () => ({ machineName: 'gift', outcome: 'toolCall', from: '2020-01-01T00:00:00Z' }),
  getLlmCall: () => ({ callId: ids['call'] }),
  tryCall: () => ({ callId: ids['call'], modelParameters: { temperature: 0 } }),
  listLlmCallsOfSession: () => ({ sessionId: ids['decided'] }),
  listWebhookCallsOfSession: () => ({ sessionId: ids['decided'] }),
  listProviders: () => ({}),
  listModelCapabilities: () => ({}),
  registerPerson: (door) => ({ personId: `carl-of-${door}`, name: 'Carl', role: 'reviewer' }),
  replacePersonToken: () => ({ personId: 'dora' }),
  replacePersonGroups: () => ({ personId: 'dora', groups: ['buyers'] }),
  deletePerson: (door) => ({ personId: `emil-of-${door}` }),
  listPeople: () => ({ limit: 1 }),
  getPerson: () => ({ personId: 'dora' }),
  getPrincipal: () => ({}),
  listTasks: () => ({ machineName: 'chore', limit: 1 }),
  countTasks: () => ({}),
  getTask: () => ({ taskId: ids['task'] }),
  listTaskEvents: () => ({ taskId: ids['task'] }),
  claimTask: (door) => ({ taskId: ids[`task-claimed-of-${door}`], minutes: 5, actAs: 'fay' }),
  releaseTask: (door) => ({ taskId: ids[`task-released-of-${door}`], actAs: 'fay' }),
  assignTask: (door) => ({ taskId: ids[`task-assigned-of-${door}`], personId: 'fay' }),
  extendTask: (door) => ({ taskId: ids[`task-extended-of-${door}`], dueAt: TOMORROW }),
  commentTask: (door) => ({ taskId: ids[`task-commented-of-${door}`], text: 'Too large?' }),
  answerTask: (door) => ({
    taskId: ids[`task-answered-of-${door}`],
    actAs: 'fay',
    choice: 'transition',
    digest: ids[`digest-answered-of-${door}`] ?? 'f'.repeat(64),
    transitionName: 'decline',
  }),
  listRecovery: () => ({ limit: 1 }),
  retryRecovery: (door) => ({ stream: `redial_delivery-${runs[`retried-by-${door}`]}` }),
  giveUpRecovery: (door) => ({ stream: `redial_delivery-${runs[`given-up-by-${door}`]}` }),
  registerTool: (door) => ({ ...lookup, toolId: `lookup-of-${door}` }),
  listTools: () => ({ limit: 1 }),
  getTool: () => ({ toolId: 'a_lookup' }),
  listToolVersions: () => ({ toolId: 'a_lookup', limit: 1 }),
  defineAgent: (door) => ({ agent: { ...greeter, agentName: `shop-guide-of-${door}` } }),
  validateAgent: () => ({ agent: { ...greeter, agentName: 'a_guide' } }),
  listAgents: () => ({ limit: 1 }),
  getAgent: () => ({ agentName: 'a_greeter', version: 1 }),
  getAgentDiagram: () => ({ agentName: 'a_greeter' }),
  startConversation: () => ({ agentName: 'a_greeter', context: { shop: 'north' } }),
  listConversations: () => ({ agentName: 'a_greeter', status: 'completed', limit: 1 }),
  getConversation: () => ({ conversationId: ids['conversation'] }),
  getConversationAt: () => ({ conversationId: ids['conversation'], revision: 1 }),
  listConversationEvents: () => ({ conversationId: ids['conversation'], limit: 1 }),
  whyConversation: () => ({ conversationId: ids['conversation'] }),
  sendMessage: (door) => ({ conversationId: ids[`greeted-of-${door}`], text: 'Hello' }),
  signalTurn: (door) => ({
    conversationId: ids[`waiting-of-${door}`],
    name: 'approval',
    payload: { approved: false },
  }),
  cancelTurn: (door) => ({ conversationId: ids[`held-of-${door}`], reason: 'late' }),
  dispatchDirective: (door) => ({ conversationId: ids[`directed-of-${door}`], goTo: 'Greeting' }),
  listTurns: () => ({ conversationId: ids['conversation'], limit: 1 }),
  listLlmCallsOfConversation: () => ({ conversationId: ids['conversation'], limit: 1 }),
  listToolCallsOfConversation: () => ({ conversationId: ids['conversation'] }),
  forkConversation: () => ({ conversationId: ids['conversation'], atTurn: ids['turn'] }),
  replayConversation: () => ({ conversationId: ids['conversation'] }),
  startRun: () => ({ workflow: 'refund_check', input: { item: 'chair' }, waitMs: 5_000 }),
  listRuns: () => ({ status: 'waiting', limit: 1 }),
  getRun: () => ({ runId: runs['known'], waitMs: 5_000 }),
  listToolCalls: () => ({ runId: runs['known'] }),
  listIterations: () => ({ runId: ids['programs'] }),
  getTranscript: () => ({ runId: ids['programs'] }),
  listLlmCallsOfRun: () => ({ runId: runs['known'] }),
  listRunEvents: () => ({ runId: runs['known'], limit: 1 }),
  whyRun: () => ({ runId: runs['known'] }),
  signalRun: (door) => ({
    runId: runs[`signalled-by-${door}`],
    name: 'approval',
    payload: { approved: true },
  }),
  cancelRun: (door) => ({ runId: runs[`cancelled-by-${door}`], reason: 'not needed' }),
  forkRun: () => ({ runId: runs['known'], atRevision: 1, reason: 'What if?' }),
  replayRun: () => ({ runId: runs['known'] }),
};

/** For the model: a program, the session's proposal, then turns that ask for a payment, then their answers. */
export function scriptFor(doors: readonly Door[]): readonly ScriptedReply[] {
  return [
    text('return { action: "done", value: "One." };'),
    toolCall('keep', {}),
    ...doors.flatMap(() => [toolCall('a_payment', {}), toolCall('a_payment', {})]),
    ...doors.map(() => toolCall('keep', {})),
    ...doors.flatMap((door) => (door === 'mcp' ? [] : [text({ message: 'Not paid.' })])),
  ];
}

/** Ids of what is there, by what it is. */
const ids: Record<string, string> = {};

/** Ids of runs that wait, by what they are for. */
const runs: Record<string, string> = {};

/** The records that the inputs need: people, a session that a person decided, one that waits for a person, and runs. */
export async function prepare(server: RedialServer, doors: readonly Door[]): Promise<void> {
  for (const personId of ['dora', ...doors.map((door) => `emil-of-${door}`)])
    await server.post('/v1/people', { personId, role: 'viewer' });
  await server.post('/v1/tools', { ...lookup, toolId: 'a_lookup' });
  const programs = { instructions: 'Count.', model: 'gpt-4o-mini', tools: [] };
  const coded = await server.post('/v1/runs', { workflow: 'code', input: programs, waitMs: 10_000 });
  ids['programs'] = (coded.body as { runId: string }).runId;
  await server.post('/v1/agents', greeter);
  const payment = { ...lookup, toolId: 'a_payment', policy: { needsApproval: true } };
  await server.post('/v1/tools', { ...payment, parameters: { type: 'object' } });
  await server.post('/v1/agents', payer);
  const { body: defined } = await server.post('/v1/machines', gift);
  const { ann } = (defined as { actorTokens: { ann: string } }).actorTokens;
  acting.actorToken = ann;
  const decided = await newSession(server);
  await server.post(`${decided}/proposals`, { specialistId: 'model' });
  await server.post(`${decided}/arbitrations`, { specialistId: 'ann', transitionName: 'keep' });
  for (const name of doors.flatMap((door) => [`waiting-of-${door}`, `held-of-${door}`])) {
    ids[name] = await newConversation(server, 'a_payer', 'Paying');
    await server.post(`/v1/conversations/${ids[name]}/messages`, { text: 'Pay' });
  }
  const waiting = await newSession(server);
  await server.post(`${waiting}/proposals`, { specialistId: 'ann', transitionName: 'decline' });
  await server.post('/v1/specialists/model/disable');
  await server.post('/v1/specialists/other/disable?machineName=gift');
  await server.post(`${waiting}/tick`);
  await server.post('/v1/people', { personId: 'fay', role: 'reviewer' });
  await server.post('/v1/machines', chore);
  for (const kind of ['claimed', 'released', 'assigned', 'extended', 'commented', 'answered'])
    for (const door of doors) await waitingTask(server, `${kind}-of-${door}`);
  ids['task'] = await waitingTask(server, 'shown');
  for (const name of [
    'conversation',
    ...doors.flatMap((door) => [`greeted-of-${door}`, `directed-of-${door}`]),
  ])
    ids[name] = await newConversation(server, 'a_greeter', 'Greeting');
  const said = await server.post(`/v1/conversations/${ids['conversation']}/messages`, { text: 'Hello' });
  ids['turn'] = (said.body as { turnId: string }).turnId;
  for (const gateId of ['refund-gate', ...doors.map((door) => `old-gate-of-${door}`)])
    await server.post('/v1/gates', gateOf(gateId));
  for (const kind of ['proposed', 'arbitrated', 'executed', 'ticked', 'run', 'closed'])
    for (const door of doors) ids[`${kind}-of-${door}`] = (await newSession(server)).split('/').at(-1) ?? '';
  ids['decided'] = decided.split('/').at(-1) ?? '';
  ids['history'] = await (await fetch(`${server.url}${decided}/history`)).text();
  const { body } = (await server.get('/v1/llm-calls')) as { body: { items: readonly { callId: string }[] } };
  ids['call'] = body.items[0]?.callId ?? '';
  const invoked = await server.post('/v1/gates/refund-gate/invocations');
  ids['invocation'] = (invoked.body as { sessionId: string }).sessionId;
  const evaluated = await server.post('/v1/specialists/other/evaluations?machineName=gift', {
    against: 'exemplars',
  });
  ids['evaluation'] = (evaluated.body as { evaluationId: string }).evaluationId;
  ids['experiment'] = await restingExperiment(server, experiment);
  for (const name of doors.flatMap((door) => [`resumed-by-${door}`, `abandoned-by-${door}`]))
    ids[name] = await restingExperiment(server, { ...experiment, maxCalls: 1, concurrency: 1 });
  for (const name of [
    'known',
    ...doors.flatMap((door) => [`signalled-by-${door}`, `cancelled-by-${door}`]),
  ]) {
    const start = { workflow: 'refund_check', input: { item: 'desk' }, waitMs: 5_000 };
    runs[name] = ((await server.post('/v1/runs', start)).body as { runId: string }).runId;
  }
  for (const name of doors.flatMap((door) => [`retried-by-${door}`, `given-up-by-${door}`])) {
    const { body } = await server.post('/v1/runs', { workflow: 'delivery', input: {} });
    runs[name] = (body as { runId: string }).runId;
  }
  await server.post('/v1/seals');
  await parkDeliveries(server, doors);
  await beginAboutSubjects(server, doors);
}

/** Moves the state on: turns wait again, runs and sessions have gone on, specialists and definitions have other versions. */
export async function moveOn(server: RedialServer, doors: readonly Door[]): Promise<void> {
  for (const name of doors.flatMap((door) => [`waiting-of-${door}`, `held-of-${door}`])) {
    await server.post(`/v1/conversations/${ids[name]}/directives`, { goTo: 'Paying' });
    await server.post(`/v1/conversations/${ids[name]}/messages`, { text: 'Pay again' });
  }
  await server.post('/v1/specialists/other/enable?machineName=gift');
  await server.post('/v1/specialists/ann/disable?machineName=gift');
  const { specialists: _, ...undecided } = gift;
  await server.post('/v1/machines', { ...undecided, states: { ...gift.states, lost: {} } });
  for (const door of doors) {
    await server.post('/v1/tools', { ...lookup, toolId: `lookup-of-${door}`, description: 'Finds it' });
    await server.post('/v1/people', { personId: `emil-of-${door}`, role: 'viewer' });
    await server.post(`/v1/people/carl-of-${door}/token`);
    const parcel = { ...gift, machineName: `parcel-of-${door}`, specialists: [], goalState: 'returned' };
    await server.post('/v1/machines', parcel);
    for (const kind of ['greeted', 'directed'])
      await server.post(`/v1/conversations/${ids[`${kind}-of-${door}`]}/directives`, { abort: 'over' });
  }
}

function gateOf(gateId: string): GateDefinition {
  const alone = { role: 'proposer', specialistId: 'alone', strategyFnName: 'firstAvailable' } as const;
  const judge = { role: 'arbiter', specialistId: 'judge', strategyFnName: 'aheadByK' } as const;
  return {
    gateId,
    prompt: 'Refund it?',
    choices: { yes: {}, no: {} },
    specialists: [alone, judge],
    quorum: 1,
  };
}

/** Its next turn needs no router. */
async function newConversation(server: RedialServer, agentName: string, goTo: string): Promise<string> {
  const { body } = await server.post('/v1/conversations', { agentName });
  const { conversationId } = body as { conversationId: string };
  await server.post(`/v1/conversations/${conversationId}/directives`, { goTo });
  return conversationId;
}

/** The task of a session that waits for a person. */
async function waitingTask(server: RedialServer, name: string): Promise<string> {
  const session = await newSession(server, 'chore');
  await server.post(`${session}/tick`);
  const { body } = await server.get(`/v1/tasks?sessionId=${session.split('/').at(-1)}`);
  const [task] = (body as { items: readonly { taskId: string; digest: string }[] }).items;
  ids[`task-${name}`] = task?.taskId ?? '';
  ids[`digest-${name}`] = task?.digest ?? '';
  return task?.taskId ?? '';
}

async function newSession(server: RedialServer, machineName = 'gift'): Promise<string> {
  const { body } = await server.post('/v1/sessions', { machineName });
  return `/v1/sessions/${(body as { sessionId: string }).sessionId}`;
}
