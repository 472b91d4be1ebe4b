import { Body, Controller, Get, Header, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { DefineMachineCommand, type Granted } from '#lib/engine';
import type { JsonObject } from '#lib/kernel';
import { machineDiagram, unknownMachine } from '#lib/machine';
import { getMachine, listMachines, type MachineRecord, type Page } from '#lib/projections';
import { Reads } from '../answers/reads.js';
import { one, pageOf } from '../docs/answer-schema.js';
import { Answers } from '../docs/answers.decorator.js';
import { Changes } from '../docs/changes.decorator.js';
import { Calls } from '../requests/calls.js';
import { machineNamePipe } from '../requests/id.pipe.js';
import { PageParams } from '../requests/page-params.js';
import { MachineParams } from './machine-params.js';
import { MachineInspector, type MachineReport } from './machine-inspector.js';

@ApiTags('machines')
@Controller('v1/machines')
export class MachinesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reads: Reads,
    private readonly calls: Calls,
    private readonly inspector: MachineInspector,
  ) {}

  @Post()
  @ApiBody({ schema: one('MachineDefinition') })
  @Changes({ summary: 'Define a machine', answer: 'Machine', statuses: [201, 200], problems: [409] })
  define(@Body() definition: JsonObject, @Req() request: Request): Promise<Granted<MachineRecord>> {
    return this.commands.execute(new DefineMachineCommand(definition, this.calls.of(request, definition)));
  }

  @Post('validate')
  @HttpCode(200)
  @ApiBody({ schema: { type: 'object' } })
  @Answers({ summary: 'Check a machine without defining it', schema: one('MachineReport'), problems: [413] })
  validate(@Body() definition: JsonObject): MachineReport {
    return this.inspector.inspect(definition);
  }

  @Get()
  @Answers({
    summary: 'The latest version of each machine, by name',
    schema: pageOf('Machine'),
    problems: [503],
  })
  list(@Query() page: PageParams): Promise<Page<MachineRecord>> {
    return this.reads.ask(['machines'], (db) => listMachines(db, page), page);
  }

  @Get(':name')
  @Answers({ summary: 'A machine', schema: one('Machine'), problems: [404, 503] })
  get(@Param('name', machineNamePipe) name: string, @Query() params: MachineParams): Promise<MachineRecord> {
    const { version } = params;
    return this.reads.ask(
      ['machines'],
      async (db) => (await getMachine(db, name, version)) ?? unknownMachine(name, version),
      params,
    );
  }

  @Get(':name/diagram')
  @Header('Content-Type', 'text/vnd.mermaid; charset=utf-8')
  @Answers({
    summary: 'A machine as a Mermaid state diagram',
    schema: { type: 'string' },
    type: 'text/vnd.mermaid',
    problems: [404, 503],
  })
  async diagram(
    @Param('name', machineNamePipe) name: string,
    @Query() params: MachineParams,
  ): Promise<string> {
    return machineDiagram((await this.get(name, params)).definition);
  }
}
