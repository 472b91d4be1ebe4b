import { NO_USAGE } from '#lib/call-rules';
import type { StreamHistory } from '#lib/event-store';
import { derivedId, type JsonObject, type RecordedEvent, shownLabels } from '#lib/kernel';
import type { Flow } from '../agent/agent-definition.js';
import { missingIn } from '../agent/data.rules.js';
import type {
  ConversationEvent,
  ConversationStarted,
  TurnFailed,
  TurnRequested,
  TurnTaken,
} from './conversation.events.js';
import { conversationForkOrigin } from './conversations.tables.js';
import { type Conversation, conversationFold } from './conversation.rules.js';
import type { ConversationView, FlowProgress, TurnView } from './conversations.views.js';
import { turnRequests } from './turn-run.js';

type History = readonly RecordedEvent<ConversationEvent>[];

/** A conversation, folded from its stream; `undefined` if the stream has none. */
export function conversationView(history: StreamHistory<ConversationEvent>): ConversationView | undefined {
  const state = history.state(conversationFold);
  const [first] = history.events;
  const last = history.events.at(-1);
  if (!state || !first || !last) return undefined;
  const { started, status, data, context, pendingDirective, visits, signals, usage, createdAt } = state;
  const { conversationId, agentName, agentVersion, agentHash } = started;
  return {
    conversationId,
    agentName,
    agentVersion,
    agentHash,
    status,
    data,
    ...(context && { context }),
    ...shownLabels(first as RecordedEvent<ConversationStarted>),
    ...(started.forkedFrom && { forkedFrom: conversationForkOrigin(started.forkedFrom) }),
    ...positionView(state),
    flowHistory: visits,
    ...(pendingDirective && Object.keys(pendingDirective).length > 0 && { pendingDirective }),
    signals: { triggers: signals },
    history: state.turns.flatMap(({ turnId, said, answered }) => [
      { role: 'user' as const, content: said, turnId },
      { role: 'assistant' as const, content: answered, turnId },
    ]),
    usage,
    createdAt,
    updatedAt: last.occurredAt,
    revision: last.revision,
  };
}

function positionView({ started: { agent }, position, positionSince, visits, data }: Conversation) {
  const flow = agent.flows.find(({ id }) => id === position?.flowId);
  if (!flow) return {};
  const { enteredAt = positionSince } = visits.findLast(({ flowId }) => flowId === flow.id) ?? {};
  const { id, description } = flow.steps.find((step) => step.id === position?.stepId) ?? {};
  return {
    currentFlow: { id: flow.id, title: flow.title, enteredAt, progress: progressOf(flow, data) },
    ...(id !== undefined && {
      currentStep: { id, ...(description !== undefined && { description }), enteredAt: positionSince },
    }),
  };
}

/** The progress of a flow by its required data. */
function progressOf({ requiredFields }: Flow, data: JsonObject): FlowProgress {
  const missing = missingIn(data, requiredFields);
  const required = requiredFields.length;
  const share = required === 0 ? 0 : 1 - missing.length / required;
  return { isComplete: required > 0 && missing.length === 0, missing, share };
}

/** The turns of a conversation, oldest first. */
export function turnViews(history: History): readonly TurnView[] {
  const ends = new Map(history.flatMap((event) => (isEnd(event) ? [[event.data.turnId, event]] : [])));
  return history.flatMap((event) =>
    event.type === 'TurnRequested' ? [turnView(event, ends.get(event.data.turnId))] : [],
  );
}

/** One turn, found from the newest on. This history must have its request. */
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
  const asked = { ...NOTHING, turnId, text, requestedAt };
  if (!ended) return { ...asked, status: 'running' };
  const endedAt = ended.occurredAt;
  const { llmCalls: steps = [], usage = NO_USAGE } = ended.data;
  const llmCalls = steps.map((stepId) => derivedId(turnId, stepId));
  if (ended.type === 'TurnFailed')
    return { ...asked, status: 'failed', failure: ended.data.failure, usage, llmCalls, endedAt };
  const {
    moves,
    position: _position,
    status: _status,
    contextUpdate: _context,
    pendingDirective: _pending,
    isCleared: _cleared,
    ...shown
  } = ended.data;
  const isFlowComplete = moves.some((move) => 'left' in move && move.reason === 'completed');
  return { ...asked, status: 'completed', ...shown, isFlowComplete, usage, llmCalls, endedAt };
}

const NOTHING = {
  message: '',
  isFlowComplete: false,
  executedSteps: [],
  toolCalls: [],
  appliedInstructions: [],
  triggeredSignals: [],
  directiveChain: [],
  dataChanges: {},
  usage: NO_USAGE,
  llmCalls: [],
};
