import { derivedId, fold, type RecordedEvent } from '#lib/kernel';
import type { TurnUsage } from '../turn/turn-result.js';
import { type Conversation, conversationDecider } from './conversation.decider.js';
import type { ConversationEvent, TurnFailed, TurnRequested, TurnTaken } from './conversation.events.js';
import type { ConversationView, FlowVisitView, TurnView } from './conversations.views.js';

type History = readonly RecordedEvent<ConversationEvent>[];

/** A conversation as its stream says it is; `undefined` for a stream that is none. */
export function conversationView(history: History): ConversationView | undefined {
  const state = fold(conversationDecider, history);
  const [first] = history;
  const last = history.at(-1);
  if (!state || !first || !last) return undefined;
  const { conversationId, agentName, agentVersion, agentHash, status, data, context, pendingDirective } =
    state;
  return {
    conversationId,
    agentName,
    agentVersion,
    agentHash,
    status,
    data,
    ...(context && { context }),
    ...positionView(state, history),
    flowHistory: flowHistoryOf(state, history),
    ...(pendingDirective && { pendingDirective }),
    signals: { triggers: triggersOf(state, history) },
    history: state.history,
    usage: history.reduce((sum, event) => added(sum, usageIn(event)), NO_USAGE),
    createdAt: first.occurredAt,
    updatedAt: last.occurredAt,
    revision: last.revision,
  };
}

/** The turns of a conversation, oldest first. */
export function turnViews(history: History): readonly TurnView[] {
  return history.flatMap((event) => {
    if (event.type !== 'TurnRequested') return [];
    const ended = history.find(
      (one): one is RecordedEvent<TurnTaken | TurnFailed> =>
        (one.type === 'TurnTaken' || one.type === 'TurnFailed') && one.data.turnId === event.data.turnId,
    );
    return [turnView(event, ended)];
  });
}

export function turnView(
  { data: { turnId, text }, occurredAt: requestedAt }: RecordedEvent<TurnRequested>,
  ended: RecordedEvent<TurnTaken | TurnFailed> | undefined,
): TurnView {
  const asked = { turnId, text, requestedAt };
  if (!ended) return { ...asked, status: 'running', ...NOTHING };
  const { llmCalls = [], usage = NO_USAGE } = ended.data;
  const cost = { llmCalls: llmCalls.map((stepId) => derivedId(turnId, stepId)), usage };
  const times = { endedAt: ended.occurredAt };
  if (ended.type === 'TurnFailed')
    return { ...asked, status: 'failed', failure: ended.data.failure, ...NOTHING, ...cost, ...times };
  const {
    message,
    stoppedReason,
    executedSteps,
    toolCalls,
    appliedInstructions,
    triggeredSignals,
    directiveChain,
    dataChanges,
    routingExtras,
    output,
  } = ended.data;
  return {
    ...asked,
    status: 'completed',
    message,
    stoppedReason,
    executedSteps,
    toolCalls,
    appliedInstructions,
    triggeredSignals,
    directiveChain,
    dataChanges,
    ...(routingExtras !== undefined && { routingExtras }),
    ...(output !== undefined && { output }),
    ...cost,
    ...times,
  };
}

const NO_USAGE: TurnUsage = {
  calls: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

const NOTHING = {
  message: '',
  executedSteps: [],
  toolCalls: [],
  appliedInstructions: [],
  triggeredSignals: [],
  directiveChain: [],
  dataChanges: {},
  usage: NO_USAGE,
  llmCalls: [],
};

function usageIn({ type, data }: ConversationEvent): TurnUsage {
  return type === 'TurnTaken' || type === 'TurnFailed' ? (data.usage ?? NO_USAGE) : NO_USAGE;
}

function added(one: TurnUsage, other: TurnUsage): TurnUsage {
  const { costUSD } = other;
  return {
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    ...((one.costUSD ?? costUSD) !== undefined && { costUSD: (one.costUSD ?? 0) + (costUSD ?? 0) }),
  };
}

function positionView({ agent, position, positionSince = '', flowHistory }: Conversation, history: History) {
  const flow = agent.flows.find(({ id }) => id === position?.flowId);
  if (!flow) return {};
  const { enteredIn = '' } = flowHistory.findLast(({ flowId }) => flowId === flow.id) ?? {};
  const step = flow.steps.find(({ id }) => id === position?.stepId);
  return {
    currentFlow: { id: flow.id, title: flow.title, enteredAt: timeOf(history, enteredIn) },
    ...(step && {
      currentStep: {
        id: step.id,
        ...(step.description !== undefined && { description: step.description }),
        enteredAt: timeOf(history, positionSince),
      },
    }),
  };
}

function flowHistoryOf({ flowHistory }: Conversation, history: History): readonly FlowVisitView[] {
  return flowHistory.map(({ flowId, enteredIn, leftIn, isCompleted }) => ({
    flowId,
    enteredAt: timeOf(history, enteredIn),
    ...(leftIn !== undefined && { exitedAt: timeOf(history, leftIn) }),
    completed: isCompleted,
  }));
}

function triggersOf({ signals }: Conversation, history: History) {
  const entries = Object.entries(signals).map(([id, { firstIn, lastIn, ...rest }]) => {
    return [id, { ...rest, firstAt: timeOf(history, firstIn), lastAt: timeOf(history, lastIn) }] as const;
  });
  return Object.fromEntries(entries);
}

/** When a turn ended. */
function timeOf(history: History, turnId: string): string {
  const ended = history.find(({ type, data }) => type === 'TurnTaken' && data.turnId === turnId);
  return ended?.occurredAt ?? history[0]?.occurredAt ?? '';
}
