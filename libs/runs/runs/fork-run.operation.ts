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
      'In place of the whole input: what is recorded before the fork is taken as the outcomes of a run with this input',
    ),
  model: is
    .textUpTo(256)
    .optional.about(
      'In place of the model of each call from the fork on, and in the runs that the fork starts',
    ),
  modelParameters: is
    .fitting<ModelParameters>(otherParametersSchema)
    .optional.about('In place of the parameters of these calls'),
}) {}

@Operation({
  summary: 'Go on from a past revision of a run, in a new run: recorded outcomes are not asked again',
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
  overrides: is.part(RunForkOverrides).optional.about('What is otherwise in the fork'),
  ...forkMembers,
}) {}

export const ForkRunHandler = answeredBy(ForkRun, [RunForks], async (command, forks) => {
  const fork = await forks.fork(command, currentContext());
  markCreated();
  return fork;
});
