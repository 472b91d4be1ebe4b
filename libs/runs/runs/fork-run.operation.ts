import { Command } from '@nestjs/cqrs';
import { type ModelParameters, otherParametersSchema } from '#lib/call-rules';
import {
  answeredBy,
  currentContext,
  forkMembers,
  input,
  is,
  markCreated,
  Operation,
  view,
} from '#lib/operations';
import { runRejections } from '#lib/workflow';
import { RunView } from './run.views.js';
import { RunForks } from './run-forks.js';

export class RunForkOverrides extends view({
  input: is
    .json()
    .optional.about(
      'Replaces the whole input. The outcomes before the fork count as those of a run with this input',
    ),
  model: is
    .textUpTo(256)
    .optional.about(
      'Replaces the first model of each call from the fork on, also in the runs that the fork starts',
    ),
  modelParameters: is
    .fitting<ModelParameters>(otherParametersSchema)
    .optional.about('Replaces the parameters of these calls'),
}) {}

@Operation({
  summary:
    'Continue from a past revision of a run, in a new run: recorded outcomes are used, and their calls are not made again',
  http: 'POST /v1/runs/:runId/forks',
  cli: 'runs fork <runId> --at <atRevision> --effects <effects> --reason <reason>',
  access: 'operator',
  answers: { 201: RunView },
  problems: [413],
})
export class ForkRun extends input(Command<RunView>, {
  runId: is.idOf(runRejections.unknownRun),
  atRevision: is
    .whole()
    .about('The last event that the fork has in common with the run: the next one comes from outside'),
  overrides: is.part(RunForkOverrides).optional.about('The changes of the fork'),
  ...forkMembers,
}) {}

export const ForkRunHandler = answeredBy(ForkRun, [RunForks], async (command, forks) => {
  const fork = await forks.fork(command, currentContext());
  markCreated();
  return fork;
});
