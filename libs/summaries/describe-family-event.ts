import { type Event, jsonLine, oneLine } from '#lib/kernel';
import { goesOn } from './text.js';
import { failed } from './describe-run-event.js';
import type { Descriptions } from './descriptions.js';

/** Events of families above this lib, with the members that their words use. */
type FamilyEvent =
  | Event<'ConversationStarted', { readonly agentName: string; readonly agentVersion: number }>
  | Event<'ConversationForked', { readonly effects: string }>
  | Event<'TurnRequested', { readonly text: string }>
  | Event<'TurnTaken', { readonly message: string; readonly stoppedReason?: string }>
  | Event<'TurnFailed', { readonly failure: { readonly kind: string; readonly message: string } }>
  | Event<'DirectiveDispatched', { readonly directive: object }>
  | Event<'TaskClaimed', { readonly by: string; readonly until: string }>
  | Event<'TaskReleased', { readonly by: string }>
  | Event<'TaskAssigned', { readonly by: string; readonly personId: string | null }>
  | Event<'TaskCommented', { readonly by: string; readonly text: string }>
  | Event<'TaskAttemptRefused', { readonly by: string; readonly code: string }>
  | Event<'TaskReminded', { readonly dueAt: string }>
  | Event<'TaskOverdue', { readonly dueAt: string }>
  | Event<
      'TaskEscalated',
      { readonly groups: readonly string[]; readonly people: readonly string[]; readonly keep: boolean }
    >;

/** The events of conversations and of tasks. */
export const familyDescriptions: Descriptions<FamilyEvent> = {
  ConversationStarted: ({ agentName, agentVersion }) =>
    `a conversation with ${agentName} version ${agentVersion} starts`,
  ConversationForked: (data) => goesOn(data),
  TurnRequested: ({ text }) => `the user says "${oneLine(text, 140)}"`,
  TurnTaken: ({ message, stoppedReason }) =>
    `the agent says "${oneLine(message, 140)}"${stoppedReason === undefined ? '' : ` (${stoppedReason})`}`,
  TurnFailed: failed,
  DirectiveDispatched: ({ directive }) => `the next turn begins with ${jsonLine(directive)}`,
  TaskClaimed: ({ by, until }) => `${by} claims the task until ${until}`,
  TaskReleased: ({ by }) => `${by} releases the task`,
  TaskAssigned: ({ by, personId }) => `${by} assigns the task to ${personId ?? 'nobody in particular'}`,
  TaskCommented: ({ by, text }) => `${by} says "${oneLine(text, 140)}"`,
  TaskAttemptRefused: ({ by, code }) => `${by} is refused: ${code}`,
  TaskReminded: ({ dueAt }) => `the task is due ${dueAt}: a reminder`,
  TaskOverdue: ({ dueAt }) => `the task is overdue since ${dueAt}`,
  TaskEscalated: ({ groups, people, keep }) => {
    const named = [...groups.map((group) => `group ${group}`), ...people].join(', ');
    return `the task escalates: ${named} may answer${keep ? ' too' : ' instead'}`;
  },
};
