import { reject, type Rejection } from '#lib/kernel';

export const unknownEvaluation = (evaluationId: string): Rejection =>
  reject('unknown', 'unknown-evaluation', {
    errorClass: 'UnknownEvaluation',
    what: `evaluation ${evaluationId}`,
    why: 'no evaluation has this id',
    fix: 'Use the evaluationId that evaluating a specialist gave',
  });

export const unknownSample = (evaluationId: string, sampleId: string): Rejection =>
  reject('unknown', 'unknown-sample', {
    errorClass: 'UnknownSample',
    what: `sample ${sampleId} of evaluation ${evaluationId}`,
    why: 'the evaluation has no such sample, or this solicitation did not ask about it',
    fix: 'Use the samples that the evaluation lists',
  });

export const evaluationExists = (evaluationId: string): Rejection =>
  reject('conflict', 'evaluation-exists', {
    errorClass: 'EvaluationExists',
    what: `evaluation ${evaluationId}`,
    why: 'it is started, and its samples are fixed',
    fix: 'Start another one',
  });

/** @param why it cannot be asked */
export const cannotBeAsked = (specialistId: string, why: string): Rejection =>
  reject('refused', 'wrong-specialist', {
    errorClass: 'WrongSpecialist',
    what: `specialist ${specialistId}`,
    why,
    fix: 'Name a proposer that is not human, or read the decisions recorded for this one (`record`)',
  });
