import { reject, type Rejection } from '#lib/kernel';

export const unknownEvaluation = (evaluationId: string): Rejection =>
  reject('unknown', 'unknown-evaluation', {
    what: `evaluation ${evaluationId}`,
    why: 'no evaluation has this id',
    fix: 'Use the evaluationId in the answer to the evaluation',
  });
