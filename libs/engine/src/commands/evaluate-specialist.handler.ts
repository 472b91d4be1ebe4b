import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { EvaluationAnswer } from '../evaluations/evaluation-answer.js';
import { Evaluator } from '../evaluations/evaluator.js';
import { CommandGate } from '../write-side/command-gate.js';
import type { Granted } from '../write-side/granted.js';
import { EvaluateSpecialistCommand } from './evaluate-specialist.command.js';

@CommandHandler(EvaluateSpecialistCommand)
export class EvaluateSpecialistHandler implements ICommandHandler<EvaluateSpecialistCommand> {
  constructor(
    private readonly running: CommandGate,
    private readonly evaluator: Evaluator,
  ) {}

  execute({ input, call }: EvaluateSpecialistCommand): Promise<Granted<EvaluationAnswer>> {
    return this.running.once(call, () => this.evaluator.evaluate(input, call));
  }
}
