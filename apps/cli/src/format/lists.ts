import { jsonLine, oneLine } from '#lib/kernel';
import { arrow, choiceText, dataAndReason } from '#lib/summaries';
import { DEFAULT_PROVIDER } from '#lib/call-rules';
import { CALLS } from './calls.js';
import { REACTION_LISTS } from './reactions.js';
import { STATUS_TEXT } from './sessions.js';
import { type Columns, table } from './table.js';
import { known, percent, wholeMs } from './text.js';
import type { AnswerOf, OperationId } from '../operations/call-operation.js';

// The columns of lists that a person reads on a terminal of 120 characters. `--json` has all members.

/** An answer that is no list is the one item of a list. */
type ItemOf<Id extends OperationId> =
  AnswerOf<Id> extends { readonly items: readonly (infer Item)[] } ? Item : AnswerOf<Id>;

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
  ms: ({ durationMs }) => known(durationMs, wholeMs),
};

export const PROPOSALS: Columns<ItemOf<'listProposals'>> = {
  specialist: ({ specialistId }) => specialistId,
  proposes: choiceText,
  status: ({ status }) => status,
  said: (proposal) => dataAndReason(proposal, 60),
};

export const SPECIALISTS: Columns<ItemOf<'listSpecialists'>> = {
  specialist: ({ specialistId }) => specialistId,
  role: ({ role }) => role,
  machine: ({ machineName }) => machineName,
  'decides by': decidesBy,
  '': ({ enabled }) => (enabled ? '' : 'disabled'),
};

/** By operation. */
const LISTS: Lists = {
  listSessions: {
    session: ({ sessionId }) => sessionId,
    machine: ({ machineName }) => machineName,
    state: ({ currentState }) => oneLine(currentState, 40),
    status: ({ status }) => STATUS_TEXT[status],
    updated: ({ updatedAt }) => updatedAt,
  },
  listTasks: {
    task: ({ taskId }) => taskId,
    status: ({ status, claimedBy }) => (claimedBy === undefined ? status : `${status} by ${claimedBy}`),
    'what for': ({ title }) => oneLine(title, 40),
    why: ({ reason }) => reason,
    priority: ({ priority }) => priority,
    since: ({ since }) => since,
  },
  listProposals: PROPOSALS,
  submitProposal: PROPOSALS,
  getDecisionLog: {
    'decided at': ({ decidedAt }) => decidedAt,
    session: ({ sessionId }) => sessionId,
    decision: (one) => oneLine(arrow(one), 60),
    how: ({ how }) => how,
    who: ({ specialistId, arbiterId }) => specialistId ?? arbiterId,
    margin: ({ margin }) => margin?.toFixed(2),
    proposed: ({ proposals }) =>
      oneLine(proposals.map((one) => `${one.specialistId}: ${one.transitionName}`).join(', '), 80),
  },
  listLlmCalls: CALLS,
  listLlmCallsOfSession: CALLS,
  listLlmCallsOfRun: CALLS,
  listLlmCallsOfConversation: CALLS,
  listSeals: {
    index: ({ index }) => index,
    'sealed at': ({ sealedAt }) => sealedAt,
    events: ({ events }) => events,
    root: ({ root }) => root,
  },
  listMachines: {
    machine: ({ machineName }) => machineName,
    version: ({ version }) => version,
    states: ({ definition }) => Object.keys(definition.states).join(', '),
  },
  listSpecialists: SPECIALISTS,
  getSpecialist: SPECIALISTS,
  enableSpecialist: SPECIALISTS,
  disableSpecialist: SPECIALISTS,
  listSpecialistVersions: {
    version: ({ version }) => version,
    role: ({ role }) => role,
    'decides by': decidesBy,
    registered: ({ registeredAt }) => registeredAt,
    '': ({ current }) => (current ? 'current' : ''),
  },
  listGates: {
    gate: ({ gateId }) => gateId,
    version: ({ version }) => version,
    choices: ({ definition }) => oneLine(Object.keys(definition.choices).join(' | '), 60),
    question: ({ definition }) => oneLine(definition.prompt ?? '', 80),
  },
  // `depth` is the mean number of steps that solicitations went down the ladder.
  getModelStatistics: {
    model: ({ provider, model, day }) => {
      const named = provider === DEFAULT_PROVIDER ? model : `${provider}/${model}`;
      return [...(day === undefined ? [] : [day]), oneLine(named, 40)].join(' ');
    },
    calls: ({ calls }) => calls,
    failed: ({ failedCalls }) => failedCalls,
    'tool calls': ({ toolCallRate }) => known(toolCallRate, percent),
    depth: ({ meanFallbackDepth }) => meanFallbackDepth.toFixed(2),
    deepest: ({ maxFallbackDepth }) => maxFallbackDepth,
    malformed: ({ malformedArguments }) => malformedArguments,
    invalid: ({ invalidArguments }) => invalidArguments,
    'tokens in': ({ inputTokens }) => inputTokens,
    out: ({ outputTokens }) => outputTokens,
    'p50 ms': ({ latencyMs }) => known(latencyMs?.p50, wholeMs),
    p95: ({ latencyMs }) => known(latencyMs?.p95, wholeMs),
    p99: ({ latencyMs }) => known(latencyMs?.p99, wholeMs),
    cost: ({ costs, unpricedCalls }) => {
      const amounts = costs.map(({ amount, currency }) => `${amount.toFixed(6)} ${currency}`);
      // If this process has no price at all, the line names the setting of prices.
      const unpriced = `${unpricedCalls} without a price${costs.length === 0 ? ' in REDIAL_PRICES' : ''}`;
      return [...amounts, ...(unpricedCalls === 0 ? [] : [unpriced])].join(', ');
    },
  },
  listEvents: {
    position: ({ position }) => position,
    of: ({ stream }) => CATEGORY.exec(stream)?.[1] ?? stream,
    revision: ({ revision }) => revision,
    type: ({ type }) => type,
    '': (event) => ('summary' in event ? oneLine(event.summary, 44) : oneLine(event.problem ?? '', 44)),
  },
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
    ms: ({ durationMs }) => known(durationMs, wholeMs),
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
    turn: ({ turnId }) => turnId,
    user: ({ text }) => oneLine(text, 24),
    agent: ({ message }) => oneLine(message, 24),
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
  listExperiments: {
    experiment: ({ experimentId }) => experimentId,
    name: ({ name }) => oneLine(name ?? '', 30),
    machine: ({ machineName }) => machineName,
    status: ({ status }) => status,
    points: ({ points }) => points,
    variants: ({ variants }) => oneLine(variants.join(', '), 40),
    'started at': ({ startedAt }) => startedAt,
  },
  listExperimentItems: {
    session: ({ sessionId }) => sessionId,
    state: ({ state }) => oneLine(state, 30),
    recorded: ({ recorded }) => oneLine(`${recorded.transitionName} by ${recorded.decidedBy}`, 40),
    answers: ({ answers }) => oneLine(answers.map(answerText).join(', '), 80),
    flip: ({ flip }) => flip,
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
    ms: ({ durationMs }) => known(durationMs, wholeMs),
    url: ({ url }) => oneLine(url, 50),
  },
  ...REACTION_LISTS,
  listRecovery: {
    stream: ({ stream }) => stream,
    attempts: ({ attempts }) => attempts,
    since: ({ since }) => since,
    needs: ({ needs }) => oneLine(needs ?? '', 60),
    failure: ({ failure }) => oneLine(failure, 60),
  },
};

/** The line for a list without items. Default: `none`. */
const EMPTY: { readonly [id: string]: string | undefined } = {
  listSessions: 'there are no sessions',
  getDecisionLog: 'no decisions',
  listLlmCalls: 'No calls.',
  listLlmCallsOfSession: 'No calls.',
  listLlmCallsOfRun: 'No calls.',
  listMachines: 'no machine is defined',
  listReactions: 'no reaction has started',
  listParkedDeliveries: 'no parked deliveries',
  listHooks: 'no hook is registered',
  listSpecialists: 'no specialist is registered',
  listGates: 'there are no gates',
  getModelStatistics: 'no model was called',
} satisfies { readonly [Id in OperationId]?: string };

/** The lines of a list; `undefined` for an operation that has no columns here. */
export function listLines(id: string, answer: unknown): readonly string[] | undefined {
  const columns = (LISTS as { readonly [id: string]: Columns<unknown> | undefined })[id];
  if (!columns) return undefined;
  const { items = [answer] } = answer as { readonly items?: readonly unknown[] };
  return table(columns, items, EMPTY[id]);
}

function decidesBy({ isHuman, modelId, ...specialist }: ItemOf<'listSpecialists'>): string {
  const { strategyFnName, strategyWebhookUrl, workflow } = specialist;
  if (isHuman) return 'a person';
  if (modelId !== undefined) return oneLine(`model ${modelId}`, 80);
  if (strategyFnName !== undefined) return `strategy ${strategyFnName}`;
  return workflow ? `workflow ${workflow.name}` : oneLine(`webhook ${strategyWebhookUrl ?? '?'}`, 80);
}

function answerText({
  variant,
  transitionName,
  failure,
}: ItemOf<'listExperimentItems'>['answers'][number]): string {
  return `${variant}: ${transitionName ?? failure?.kind ?? '-'}`;
}
