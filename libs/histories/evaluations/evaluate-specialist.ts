import { Command } from '@nestjs/cqrs';
import { unknownSpecialist } from '#lib/decisions/specialists';
import { input, is, oneOf, Operation } from '#lib/operations';
import { Evaluation, RecordedEvaluation } from './evaluations.views.js';

const AGAINST = ['exemplars', 'decisions', 'record'] as const;

@Operation({
  summary:
    'Ask a specialist again about past rounds of its states, and compare its choices with the decisions; no session changes',
  http: 'POST /v1/specialists/:specialistId/evaluations',
  query: { machineName: 'specialistMachine' },
  cli:
    'evaluate <specialistId> --against <against=exemplars> --rounds <maxRounds=50> ' +
    '--machine <specialistMachine> --rounds-of <machineName>',
  access: 'operator',
  answers: { 200: oneOf(Evaluation, RecordedEvaluation), 201: oneOf(Evaluation, RecordedEvaluation) },
  problems: [503],
})
export class EvaluateSpecialist extends input(Command<Evaluation | RecordedEvaluation>, {
  specialistId: is.nameOf(unknownSpecialist),
  specialistMachine: is.name.optional.about(
    'The machine of the specialist: needed if several have one of this id',
  ),
  against: is
    .oneOf(AGAINST)
    .about(
      '`exemplars`: compares with decisions of people; `decisions`: with all decisions; `record`: compares its past proposals, without a new call',
    ),
  machineName: is.name.optional.about("The machine of the rounds; default: the specialist's", {
    example: 'refunds',
  }),
  specialistVersion: is.whole(1).optional.about('Default: the current version'),
  maxRounds: is
    .whole(1, 500)
    .optional.about('The most past rounds, newest first, of all states together', { default: 50 }),
  allStates: is.flag.optional.about('Also rounds of states in which a declared specialist takes no part', {
    default: false,
  }),
}) {}
