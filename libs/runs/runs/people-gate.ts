import type { AnsweringPerson } from '#lib/candidates';
import type { CommandContext } from '#lib/operations/core';

/** An await for people that a signal reaches. */
export interface ReachedWait {
  readonly runId: string;
  readonly stepId: string;
  readonly kind: 'approval' | 'answer';
}

/** The author of an answer that is let through, if they are a person, and the only person who can answer. */
export interface Admitted {
  readonly person?: AnsweringPerson;
  readonly assignee?: string;
}

/** The port by which signals for what waits for people are checked like answers to its task. */
export abstract class PeopleGate {
  /** @throws RejectionError */
  abstract admit(wait: ReachedWait, context: CommandContext): Promise<Admitted>;
}
