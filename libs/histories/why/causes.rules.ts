import type { Event, RecordedEvent } from '#lib/kernel';
import { type SessionEvent } from '#lib/decisions/session';
import type { ConversationEvent } from '#lib/flows/core';
import { idInStream } from '#lib/event-store';
import type { RuntimeEvent } from '#lib/workflow';
import { runRequests, runsOfRoots } from '../asked-runs.js';

/** A cause of an event: its key, and its relation to the event. */
export interface Cause {
  readonly key: string;
  readonly relation: Relation;
}

export const RELATIONS = [
  'request',
  'end',
  'asked',
  'proposal',
  'weighed',
  'decision',
  'round',
  'before',
  'cause',
  'start',
] as const;

/**
 * The relation of a cause to its effect. `request`: the request of an outcome; `end`: the end of a run; `asked`: the event that
 * asked for a run; `proposal`, `weighed`: the chosen or a weighed proposal; `decision`: the judgement before a transition;
 * `round`: the start of the round; `before`: the event before in a conversation, among several answers, or among the events from
 * outside in a run; `cause`: the event with the recorded causation id; `start`: the first event of the stream.
 */
export type Relation = (typeof RELATIONS)[number];

/** The keys under which later events name an event. */
export function keysOf(event: RecordedEvent): readonly string[] {
  const id = idInStream(event.stream);
  return [
    `event ${event.eventId}`,
    ...(event.revision === 0 ? [`start ${event.stream}`] : []),
    ...runsOfRoots(event).map(({ runId }) => `asked ${runId}`),
    ...ownKeys(event, id),
    ...(isFromOutside(event) ? [`outside ${event.stream}`] : []),
  ];
}

const FROM_OUTSIDE = ['Completed', 'Failed', 'Fired', 'Received', 'Given', 'Ended'];

/** An event from outside, on which the next step of a run depends: it answers a step, or begins a fork. */
function isFromOutside({ type, data }: Event): boolean {
  return type === 'WorkflowForked' || ('stepId' in data && FROM_OUTSIDE.some((end) => type.endsWith(end)));
}

type Known = SessionEvent | ConversationEvent | RuntimeEvent;

function ownKeys(recorded: Event, id: string): readonly string[] {
  const { type, data } = recorded as Known;
  switch (type) {
    case 'SessionCreated':
      return [`round ${data.roundId}`];
    case 'SessionForked':
      return [`round ${data.roundId}`, ...(data.freshRound ? [`answer ${data.roundId}`] : [])];
    case 'ApprovalGiven':
      return [`answer ${data.roundId}`];
    case 'SignalAwaited':
      return [`step ${id} ${data.stepId}`, `answer ${id} ${data.stepId}`];
    case 'ChoiceGiven':
      return [`answer ${id} ${data.stepId}`];
    case 'TransitionExecuted':
      return [`round ${data.nextRoundId}`];
    case 'ProposalSubmitted':
    case 'ProposalSetAside':
      return [`proposal ${data.proposalId}`];
    case 'ConsensusReached':
    case 'HumanOverrideAccepted':
      return [`decision ${data.roundId}`];
    case 'ConversationStarted':
    case 'ConversationForked':
    case 'TurnTaken':
    case 'TurnFailed':
    case 'HistoryCompacted':
    case 'DirectiveDispatched':
      return [`conversation ${id}`];
    case 'WorkflowEnded':
    case 'WorkflowGivenUp':
      return [`end ${id}`];
    default:
      return 'stepId' in data && isRequest(type) ? [`step ${id} ${data.stepId}`] : [];
  }
}

const OUTCOMES = ['Completed', 'Failed', 'Fired', 'Received', 'Cancelled', 'Rejected', 'Checked', 'Ended'];
/** The events of an open wait, and of its clock. */
const OF_WAITS = ['ChoiceGiven', 'ClockRequested', 'DueMoved'];

/** One event begins each step. The other events of a step are outcomes, or events of waits. */
function isRequest(type: string): boolean {
  return !OF_WAITS.includes(type) && OUTCOMES.every((outcome) => !type.endsWith(outcome));
}

/** The events of a conversation that follow the event before them. */
const FOLLOWING: readonly string[] = [
  'TurnRequested',
  'HistoryCompacted',
  'DirectiveDispatched',
  'ConversationForked',
];

/** The causes that the data and the metadata of an event name. Keys without an event are ignored. */
export function causesOf(event: RecordedEvent): readonly Cause[] {
  const id = idInStream(event.stream);
  const { causationId } = event.metadata;
  const own = [
    ...ownCauses(event, id),
    ...cause(isFromOutside(event) ? `outside ${event.stream}` : undefined, 'before'),
  ];
  const recorded: readonly Cause[] =
    causationId === undefined || own.length > 0
      ? []
      : [
          { key: `event ${causationId}`, relation: 'cause' },
          { key: `end ${causationId}`, relation: 'end' },
        ];
  return [...own, ...recorded, { key: `start ${event.stream}`, relation: 'start' }];
}

function ownCauses(recorded: Event, id: string): readonly Cause[] {
  const { type, data } = recorded as Known;
  if (type === 'WorkflowStarted') return [{ key: `asked ${id}`, relation: 'asked' }];
  if (type === 'ChildEnded') return [{ key: `end ${data.runId}`, relation: 'end' }];
  if (FOLLOWING.includes(type)) return [{ key: `conversation ${id}`, relation: 'before' }];
  const named = data as Named;
  const round = named.roundId;
  const weighed = type === 'SessionCreated' ? [] : (named.proposals ?? []);
  return [
    ...endedRuns(recorded),
    ...('stepId' in data && !isRequest(type) ? cause(`step ${id} ${data.stepId}`, 'request') : []),
    ...cause(type === 'TransitionExecuted' ? `decision ${round}` : undefined, 'decision'),
    ...cause(chosenKey(named), 'proposal'),
    ...weighed.flatMap(({ proposalId }) => cause(`proposal ${proposalId}`, 'weighed')),
    ...cause(round === undefined || type === 'SessionCreated' ? undefined : `round ${round}`, 'round'),
    ...cause(answerBefore(recorded, id), 'before'),
  ];
}

/** The earlier answer, if several people have to answer alike. A fork that begins the round or the wait again has none. */
function answerBefore(recorded: Event, id: string): string | undefined {
  const { type, data } = recorded as Known;
  if (type === 'ApprovalGiven' || type === 'HumanOverrideAccepted') return `answer ${data.roundId}`;
  return type === 'ChoiceGiven' || type === 'SignalReceived' ? `answer ${id} ${data.stepId}` : undefined;
}

/** Members by which events of sessions and conversations name others. */
interface Named {
  readonly roundId?: string;
  readonly proposalId?: string;
  readonly winningProposalId?: string;
  readonly proposals?: readonly { readonly proposalId: string }[];
}

function chosenKey({ winningProposalId, proposalId = winningProposalId }: Named): string | undefined {
  return proposalId === undefined ? undefined : `proposal ${proposalId}`;
}

function endedRuns(event: Event): readonly Cause[] {
  return runRequests.flatMap(({ takenBy }) => {
    const runId = takenBy(event);
    return runId === undefined ? [] : [...cause(`end ${runId}`, 'end'), ...cause(`asked ${runId}`, 'asked')];
  });
}

function cause(key: string | undefined, relation: Relation): readonly Cause[] {
  return key === undefined ? [] : [{ key, relation }];
}
