import { reject, type Rejection } from '#lib/kernel';

export const unknownEvaluation = (evaluationId: string): Rejection =>
  reject('unknown', 'unknown-evaluation', {
    what: `evaluation ${evaluationId}`,
    why: 'no evaluation has this id',
    fix: 'Use the evaluationId that evaluating a specialist gave',
  });

/** @param why it cannot be asked */
export const cannotBeAsked = (specialistId: string, why: string): Rejection =>
  reject('refused', 'wrong-specialist', {
    what: `specialist ${specialistId}`,
    why,
    fix: 'Name a proposer that is a model, a function or a webhook, or read the decisions recorded for this one (`record`)',
  });
