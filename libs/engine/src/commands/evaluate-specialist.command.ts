import { Command } from '@nestjs/cqrs';
import type { Call, Granted } from '#lib/operations';
import type { EvaluationAnswer } from '../evaluations/evaluation-answer.js';
import type { EvaluationInput } from '../evaluations/evaluation-input.js';

/** Compares a specialist with what was decided: by asking it anew, or by what it proposed then. */
export class EvaluateSpecialistCommand extends Command<Granted<EvaluationAnswer>> {
  constructor(
    readonly input: EvaluationInput,
    readonly call: Call,
  ) {
    super();
  }
}
