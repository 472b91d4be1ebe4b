import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandGate, type Granted } from '#lib/operations';
import type { EvaluationAnswer } from '../evaluations/evaluation-answer.js';
import { Evaluator } from '../evaluations/evaluator.js';
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
