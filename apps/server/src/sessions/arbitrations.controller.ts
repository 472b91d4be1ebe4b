import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ConsensusQuery, type Granted, SubmitArbitrationCommand } from '#lib/engine';
import type { ArbitrationResult, ConsensusView } from '#lib/session';
import { one } from '../docs/answer-schema.js';
import { Answers } from '../docs/answers.decorator.js';
import { Changes } from '../docs/changes.decorator.js';
import { Calls } from '../requests/calls.js';
import { sessionIdPipe } from '../requests/id.pipe.js';
import { ReadParams } from '../requests/read-params.js';
import { SubmitArbitrationDto } from './submit-arbitration.dto.js';

@ApiTags('sessions')
@Controller('v1/sessions/:id')
export class ArbitrationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly calls: Calls,
  ) {}

  @Get('consensus')
  @Answers({
    summary: 'What the arbiter says of the current round; nothing is written',
    schema: one('Consensus'),
    problems: [404, 422, 503],
  })
  consensus(
    @Param('id', sessionIdPipe) sessionId: string,
    @Query() { minPosition }: ReadParams,
  ): Promise<ConsensusView> {
    return this.queries.execute(new ConsensusQuery(sessionId, minPosition));
  }

  @Post('arbitrations')
  @ApiHeader({
    name: 'Redial-Actor-Token',
    required: false,
    description: "To act as a human specialist: that specialist's own token",
  })
  @Changes({
    summary: 'Have the current round decided: by its arbiter, or, with `transitionName`, by a human',
    answer: 'ArbitrationResult',
    statuses: [200],
    problems: [403, 404, 409, 502, 503],
  })
  submit(
    @Param('id', sessionIdPipe) sessionId: string,
    @Body() body: SubmitArbitrationDto,
    @Req() request: Request,
  ): Promise<Granted<ArbitrationResult>> {
    const call = this.calls.of(request, body);
    return this.commands.execute(new SubmitArbitrationCommand(Object.assign({ sessionId }, body), call));
  }
}
