import type { Command } from '#lib/kernel';
import type { CloseSolicitation } from '#lib/session';
import type { EvaluationStarted } from './evaluation.events.js';

/** Fixes which rounds a specialist is asked about. */
export type StartEvaluation = Command<'StartEvaluation', EvaluationStarted['data']>;

/** Asks about one of them. */
export type SolicitSample = Command<
  'SolicitSample',
  { readonly evaluationId: string; readonly sampleId: string; readonly solicitationId: string }
>;

/** Records the end of a solicitation in its evaluation. */
export type CloseSample = Command<
  'CloseSample',
  {
    readonly evaluationId: string;
    readonly sampleId: string;
    readonly solicitationId: string;
    readonly result: CloseSolicitation['data']['result'];
  }
>;

export type EvaluationCommand = StartEvaluation | SolicitSample | CloseSample;
