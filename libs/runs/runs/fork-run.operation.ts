import { Command } from '@nestjs/cqrs';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { type ModelParameters, otherParametersSchema } from '#lib/call-rules';
import type { Json } from '#lib/kernel';
import {
  answeredBy,
  currentContext,
  Describe,
  Fits,
  IsId,
  IsJson,
  IsPart,
  IsWhole,
  markCreated,
  Operation,
  Optional,
} from '#lib/operations';
import { type RunEffects, runRejections } from '#lib/workflow';
import { RunView } from './run.views.js';
import { RunForks } from './run-forks.js';

export class RunForkOverrides {
  @Describe(
    'In place of the whole input: what is recorded before the fork is taken as the outcomes of a run with this input',
  )
  @Optional()
  @IsJson()
  input?: Json;

  @Describe('In place of the model of each call from the fork on, and in the runs that the fork starts')
  @Optional()
  @IsString()
  @MaxLength(256)
  model?: string;

  @Describe('In place of the parameters of these calls')
  @Optional()
  @Fits(otherParametersSchema)
  modelParameters?: ModelParameters;
}

@Operation({
  summary: 'Go on from a past revision of a run, in a new run: recorded outcomes are not asked again',
  http: 'POST /v1/runs/:runId/forks',
  cli: 'runs fork <runId> --at <atRevision> --effects <effects> --reason <reason>',
  access: 'operator',
  answers: { 201: RunView },
  problems: [413],
})
export class ForkRun extends Command<RunView> {
  @IsId(runRejections.unknownRun) runId!: string;

  @Describe('The last event that the fork has in common with the run: the next one comes from outside')
  @IsWhole()
  atRevision!: number;

  @Describe('What is otherwise in the fork')
  @Optional()
  @IsPart(RunForkOverrides)
  overrides?: RunForkOverrides;

  @Describe('`hold`: functions, webhooks and tools that change something wait for an approval', {
    default: 'hold',
  })
  @Optional()
  @IsIn(['hold', 'allow'])
  effects?: RunEffects;

  @Describe('Why')
  @Optional()
  @IsString()
  @MaxLength(4_096)
  reason?: string;
}

export const ForkRunHandler = answeredBy(ForkRun, [RunForks], async (command, forks) => {
  const fork = await forks.fork(command, currentContext());
  markCreated();
  return fork;
});
