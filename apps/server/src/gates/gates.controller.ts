import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { type CreatedGate, CreateGateCommand, DeleteGateCommand, type Granted } from '#lib/engine';
import { type Gate, unknownGate } from '#lib/gate';
import type { JsonObject } from '#lib/kernel';
import { getGate, listGates, type Page } from '#lib/projections';
import { Reads } from '../answers/reads.js';
import { one, pageOf } from '../docs/answer-schema.js';
import { Answers } from '../docs/answers.decorator.js';
import { Changes } from '../docs/changes.decorator.js';
import { Calls } from '../requests/calls.js';
import { EmptyBody } from '../requests/empty-body.js';
import { gateIdPipe } from '../requests/id.pipe.js';
import { PageParams } from '../requests/page-params.js';
import { ReadParams } from '../requests/read-params.js';

@ApiTags('gates')
@Controller('v1/gates')
export class GatesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reads: Reads,
    private readonly calls: Calls,
  ) {}

  @Post()
  @ApiBody({ schema: one('GateDefinition') })
  @Changes({
    summary: 'Create a gate, or its next version',
    answer: 'CreatedGate',
    statuses: [201, 200],
    problems: [409],
  })
  create(@Body() definition: JsonObject, @Req() request: Request): Promise<Granted<CreatedGate>> {
    return this.commands.execute(new CreateGateCommand(definition, this.calls.of(request, definition)));
  }

  @Get()
  @Answers({ summary: 'The gates there are, by id', schema: pageOf('Gate'), problems: [503] })
  list(@Query() page: PageParams): Promise<Page<Gate>> {
    return this.reads.ask(['gates'], (db) => listGates(db, page), page);
  }

  @Get(':id')
  @Answers({ summary: 'A gate', schema: one('Gate'), problems: [404, 503] })
  get(@Param('id', gateIdPipe) id: string, @Query() params: ReadParams): Promise<Gate> {
    return this.reads.ask(['gates'], async (db) => (await getGate(db, id)) ?? unknownGate(id), params);
  }

  @Delete(':id')
  @Changes({
    summary: 'Delete a gate: it is neither listed nor invoked any more, its invocations stay',
    answer: 'Gate',
    statuses: [200],
    problems: [404, 409],
  })
  delete(
    @Param('id', gateIdPipe) id: string,
    @Body() body: EmptyBody,
    @Req() request: Request,
  ): Promise<Granted<Gate>> {
    return this.commands.execute(new DeleteGateCommand(id, this.calls.of(request, body)));
  }
}
