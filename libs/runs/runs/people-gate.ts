import type { AnsweringPerson } from '#lib/candidates';
import type { CommandContext } from '#lib/operations/core';

/** An await for people that a signal reaches. */
export interface ReachedWait {
  readonly runId: string;
  readonly stepId: string;
  readonly kind: 'approval' | 'answer';
}

/** The author of an accepted answer, if they are a person, and the only person who can answer. */
export interface Admitted {
  readonly person?: AnsweringPerson;
  readonly assignee?: string;
}

/** The port that checks signals to waits for people in the same way as answers to their tasks. */
export abstract class PeopleGate {
  /** @throws RejectionError */
  abstract admit(wait: ReachedWait, context: CommandContext): Promise<Admitted>;
}
