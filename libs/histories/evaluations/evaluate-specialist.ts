import { Command } from '@nestjs/cqrs';
import { IsBoolean, IsIn } from 'class-validator';
import { unknownSpecialist } from '#lib/decisions/specialists';
import { Describe, IsName, IsWhole, oneOf, Operation, Optional } from '#lib/operations';
import type { Against } from './evaluation.input.js';
import { Evaluation, RecordedEvaluation } from './evaluations.views.js';

const AGAINST = ['exemplars', 'decisions', 'record'] as const;

@Operation({
  summary:
    'Ask a specialist again about past rounds of the states in which it takes part, and compare with the decisions; no session changes',
  http: 'POST /v1/specialists/:specialistId/evaluations',
  query: { machineName: 'specialistMachine' },
  cli:
    'evaluate <specialistId> --against <against=exemplars> --rounds <maxRounds=50> ' +
    '--machine <specialistMachine> --rounds-of <machineName>',
  access: 'operator',
  answers: { 200: oneOf(Evaluation, RecordedEvaluation), 201: oneOf(Evaluation, RecordedEvaluation) },
  problems: [503],
})
export class EvaluateSpecialist extends Command<Evaluation | RecordedEvaluation> {
  @IsName(unknownSpecialist) specialistId!: string;

  @Describe('The machine of the specialist: needed if several have one of this id')
  @Optional()
  @IsName()
  specialistMachine?: string;

  @Describe(
    'Compared with the decisions of people, with every decision, or, with `record`, its own past proposals without a new call',
  )
  @IsIn(AGAINST)
  against!: Against | 'record';

  @Describe("The machine whose rounds; default: the specialist's", { example: 'refunds' })
  @Optional()
  @IsName()
  machineName?: string;

  @Describe('Default: the current version')
  @Optional()
  @IsWhole(1)
  specialistVersion?: number;

  @Describe('Past rounds that are looked at, the newest, of all states together', { default: 50 })
  @Optional()
  @IsWhole(1, 500)
  maxRounds?: number;

  @Describe('Also rounds of states in which the machine declares it and it takes no part', { default: false })
  @Optional()
  @IsBoolean()
  allStates?: boolean;
}
