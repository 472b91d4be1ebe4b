import { type ScriptedReply, type ScriptedRequest, text, toolCall } from '#lib/activities/testing';
import { derivedId } from '#lib/kernel';
import type { KeyedCalls } from './keyed-calls.js';

/** Commands that no story sends, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  cancelExperiment: 'needs an experiment that has not ended',
  eraseSubject: 'needs a master key: stories of subjects repeat it',
  exportContent: 'answers with lines of a file: its stories repeat it',
  forkHistory: 'has no body of JSON: the stories of forks of files repeat it',
  giveUpRecovery: 'needs a run that no process can continue',
  resumeExperiment: 'needs an experiment that its limits stopped',
  retryRecovery: 'needs a run that no process can continue',
  dropDelivery: 'needs a reaction that has parked an event',
  retryDelivery: 'needs a reaction that has parked an event',
  retryHookDelivery: 'needs a hook that has parked a delivery',
  registerHook: 'is the same as of a tool: its stream has its commands',
  deleteHook: 'is the same as of a person: its stream has its commands',
  testHook: 'calls a receiver, and its answer is recorded as that of a tick',
};

const planner = { systemPrompt: 'Plan', model: 'gpt-4o-mini', tools: ['charge'] };

const ticket = {
  machineName: 'ticket',
  initialState: 'new',
  goalState: 'closed',
  specialists: [
    { role: 'proposer', specialistId: 'model', contextTemplate: 'Answer', modelId: 'gpt-4o-mini' },
    { role: 'proposer', specialistId: 'rule', strategyFnName: 'firstAvailable' },
    { role: 'proposer', specialistId: 'ann', isHuman: true },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' },
  ],
  states: {
    new: { transitions: { answer: { target: 'answered', description: 'Answer it' }, drop: 'closed' } },
    answered: { transitions: { reopen: 'new', close: 'closed' } },
    closed: {},
  },
};

/** Its only state waits for ann. */
const desk = {
  machineName: 'desk',
  initialState: 'open',
  goalState: 'done',
  specialists: [{ role: 'proposer', specialistId: 'ann', isHuman: true }],
  states: { open: { transitions: { finish: 'done' } }, done: {} },
};

const payer = {
  agentName: 'payer',
  model: 'gpt-4o-mini',
  flows: [{ id: 'pay', title: 'Pay', reentrant: true, steps: [{ prompt: 'Pay', tools: ['charge'] }] }],
};

interface Message {
  readonly role: string;
  readonly content?: string;
}

/** The model: proposes, or calls the tool with what the user said, once for each message. */
export function answerOf({ body }: ScriptedRequest): ScriptedReply {
  const { messages, tools } = body as object as {
    messages: readonly Message[];
    tools?: readonly { function: { name: string } }[];
  };
  const names = (tools ?? []).map((tool) => tool.function.name);
  if (names.includes('answer')) return toolCall('answer', { polite: true });
  const said = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const note = NOTE.exec(said)?.[0] ?? '';
  return messages.at(-1)?.role === 'tool' || !names.includes('charge')
    ? text({ message: 'Done.' })
    : toolCall('charge', { note });
}

/** The note in the message of the user, which each call of a tool repeats. */
const NOTE = /m\d+-(?:approved|cancelled|signalled)/;

/** How often a charge was made, by what the user said. */
export function chargesOf(requests: readonly ScriptedRequest[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const request of requests) {
    const note = NOTE.exec(request.text)?.[0] ?? 'nothing';
    times.set(note, (times.get(note) ?? 0) + 1);
  }
  return times;
}

/** @returns the token of the human specialist ann */
export async function define(calls: KeyedCalls, webhookUrl: string): Promise<string> {
  const { body } = await calls.call('defineMachine', { body: ticket });
  await calls.call('defineMachine', { body: desk });
  const parameters = { type: 'object', properties: { note: { type: 'string' } } };
  const policy = { needsApproval: true };
  const tool = { toolId: 'charge', description: 'Charges', parameters, execution: { webhookUrl }, policy };
  await calls.call('registerTool', { body: tool });
  await calls.call('defineAgent', { body: payer });
  return (body['actorTokens'] as Record<string, string>)['ann'] ?? '';
}

/** Everything that a caller may send under a key. @param name of this pass: no two share one */
export async function work(calls: KeyedCalls, name: string, actorToken: string): Promise<void> {
  await definitions(calls, name);
  await people(calls, name);
  await sessions(calls, actorToken);
  await tasks(calls, name, actorToken);
  await runs(calls, name);
  await turns(calls, name);
  await calls.call('sealLog', { body: {} });
}

async function definitions(calls: KeyedCalls, name: string): Promise<void> {
  const machineName = `machine-${name}`;
  await calls.call('defineMachine', { body: { ...ticket, machineName, specialists: [] } });
  const specialistId = `s-${name}`;
  const specialist = { role: 'proposer', specialistId, machineName, strategyFnName: 'firstAvailable' };
  await calls.call('registerSpecialist', { body: specialist });
  await calls.call('disableSpecialist', { params: { specialistId } });
  await calls.call('enableSpecialist', { params: { specialistId } });
  const exemplars = [{ state: 'new', transitionName: 'answer', specialistId }];
  await calls.call('importExemplars', { params: { machineName }, body: { exemplars } });
  await calls.call('evaluateSpecialist', { params: { specialistId: 'model' }, body: { against: 'record' } });
  const variants = [{ name: 'again', specialistId: 'rule' }];
  await calls.call('startExperiment', { body: { points: { machineName: 'ticket' }, variants } });
  const gateId = `gate-${name}`;
  const specialists = [{ role: 'proposer', specialistId: 'first', strategyFnName: 'firstAvailable' }];
  await calls.call('createGate', {
    body: { gateId, prompt: 'Do it?', choices: { yes: {}, no: {} }, specialists },
  });
  await calls.call('invokeGate', { params: { gateId }, body: { metaJson: { name } } });
  await calls.call('deleteGate', { params: { gateId } });
}

async function people(calls: KeyedCalls, name: string): Promise<void> {
  const personId = `p-${name}`;
  await calls.call('registerPerson', { body: { personId, role: 'reviewer' } });
  await calls.call('replacePersonToken', { params: { personId } });
  await calls.call('replacePersonGroups', { params: { personId }, body: { groups: ['buyers'] } });
  await calls.call('deletePerson', { params: { personId } });
}

async function sessions(calls: KeyedCalls, actorToken: string): Promise<void> {
  const { body } = await calls.call('createSession', { body: { machineName: 'ticket' } });
  const params = { sessionId: body['sessionId'] };
  const { body: proposal } = await calls.call('submitProposal', { params, body: { specialistId: 'model' } });
  const { solicitationId } = proposal;
  // The tick of all sessions of another worker may have asked the model before: then the answer is a refusal.
  if (typeof solicitationId === 'string')
    await calls.call('tryCall', { params: { callId: derivedId(solicitationId, 'tools#1') }, body: {} });
  await calls.call('submitArbitration', { params, body: {} });
  const forced = { specialistId: 'ann', transitionName: 'reopen' };
  await calls.call('submitArbitration', { params, body: forced, actorToken });
  await calls.call('tickSession', { params, body: {} });
  await calls.call('executeTransition', { params, body: { transitionName: 'answer', toState: 'answered' } });
  await calls.call('submitProposal', { params, body: { specialistId: 'rule', transitionName: 'close' } });
  await calls.call('runSession', { params, body: { maxTicks: 2 } });
  const other = await calls.call('createSession', { body: { machineName: 'ticket' } });
  const begun = { sessionId: other.body['sessionId'] };
  const fork = await calls.call('forkSession', { params: begun, body: { atRevision: 0 } });
  for (const { sessionId } of [begun, fork.body])
    await calls.call('closeSession', { params: { sessionId }, body: { reason: 'by mistake' } });
  await calls.call('tickAll', { body: {} });
}

/** A task of ann, from the claim to the answer. */
async function tasks(calls: KeyedCalls, name: string, actorToken: string): Promise<void> {
  const labels = { key: `desk ${name}`, tags: { pass: name } };
  const { body } = await calls.call('createSession', { body: { machineName: 'desk', ...labels } });
  const sessionId = body['sessionId'] as string;
  const { position } = await calls.call('runSession', { params: { sessionId }, body: { maxTicks: 2 } });
  const open = await calls.read(`/v1/tasks?sessionId=${sessionId}&minPosition=${position}`);
  const [{ taskId, digest }] = open.body['items'] as [{ taskId: string; digest: string }];
  const params = { taskId };
  await calls.call('claimTask', { params, body: {}, actorToken });
  await calls.call('commentTask', { params, body: { text: 'Soon.' }, actorToken });
  await calls.call('releaseTask', { params, body: {}, actorToken });
  await calls.call('assignTask', { params, body: { personId: null } });
  const dueAt = new Date(Date.now() + 86_400_000).toISOString();
  await calls.call('extendTask', { params, body: { dueAt } });
  const answer = { choice: 'transition', transitionName: 'finish', digest };
  await calls.call('answerTask', { params, body: answer, actorToken });
}

/** Two runs that wait for the approval of a charge: one is approved, one cancelled. */
async function runs(calls: KeyedCalls, name: string): Promise<void> {
  const waiting = async (end: string) => {
    const input = { ...planner, userPrompt: `${name}-${end}` };
    const started = { workflow: 'planner', input, waitMs: 5_000, key: `${end} ${name}` };
    const { body, position } = await calls.call('startRun', { body: started });
    const runId = String(body['runId']);
    const { body: found } = await calls.read(`/v1/tasks?runId=${runId}&minPosition=${position}`);
    const [task] = found['items'] as readonly { taskId: string }[];
    const dueAt = new Date(Date.now() + 86_400_000).toISOString();
    if (task) await calls.call('extendTask', { params: { taskId: task.taskId }, body: { dueAt } });
    return { runId, name: 'approval' };
  };
  const signalled = await waiting('signalled');
  const fork = await calls.call('forkRun', { params: signalled, body: { atRevision: 1 } });
  await calls.call('cancelRun', { params: { runId: fork.body['runId'] }, body: {} });
  await calls.call('signalRun', { params: signalled, body: { payload: { approved: true } } });
  await calls.call('cancelRun', { params: await waiting('cancelled'), body: {} });
}

/** Two turns that ask for a charge: the first is approved, the second cancelled; repeats of the approval come in between. */
async function turns(calls: KeyedCalls, name: string): Promise<void> {
  const { body } = await calls.call('startConversation', { body: { agentName: 'payer', key: name } });
  const params = { conversationId: body['conversationId'], name: 'approval' };
  for (const end of ['approved', 'cancelled']) {
    await calls.call('dispatchDirective', { params, body: { goTo: 'Pay' } });
    const turn = await calls.call('sendMessage', { params, body: { text: `${name}-${end}` } });
    if (turn.body['status'] !== 'waiting') return;
    const approvals = calls.answered.filter(({ id }) => id === 'signalTurn');
    for (const approval of approvals.slice(-1)) await calls.repeat(approval);
    if (end === 'approved') await calls.call('signalTurn', { params, body: { payload: { approved: true } } });
    else await calls.call('cancelTurn', { params, body: {} });
    const atTurn = turn.body['turnId'];
    const fork = await calls.call('forkConversation', { params, body: { atTurn } });
    const forked = { conversationId: fork.body['conversationId'] };
    await calls.call('dispatchDirective', { params: forked, body: { abort: 'enough' } });
  }
}
