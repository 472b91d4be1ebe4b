/** The types of messages to hooks. */
export const HOOK_TYPES = [
  'session.created',
  'session.needs_human',
  'session.done',
  'round.decided',
  'task.opened',
  'task.reminded',
  'task.escalated',
  'task.expired',
  'task.answered',
  'run.waiting',
  'run.completed',
  'run.failed',
  'turn.completed',
  'experiment.completed',
  'reaction.parked',
  'log.sealed',
] as const;

export type HookType = (typeof HOOK_TYPES)[number];
