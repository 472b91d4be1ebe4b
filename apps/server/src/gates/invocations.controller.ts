import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { type Granted, InvocationQuery, InvokeGateCommand } from '#lib/engine';
import type { GateResult } from '#lib/gate';
import { one } from '../docs/answer-schema.js';
import { Answers } from '../docs/answers.decorator.js';
import { Changes } from '../docs/changes.decorator.js';
import { Calls } from '../requests/calls.js';
import { gateIdPipe, sessionIdPipe } from '../requests/id.pipe.js';
import { ReadParams } from '../requests/read-params.js';
import { InvokeGateDto } from './invoke-gate.dto.js';

@ApiTags('gates')
@Controller('v1/gates/:id/invocations')
export class InvocationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly calls: Calls,
  ) {}

  @Post()
  @Changes({
    summary: 'Have a gate decide: all its proposers are asked at the same time, then its arbiter',
    answer: 'GateResult',
    statuses: [201],
    problems: [404, 409, 503],
  })
  invoke(
    @Param('id', gateIdPipe) gateId: string,
    @Body() body: InvokeGateDto,
    @Req() request: Request,
  ): Promise<Granted<GateResult>> {
    const call = this.calls.of(request, body);
    return this.commands.execute(new InvokeGateCommand(Object.assign({ gateId }, body), call));
  }

  @Get(':sessionId')
  @Answers({
    summary: 'What came of an invocation by now, also of a gate that was deleted',
    schema: one('GateResult'),
    problems: [404, 503],
  })
  get(
    @Param('id', gateIdPipe) gateId: string,
    @Param('sessionId', sessionIdPipe) sessionId: string,
    @Query() { minPosition }: ReadParams,
  ): Promise<GateResult> {
    return this.queries.execute(new InvocationQuery(gateId, sessionId, minPosition));
  }
}
