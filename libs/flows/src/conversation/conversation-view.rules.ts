import { derivedId, fold, type RecordedEvent } from '#lib/kernel';
import type { TurnUsage } from '../turn/turn-result.js';
import { type Past, pastOf } from './conversation-past.rules.js';
import { type Conversation, conversationDecider } from './conversation.decider.js';
import type { ConversationEvent, TurnFailed, TurnRequested, TurnTaken } from './conversation.events.js';
import type { ConversationView, FlowVisitView, TurnView } from './conversations.views.js';
import { turnRequests } from './turn-requests.js';

type History = readonly RecordedEvent<ConversationEvent>[];

/** A conversation as its stream says it is; `undefined` for a stream that is none. */
export function conversationView(history: History): ConversationView | undefined {
  const state = fold(conversationDecider, history);
  const [first] = history;
  const last = history.at(-1);
  if (!state || !first || !last) return undefined;
  const past = pastOf(history);
  const timeOf = timesOf(history);
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
    ...positionView(state, past, timeOf),
    flowHistory: flowHistoryOf(past, timeOf),
    ...(pendingDirective && { pendingDirective }),
    signals: { triggers: triggersOf(state, timeOf) },
    history: past.history,
    usage: history.reduce((sum, event) => added(sum, usageIn(event)), NO_USAGE),
    createdAt: first.occurredAt,
    updatedAt: last.occurredAt,
    revision: last.revision,
  };
}

/** The turns of a conversation, oldest first. */
export function turnViews(history: History): readonly TurnView[] {
  const ends = new Map(history.flatMap((event) => (isEnd(event) ? [[event.data.turnId, event]] : [])));
  return history.flatMap((event) =>
    event.type === 'TurnRequested' ? [turnView(event, ends.get(event.data.turnId))] : [],
  );
}

/** One turn, looked for from the newest on. It was requested in this history. */
export function turnOf(history: History, turnId: string): TurnView {
  const requested = history.findLast((event) => turnRequests.askedBy(event) === turnId);
  const ended = history.findLast((event) => turnRequests.takenBy(event) === turnId);
  return turnView(
    requested as RecordedEvent<TurnRequested>,
    ended as RecordedEvent<TurnTaken | TurnFailed> | undefined,
  );
}

function isEnd(event: History[number]): event is RecordedEvent<TurnTaken | TurnFailed> {
  return event.type === 'TurnTaken' || event.type === 'TurnFailed';
}

function turnView(
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

function positionView(
  { agent, position, positionSince = '' }: Conversation,
  { flowHistory }: Past,
  timeOf: TimeOf,
) {
  const flow = agent.flows.find(({ id }) => id === position?.flowId);
  if (!flow) return {};
  const { enteredIn = '' } = flowHistory.findLast(({ flowId }) => flowId === flow.id) ?? {};
  const step = flow.steps.find(({ id }) => id === position?.stepId);
  return {
    currentFlow: { id: flow.id, title: flow.title, enteredAt: timeOf(enteredIn) },
    ...(step && {
      currentStep: {
        id: step.id,
        ...(step.description !== undefined && { description: step.description }),
        enteredAt: timeOf(positionSince),
      },
    }),
  };
}

function flowHistoryOf({ flowHistory }: Past, timeOf: TimeOf): readonly FlowVisitView[] {
  return flowHistory.map(({ flowId, enteredIn, leftIn, isCompleted }) => ({
    flowId,
    enteredAt: timeOf(enteredIn),
    ...(leftIn !== undefined && { exitedAt: timeOf(leftIn) }),
    completed: isCompleted,
  }));
}

function triggersOf({ signals }: Conversation, timeOf: TimeOf) {
  const entries = Object.entries(signals).map(([id, { firstIn, lastIn, ...rest }]) => {
    return [id, { ...rest, firstAt: timeOf(firstIn), lastAt: timeOf(lastIn) }] as const;
  });
  return Object.fromEntries(entries);
}

/** When a turn ended. */
type TimeOf = (turnId: string) => string;

function timesOf(history: History): TimeOf {
  const ended = new Map(
    history.flatMap(({ type, data, occurredAt }) =>
      type === 'TurnTaken' ? [[data.turnId, occurredAt]] : [],
    ),
  );
  return (turnId) => ended.get(turnId) ?? history[0]?.occurredAt ?? '';
}
