import {
  type Command,
  type Decider,
  isJsonObject,
  type JsonObject,
  labelsOf,
  type Members,
  present,
  recordedBesides,
  type Rejection,
  whyKeyTaken,
} from '#lib/kernel';
import type { RunEnd } from '#lib/workflow';
import type { Agent } from '../agent/agent-definition.js';
import type { Directive } from '../agent/directive-definition.js';
import { dataProblems } from '../agent/data.rules.js';
import { agentOfFork } from './fork.rules.js';
import { directiveProblems } from '../agent/directive-problems.rules.js';
import { withoutModelParts } from '../turn/directive.rules.js';
import type { TurnResult } from '../turn/turn-result.js';
import type {
  ConversationEvent,
  ConversationForked,
  ConversationStarted,
  HistoryCompacted,
  TurnFailed,
  TurnTaken,
} from './conversation.events.js';
import {
  unknownConversation,
  conversationExists,
  turnIsOpen,
  unfitData,
  invalidDirective,
} from './conversation.rejections.js';

/** The part of a conversation that decisions need; `undefined` before its start. */
export type ConversationState =
  | {
      readonly agent: Agent;
      readonly started: ConversationStarted['data'];
      readonly flowId?: string;
      /** The turn that has not ended. */
      readonly openTurn?: string;
    }
  | undefined;

export type StartConversation = Command<
  'StartConversation',
  Omit<ConversationStarted['data'], 'data'> & {
    readonly initialData: JsonObject;
    /** The version in the caller's request. Only with a key. */
    readonly askedVersion?: number;
  }
>;
type RequestTurn = Command<
  'RequestTurn',
  {
    readonly conversationId: string;
    readonly turnId: string;
    readonly text: string;
    readonly context?: JsonObject;
  }
>;
type CloseTurn = Command<
  'CloseTurn',
  { readonly conversationId: string; readonly turnId: string; readonly result: RunEnd }
>;
export type DispatchDirective = Command<
  'DispatchDirective',
  { readonly conversationId: string; readonly directive: Directive }
>;
/** @remarks on the copied events of the parent */
export type ForkConversation = Command<
  'ForkConversation',
  { readonly conversationId: string } & ConversationForked['data']
>;
export type ConversationCommand =
  | StartConversation
  | ForkConversation
  | RequestTurn
  | CloseTurn
  | DispatchDirective;

/** The rules of a conversation: one turn at a time. */
export const conversationDecider: Decider<ConversationState, ConversationCommand, ConversationEvent> = {
  initialState: undefined,
  decide,
  evolve,
  ...recordedBesides('conversationId', heldIn),
};

/** The members of a command that its events hold. */
function heldIn(
  _type: ConversationCommand['type'],
  [event, compacted]: readonly ConversationEvent[],
): Members | undefined {
  switch (event?.type) {
    case 'ConversationStarted': {
      const { data: initialData, ...data } = event.data;
      return { ...data, initialData };
    }
    case 'TurnTaken': {
      const { turnId, llmCalls, usage, ...taken } = event.data;
      const compaction = compacted && { compaction: compacted.data };
      return {
        turnId,
        result: { status: 'completed', result: { ...taken, ...compaction, llmCalls, usage } },
      };
    }
    case 'TurnFailed': {
      const { turnId, failure, ...result } = event.data;
      return { turnId, result: { status: 'failed', failure, result } };
    }
    default:
      return event?.data;
  }
}

function decide(
  command: ConversationCommand,
  state: ConversationState,
): readonly ConversationEvent[] | Rejection {
  if (command.type === 'StartConversation') return start(command, state);
  if (!state) return unknownConversation(command.data.conversationId);
  switch (command.type) {
    case 'ForkConversation': {
      const { conversationId: _, ...data } = command.data;
      return [{ type: 'ConversationForked', data }];
    }
    case 'RequestTurn': {
      if (state.openTurn) return turnIsOpen(state.openTurn);
      const { conversationId: _, ...data } = command.data;
      return [{ type: 'TurnRequested', data }];
    }
    case 'DispatchDirective':
      return state.openTurn ? turnIsOpen(state.openTurn) : dispatch(command, state);
    case 'CloseTurn':
      return state.openTurn === command.data.turnId ? closing(command) : [];
  }
}

function start(
  { data: { initialData, askedVersion, ...data } }: StartConversation,
  state: ConversationState,
): readonly ConversationEvent[] | Rejection {
  if (state) return existing({ initialData, askedVersion, ...data }, state.started);
  const problems = dataProblems(data.agent.schema, initialData);
  if (problems.length > 0) return unfitData(problems);
  return [
    { type: 'ConversationStarted', data: { ...data, data: { ...data.agent.initialData, ...initialData } } },
  ];
}

/** The id of a conversation with a key is derived from the key: a repeated body starts no other. */
function existing(
  asked: Omit<ConversationStarted['data'], 'data'> & {
    readonly initialData: JsonObject;
    readonly askedVersion: number | undefined;
  },
  started: ConversationStarted['data'],
): readonly ConversationEvent[] | Rejection {
  const { conversationId, key, context, askedVersion: agentVersion = started.agentVersion } = asked;
  if (key === undefined) return conversationExists(conversationId);
  const data = { ...started.agent.initialData, ...asked.initialData };
  const body = { data, context, agentVersion, ...labelsOf(asked) };
  const before = {
    data: started.data,
    context: started.context,
    agentVersion: started.agentVersion,
    ...labelsOf(started),
  };
  return whyKeyTaken('conversation', conversationId, body, before) ?? [];
}

function dispatch(
  { data: { directive } }: DispatchDirective,
  { agent, flowId }: NonNullable<ConversationState>,
): readonly ConversationEvent[] | Rejection {
  const flow = agent.flows.find(({ id }) => id === flowId);
  const scope = { schema: agent.schema, flows: agent.flows, ...(flow && { flow }) };
  const problems = directiveProblems(directive, scope);
  if (problems.length > 0) return invalidDirective(problems);
  return [{ type: 'DirectiveDispatched', data: { directive: withoutModelParts(directive) } }];
}

/** The command that records the end of a turn's run. */
export function closing({
  data: { turnId, result: end },
}: Pick<CloseTurn, 'data'>): readonly [TurnTaken | TurnFailed, ...HistoryCompacted[]] {
  const { compaction, ...result } = (isJsonObject(end.result) ? end.result : {}) as object as TurnResult;
  if (end.status === 'completed') {
    const compacted = compaction ? [{ type: 'HistoryCompacted' as const, data: compaction }] : [];
    return [{ type: 'TurnTaken', data: { turnId, ...result } }, ...compacted];
  }
  const { failure = { kind: end.status, message: `The turn was ${end.status}.` } } = end;
  const { llmCalls, usage } = result as Partial<TurnResult>;
  const cost = present({ llmCalls, usage });
  return [{ type: 'TurnFailed', data: { turnId, failure, ...cost } }];
}

/** Total, and never throws: an unknown event leaves the state unchanged. */
function evolve(state: ConversationState, event: ConversationEvent): ConversationState {
  if (event.type === 'ConversationStarted') return { agent: event.data.agent, started: event.data };
  if (!state) return state;
  const { openTurn: _, ...ended } = state;
  switch (event.type) {
    case 'ConversationForked':
      return { ...state, agent: agentOfFork(state.agent, event) };
    case 'TurnRequested':
      return { ...state, openTurn: event.data.turnId };
    case 'TurnTaken':
      return {
        agent: state.agent,
        started: state.started,
        ...(event.data.position && { flowId: event.data.position.flowId }),
      };
    case 'TurnFailed':
      return ended;
    default:
      return state;
  }
}
