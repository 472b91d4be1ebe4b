import type { AnswerTaskInput, Proposal, Task } from '#lib/client';

/** A proposal as a task shows it. */
export interface ProposalOfTask extends Proposal {
  /** How often people decide as its author proposes, from 0 to 1: by default the lower bound of the share. */
  readonly alignmentScore?: number;
  readonly comparisons?: number;
}

export type Choice = Task['choices'][number];

export function proposalsOf({ proposals = [] }: Task): readonly ProposalOfTask[] {
  return proposals as readonly ProposalOfTask[];
}

/** Whether the task waits for an answer. */
export function isOpen({ status }: Task): boolean {
  return status === 'open' || status === 'claimed';
}

/** The schema of a member of the body that makes a choice. */
export function schemaOf(choice: Choice | undefined, member: string): object | undefined {
  const { properties = {} } = (choice?.schema ?? {}) as {
    readonly properties?: { readonly [name: string]: object };
  };
  return properties[member];
}

/** The members that make a choice. The task and the digest of the shown content are added when it is sent. */
export type Answer = Omit<AnswerTaskInput, 'taskId' | 'digest' | 'version' | 'actAs'>;

/** The session, run or conversation of a task. */
export interface About {
  readonly sessionId?: string;
  readonly runId?: string;
  readonly conversationId?: string;
  readonly machineName?: string;
  readonly workflow?: string;
  readonly currentState?: string;
  readonly metaJson?: object;
}
