import { RedialError } from '#lib/kernel';

/** An evaluation was started, and this process could not finish it. The log has the finished steps; recovery continues it. */
export class EvaluationUnfinished extends RedialError {
  override readonly answer = { status: 503, code: 'evaluation-unfinished' };

  constructor(evaluationId: string, cause: Error) {
    const fix =
      'It is finished as soon as that works again: repeat the call under its key, or look at the evaluation';
    super(`evaluation ${evaluationId} was begun and not finished`, cause.message, fix, { cause });
  }
}
