import { idInStream } from '#lib/event-store';
import { RedialError } from '#lib/kernel';
import type { Rules } from './workflow.js';

/** This process lacks the rules of a run, and no other process continues it. */
export class MissingRules extends RedialError {
  override readonly answer = { status: 503, code: 'missing-rules' };

  constructor(
    stream: string,
    /** The rules that a process needs to continue the run. */
    readonly needs: string,
  ) {
    const why = `this process does not have ${needs}, and no other process continues it`;
    super(
      `run ${idInStream(stream)}`,
      why,
      'Start a process that has it, with --import on the command line, or give the run up',
    );
  }
}

/** The rules of a run that has ended. They ask for nothing; its end is delivered without its own rules. */
export const rulesOfEnded: Rules = {
  input: {},
  initialState: () => null,
  evolve: (state) => state,
  next: () => [],
};
