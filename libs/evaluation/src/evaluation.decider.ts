import type { Decider } from '#lib/kernel';
import type { EvaluationCommand } from './evaluation.commands.js';
import { decideEvaluation } from './evaluation.decide.js';
import type { EvaluationEvent } from './evaluation.events.js';
import { evolveEvaluation } from './evaluation.evolve.js';
import type { EvaluationState } from './evaluation.state.js';

/** The rules of an evaluation. */
export const evaluationDecider: Decider<EvaluationState, EvaluationCommand, EvaluationEvent> = {
  initialState: null,
  decide: decideEvaluation,
  evolve: evolveEvaluation,
  record: (command) => command,
  rebuild: (recorded) => recorded as EvaluationCommand,
};
