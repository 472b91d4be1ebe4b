import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { EvaluationSummary, EvaluationView } from '#lib/evaluation';
import { randomIds } from '#lib/kernel';
import { callOf, type CallOptions, pageOrThrow, type ReadOptions } from '#lib/operations';
import { listEvaluations, type Page, type PageRequest, type Rows } from '#lib/projections';
import type { EvaluationReplayReport } from '#lib/replay';
import { EvaluateSpecialistCommand } from '../commands/evaluate-specialist.command.js';
import { EvaluationQuery } from '../queries/evaluation.query.js';
import { VerifyEvaluationQuery } from '../queries/verify-evaluation.query.js';
import { askRows } from '../read-side/ask-rows.js';
import { type MachineOption, specialistName } from '../specialists/specialist-name.js';
import type { EvaluationAnswer } from './evaluation-answer.js';
import type { EvaluationInput } from './evaluation-input.js';

/** Finds out how well a specialist would do, or did, in rounds that are decided. Sessions stay as they are. */
@Injectable()
export class Evaluations {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /**
   * Asks a specialist anew about what people decided (`exemplars`) or people and arbiters (`decisions`), or compares what it
   * proposed then (`record`, which asks nobody). A specialist that is disabled may be asked, a human may not.
   * @throws RejectionError | EvaluationUnfinished: repeat it under its key then, and it goes on
   */
  async evaluate(input: EvaluationInput, options: CallOptions = {}): Promise<EvaluationAnswer> {
    const call = callOf('evaluate', input, options, randomIds);
    return (await this.commands.execute(new EvaluateSpecialistCommand(input, call))).value;
  }

  /** One of them with its samples, as it is by now. @throws RejectionError where there is none */
  get(evaluationId: string, options?: ReadOptions): Promise<EvaluationView> {
    return this.queries.execute(new EvaluationQuery(evaluationId, options?.minPosition));
  }

  /** Those of a specialist, newest first. */
  async list(
    specialistId: string,
    page?: PageRequest,
    options: ReadOptions & MachineOption = {},
  ): Promise<Page<EvaluationSummary>> {
    const name = specialistName(specialistId, options);
    const question = (db: Rows<'evaluations' | 'specialists'>) => listEvaluations(db, name, page);
    return pageOrThrow(await askRows(this.queries, ['evaluations', 'specialists'], question, options));
  }

  /** Replays one from the log and compares, event by event. Writes nothing. @throws RejectionError where there is none */
  replay(evaluationId: string): Promise<EvaluationReplayReport> {
    return this.queries.execute(new VerifyEvaluationQuery(evaluationId));
  }
}
