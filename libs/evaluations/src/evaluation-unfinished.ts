import { RedialError } from '#lib/kernel';

/** An evaluation was begun, and this process could not bring it to its end. The log has what was done; recovery finishes it. */
export class EvaluationUnfinished extends RedialError {
  constructor(evaluationId: string, cause: Error) {
    const fix =
      'It is finished as soon as that works again: repeat the call under its key, or look at the evaluation';
    super(`evaluation ${evaluationId} was begun and not finished`, cause.message, fix, { cause });
  }
}
