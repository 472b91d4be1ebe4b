import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import {
  type Granted,
  type RegisteredSpecialist,
  RegisterSpecialistCommand,
  SetSpecialistEnabledCommand,
} from '#lib/engine';
import {
  getSpecialist,
  listSpecialists,
  listSpecialistVersions,
  type Page,
  type Rows,
  type SpecialistDetails,
  type SpecialistName,
  type SpecialistRecord,
  type SpecialistVersionRecord,
} from '#lib/projections';
import { Reads } from '../answers/reads.js';
import { one, pageOf } from '../docs/answer-schema.js';
import { Answers } from '../docs/answers.decorator.js';
import { Changes } from '../docs/changes.decorator.js';
import { Calls } from '../requests/calls.js';
import { EmptyBody } from '../requests/empty-body.js';
import { specialistIdPipe } from '../requests/id.pipe.js';
import { RegisterSpecialistDto } from './register-specialist.dto.js';
import { SpecialistListParams } from './specialist-list-params.js';
import { MachineParams, SpecialistPageParams, SpecialistParams } from './specialist-params.js';

@ApiTags('specialists')
@Controller('v1/specialists')
export class SpecialistsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reads: Reads,
    private readonly calls: Calls,
  ) {}

  @Post()
  @Changes({
    summary:
      'Register a specialist, or its next version; the body of an existing version makes that one current again',
    answer: 'RegisteredSpecialist',
    statuses: [201, 200],
    problems: [409, 503],
  })
  register(
    @Body() body: RegisterSpecialistDto,
    @Req() request: Request,
  ): Promise<Granted<RegisteredSpecialist>> {
    return this.commands.execute(new RegisterSpecialistCommand(body, this.calls.of(request, body)));
  }

  @Get()
  @Answers({ summary: 'Specialists, by id', schema: pageOf('Specialist'), problems: [503] })
  list(@Query() params: SpecialistListParams): Promise<Page<SpecialistRecord>> {
    return this.reads.ask(['specialists'], (db) => listSpecialists(db, params, params), params);
  }

  @Get(':id')
  @Answers({
    summary: 'A version of a specialist, the current one where none is named',
    schema: one('SpecialistWithAlignment'),
    problems: [404, 409, 503],
  })
  get(
    @Param('id', specialistIdPipe) id: string,
    @Query() params: SpecialistParams,
  ): Promise<SpecialistDetails> {
    return this.reads.ask(
      ['specialists', 'alignment'],
      (db) => getSpecialist(db, nameOf(id, params), params.version),
      params,
    );
  }

  @Get(':id/versions')
  @Answers({
    summary: 'All versions of a specialist, the oldest first',
    schema: pageOf('SpecialistVersion'),
    problems: [404, 409, 503],
  })
  versions(
    @Param('id', specialistIdPipe) id: string,
    @Query() params: SpecialistPageParams,
  ): Promise<Page<SpecialistVersionRecord>> {
    const question = (db: Rows<'specialists'>) => listSpecialistVersions(db, nameOf(id, params), params);
    return this.reads.ask(['specialists'], question, params);
  }

  @Post(':id/enable')
  @Changes({
    summary: 'Enable a specialist in all its versions',
    answer: 'Specialist',
    statuses: [200],
    problems: [404, 409],
  })
  enable(
    @Param('id', specialistIdPipe) id: string,
    @Query() params: MachineParams,
    @Body() _body: EmptyBody,
    @Req() request: Request,
  ): Promise<Granted<SpecialistRecord>> {
    const name = nameOf(id, params);
    return this.commands.execute(new SetSpecialistEnabledCommand(name, true, this.calls.of(request, name)));
  }

  @Post(':id/disable')
  @Changes({
    summary: 'Disable a specialist in all its versions',
    answer: 'Specialist',
    statuses: [200],
    problems: [404, 409],
  })
  disable(
    @Param('id', specialistIdPipe) id: string,
    @Query() params: MachineParams,
    @Body() _body: EmptyBody,
    @Req() request: Request,
  ): Promise<Granted<SpecialistRecord>> {
    const name = nameOf(id, params);
    return this.commands.execute(new SetSpecialistEnabledCommand(name, false, this.calls.of(request, name)));
  }
}

function nameOf(specialistId: string, { machineName }: MachineParams): SpecialistName {
  return { specialistId, ...(machineName !== undefined && { machineName }) };
}
