import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import {
  EvaluateSpecialistCommand,
  type EvaluationAnswer,
  EvaluationQuery,
  type Granted,
  VerifyEvaluationQuery,
} from '#lib/engine';
import type { EvaluationSummary, EvaluationView } from '#lib/evaluation';
import { listEvaluations, type Page, type Rows } from '#lib/projections';
import type { EvaluationReplayReport } from '#lib/replay';
import { Reads } from '../answers/reads.js';
import { one, pageOf } from '../docs/answer-schema.js';
import { Answers } from '../docs/answers.decorator.js';
import { Changes } from '../docs/changes.decorator.js';
import { Calls } from '../requests/calls.js';
import { EmptyBody } from '../requests/empty-body.js';
import { evaluationIdPipe, specialistIdPipe } from '../requests/id.pipe.js';
import { ReadParams } from '../requests/read-params.js';
import { MachineParams, SpecialistPageParams } from '../specialists/specialist-params.js';
import { EvaluateSpecialistDto } from './evaluate-specialist.dto.js';

@ApiTags('evaluations')
@Controller('v1')
export class EvaluationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly calls: Calls,
  ) {}

  @Post('specialists/:id/evaluations')
  @Changes({
    summary: 'Compare a specialist with what was decided, asking it anew or not; no session changes',
    answer: 'EvaluationAnswer',
    statuses: [201, 200],
    problems: [404, 409, 503],
  })
  evaluate(
    @Param('id', specialistIdPipe) specialistId: string,
    @Query() { machineName: specialistMachine }: MachineParams,
    @Body() body: EvaluateSpecialistDto,
    @Req() request: Request,
  ): Promise<Granted<EvaluationAnswer>> {
    const of = { specialistId, ...(specialistMachine !== undefined && { specialistMachine }) };
    const input = Object.assign(of, body);
    return this.commands.execute(new EvaluateSpecialistCommand(input, this.calls.of(request, input)));
  }

  @Get('specialists/:id/evaluations')
  @Answers({
    summary: 'The evaluations that asked a specialist, newest first, without their samples',
    schema: pageOf('EvaluationSummary'),
    problems: [404, 409, 503],
  })
  list(
    @Param('id', specialistIdPipe) specialistId: string,
    @Query() params: SpecialistPageParams,
  ): Promise<Page<EvaluationSummary>> {
    const { machineName } = params;
    const name = { specialistId, ...(machineName !== undefined && { machineName }) };
    const question = (db: Rows<'evaluations' | 'specialists'>) => listEvaluations(db, name, params);
    return this.reads.ask(['evaluations', 'specialists'], question, params);
  }

  @Get('evaluations/:evaluationId')
  @Answers({ summary: 'An evaluation as it is by now', schema: one('Evaluation'), problems: [404, 503] })
  get(
    @Param('evaluationId', evaluationIdPipe) evaluationId: string,
    @Query() { minPosition }: ReadParams,
  ): Promise<EvaluationView> {
    return this.queries.execute(new EvaluationQuery(evaluationId, minPosition));
  }

  @Post('evaluations/:evaluationId/replay')
  @HttpCode(200)
  @Answers({
    summary: 'Derive every derived event of an evaluation again, and compare; nothing is written',
    schema: one('EvaluationReplayReport'),
    problems: [404],
  })
  replay(
    @Param('evaluationId', evaluationIdPipe) evaluationId: string,
    @Body() _body: EmptyBody,
  ): Promise<EvaluationReplayReport> {
    return this.queries.execute(new VerifyEvaluationQuery(evaluationId));
  }
}
