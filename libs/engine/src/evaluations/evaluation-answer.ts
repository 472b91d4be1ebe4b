import type { EvaluationView } from '#lib/evaluation';
import type { Accuracy } from '#lib/projections';

/** What a specialist proposed then, compared with what was decided. It has no id: nobody was asked, and nothing was written. */
export type RecordedEvaluation = Accuracy & { readonly machineName: string; readonly against: 'record' };

/** How a specialist did, asked anew or then: the members that both have mean the same. */
export type EvaluationAnswer = EvaluationView | RecordedEvaluation;
