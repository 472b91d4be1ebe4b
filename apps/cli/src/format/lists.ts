import { arrow } from './sessions.js';
import { type Columns, table } from './table.js';
import { jsonLine, known, oneLine, percent } from './text.js';
import type { AnswerOf, OperationId } from '../operations/call-operation.js';

// The columns of lists that a person reads on a terminal of 120 characters. `--json` has all members.

type ItemOf<Id extends OperationId> =
  AnswerOf<Id> extends { readonly items: readonly (infer Item)[] } ? Item : never;

type Lists = { readonly [Id in OperationId]?: Columns<ItemOf<Id>> };

/** The category in the name of a stream, without the prefix and the id. */
const CATEGORY = /^(?:[^_]*_)?(.+)-[0-9a-f-]{36}$/;

const EVENTS: Columns<ItemOf<'listSessionEvents' | 'listRunEvents' | 'listConversationEvents'>> = {
  'recorded at': ({ occurredAt }) => occurredAt,
  of: ({ stream }) => CATEGORY.exec(stream)?.[1] ?? stream,
  revision: ({ revision }) => revision,
  type: ({ type }) => type,
  data: ({ data }) => jsonLine(data, 44),
};

const TOOL_CALLS: Columns<ItemOf<'listToolCalls'>> = {
  tool: ({ toolId }) => toolId,
  status: ({ status }) => status,
  arguments: ({ argumentsText }) => oneLine(argumentsText, 36),
  result: ({ result, error }) =>
    (error ? oneLine(error.message, 36) : result !== undefined && jsonLine(result, 36)) || '',
  ms: ({ durationMs }) => known(durationMs, (ms) => String(Math.round(ms))),
};

/** By operation. */
const LISTS: Lists = {
  listSessionEvents: EVENTS,
  listRunEvents: EVENTS,
  listConversationEvents: EVENTS,
  listToolCalls: TOOL_CALLS,
  listToolCallsOfConversation: TOOL_CALLS,
  listRuns: {
    run: ({ runId }) => runId,
    workflow: ({ workflow }) => workflow,
    status: ({ status }) => status,
    'waits for': ({ awaiting }) => oneLine(awaiting.map(({ signal }) => signal).join(', '), 30),
    'model calls': ({ usage }) => usage.calls,
    'started at': ({ createdAt }) => createdAt,
  },
  listIterations: {
    iteration: ({ index }) => index,
    status: ({ status }) => oneLine(status['type'] as string),
    model: ({ model }) => oneLine(model ?? '', 30),
    'tokens out': ({ tokens }) => tokens?.output,
    ms: ({ durationMs }) => known(durationMs, (ms) => String(Math.round(ms))),
    code: ({ code }) => oneLine(code ?? '', 50),
  },
  getTranscript: {
    role: ({ role }) => role,
    text: ({ text }) => oneLine(text, 100),
  },
  listConversations: {
    conversation: ({ conversationId }) => conversationId,
    agent: ({ agentName, agentVersion }) => `${agentName} version ${agentVersion}`,
    status: ({ status }) => status,
    'updated at': ({ updatedAt }) => updatedAt,
  },
  listTurns: {
    user: ({ text }) => oneLine(text, 40),
    agent: ({ message }) => oneLine(message, 40),
    status: ({ status, stoppedReason }) => stoppedReason ?? status,
    'model calls': ({ llmCalls }) => llmCalls.length,
  },
  listAgents: {
    agent: ({ agentName }) => agentName,
    version: ({ version }) => version,
    flows: ({ definition }) => oneLine(definition.flows.map(({ title }) => title).join(' | '), 60),
  },
  listTools: {
    tool: ({ toolId }) => toolId,
    version: ({ version }) => version,
    'executed by': ({ execution }) => oneLine(Object.values(execution).join(' '), 40),
    description: ({ description }) => oneLine(description, 50),
  },
  listToolVersions: {
    version: ({ version }) => version,
    'registered at': ({ createdAt }) => createdAt,
    'executed by': ({ execution }) => oneLine(Object.values(execution).join(' '), 40),
    description: ({ description }) => oneLine(description, 40),
  },
  listEvaluations: {
    evaluation: ({ evaluationId }) => evaluationId,
    machine: ({ machineName }) => machineName,
    status: ({ status }) => status,
    rounds: ({ rounds }) => rounds,
    'same transition': ({ transitionRate }) => known(transitionRate, percent),
    'started at': ({ startedAt }) => startedAt,
  },
  listExemplars: {
    'decided at': ({ decidedAt }) => decidedAt,
    by: ({ specialistId }) => specialistId,
    decision: ({ state, ...one }) => oneLine(arrow({ fromState: state, ...one }), 60),
    reasoning: ({ reasoning }) => oneLine(reasoning, 30),
  },
  listWebhookCallsOfSession: {
    'asked by': ({ specialistId }) => specialistId,
    purpose: ({ purpose }) => purpose,
    attempt: ({ attempt }) => attempt,
    status: ({ responseStatus }) => responseStatus,
    outcome: ({ outcome }) => outcome,
    ms: ({ durationMs }) => known(durationMs, (ms) => String(Math.round(ms))),
    url: ({ url }) => oneLine(url, 50),
  },
  listRecovery: {
    stream: ({ stream }) => stream,
    attempts: ({ attempts }) => attempts,
    since: ({ since }) => since,
    failure: ({ failure }) => oneLine(failure, 60),
  },
};

/** Such a list; `undefined` for an operation that has no columns here. */
export function listLines(id: string, answer: unknown): readonly string[] | undefined {
  const columns = (LISTS as { readonly [id: string]: Columns<unknown> | undefined })[id];
  return columns && table(columns, (answer as { readonly items: readonly unknown[] }).items);
}
