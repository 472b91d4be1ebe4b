// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { ModelParameters } from '#lib/call-rules';
import {
  type DeclaredEvents,
  type DeclaredMembers,
  type ForkedFrom,
  forkedFromMembers,
} from '#lib/event-store';
import type { Event, JsonObject, Labels } from '#lib/kernel';
import type { RunEffects } from '#lib/workflow';
import type { Agent } from '../agent/agent-definition.js';
import type { Directive } from '../agent/directive-definition.js';
import type { Compaction, TurnFailure, TurnResult } from '../turn/turn-result.js';

export type ConversationStarted = Event<
  'ConversationStarted',
  Labels & {
    readonly conversationId: string;
    readonly agentName: string;
    readonly agentVersion: number;
    readonly agentHash: string;
    /** The definition for all turns. */
    readonly agent: Agent;
    /** Includes the agent's initial data. */
    readonly data: JsonObject;
    readonly context?: JsonObject;
    /** Present in a fork: its first events are copies. */
    readonly forkedFrom?: ForkedFrom;
  }
>;

/** The beginning of a fork's own events: earlier events are copies. */
export type ConversationForked = Event<
  'ConversationForked',
  {
    /** Effects of the fork's turns: see `RunEffects`. */
    readonly effects: RunEffects;
    /** Replace those of the agent, from here on. */
    readonly model?: string;
    readonly modelParameters?: ModelParameters;
  }
>;

/** A message of the user. The turn has the id of its run. */
export type TurnRequested = Event<
  'TurnRequested',
  { readonly turnId: string; readonly text: string; readonly context?: JsonObject }
>;

/** The result of the run of a turn. */
export type TurnTaken = Event<'TurnTaken', { readonly turnId: string } & Omit<TurnResult, 'compaction'>>;

/** A turn that changed nothing. */
export type TurnFailed = Event<
  'TurnFailed',
  { readonly turnId: string; readonly failure: TurnFailure } & Partial<Pick<TurnResult, 'llmCalls' | 'usage'>>
>;

/** The directive that the next turn applies first. It replaces one dispatched before. */
export type DirectiveDispatched = Event<'DirectiveDispatched', { readonly directive: Directive }>;

/** The summary that later turns read in place of earlier turns. The events of these stay. */
export type HistoryCompacted = Event<'HistoryCompacted', Compaction>;

/** The events of a stream of the category `conversation`. */
export type ConversationEvent =
  | ConversationStarted
  | ConversationForked
  | TurnRequested
  | TurnTaken
  | HistoryCompacted
  | TurnFailed
  | DirectiveDispatched;

const usageMembers = {
  calls: 'structure',
  inputTokens: 'structure',
  cachedInputTokens: 'structure',
  outputTokens: 'structure',
  reasoningTokens: 'structure',
  costUSD: 'structure',
} as const satisfies DeclaredMembers<TurnResult['usage']>;

const turnMembers = {
  message: 'content',
  stoppedReason: 'structure',
  executedSteps: [{ flowId: 'structure', stepId: 'structure', kind: 'structure' }],
  toolCalls: [
    {
      callId: 'structure',
      // The model wrote it: it may name a tool that is not offered.
      toolId: 'content',
      arguments: 'content',
      argumentsChanged: 'structure',
      status: 'structure',
    },
  ],
  appliedInstructions: [{ id: 'structure', scope: 'structure', scopeRef: 'structure' }],
  triggeredSignals: [
    {
      signalId: 'structure',
      phase: 'structure',
      reason: 'content',
      extracted: 'content',
      handlerError: 'content',
    },
  ],
  directiveChain: [{ source: 'structure', directive: 'content', refused: 'content' }],
  dataChanges: 'content',
  routingExtras: 'content',
  output: 'content',
  contextUpdate: 'content',
  moves: [{ entered: 'structure', left: 'structure', reason: 'structure' }],
  position: { flowId: 'structure', stepId: 'structure', toEnter: 'structure' },
  status: 'structure',
  pendingDirective: 'content',
  isCleared: 'structure',
  llmCalls: 'structure',
  usage: usageMembers,
} as const satisfies DeclaredMembers<Omit<TurnResult, 'compaction'>>;

const startedMembers = {
  conversationId: 'structure',
  agentName: 'structure',
  agentVersion: 'structure',
  agentHash: 'derived',
  agent: 'content',
  data: 'content',
  context: 'content',
  key: 'structure',
  tags: 'content',
  subject: 'structure',
} as const satisfies DeclaredMembers<Omit<ConversationStarted['data'], 'forkedFrom'>>;

/** The event catalogue's entries. An agent's definition is content as a whole: it is text throughout. */
export const conversationEventDefinitions: DeclaredEvents<ConversationEvent> = {
  ConversationStarted: {
    version: 3,
    members: { ...startedMembers, forkedFrom: forkedFromMembers },
    earlier: { 1: startedMembers, 2: startedMembers },
    blanks: { '/agent': { flows: [] }, '/data': {} },
    upcasters: { 1: (data) => data, 2: (data) => data },
    // Versions that older builds refuse: they would read encrypted content as text, and count and drive copied turns.
    versionOf: ({ subject, forkedFrom }) => (forkedFrom ? 3 : subject === undefined ? 1 : 2),
  },
  ConversationForked: {
    version: 1,
    members: { effects: 'structure', model: 'structure', modelParameters: 'content' },
  },
  TurnRequested: { version: 1, members: { turnId: 'structure', text: 'content', context: 'content' } },
  TurnTaken: {
    version: 1,
    members: { turnId: 'structure', ...turnMembers },
    blanks: { '/dataChanges': {} },
  },
  HistoryCompacted: {
    version: 1,
    members: { strategy: 'structure', sources: 'structure', summary: 'content' },
  },
  TurnFailed: {
    version: 1,
    members: {
      turnId: 'structure',
      failure: { kind: 'structure', message: 'content', upstreamStatus: 'structure' },
      llmCalls: 'structure',
      usage: usageMembers,
    },
  },
  DirectiveDispatched: { version: 1, members: { directive: 'content' }, blanks: { '/directive': {} } },
};
