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
  type Page,
  type SpecialistDetails,
  type SpecialistRecord,
} from '#lib/projections';
import { unknownSpecialist } from '#lib/specialist';
import { Reads } from '../answers/reads.js';
import { one, pageOf } from '../docs/answer-schema.js';
import { Answers } from '../docs/answers.decorator.js';
import { Changes } from '../docs/changes.decorator.js';
import { Calls } from '../requests/calls.js';
import { EmptyBody } from '../requests/empty-body.js';
import { specialistIdPipe } from '../requests/id.pipe.js';
import { ReadParams } from '../requests/read-params.js';
import { RegisterSpecialistDto } from './register-specialist.dto.js';
import { SpecialistListParams } from './specialist-list-params.js';

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
    summary: 'Register a specialist',
    answer: 'RegisteredSpecialist',
    statuses: [201],
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
  @Answers({ summary: 'A specialist', schema: one('SpecialistWithAlignment'), problems: [404, 503] })
  get(@Param('id', specialistIdPipe) id: string, @Query() params: ReadParams): Promise<SpecialistDetails> {
    return this.reads.ask(
      ['specialists', 'alignment'],
      async (db) => (await getSpecialist(db, id)) ?? unknownSpecialist(id),
      params,
    );
  }

  @Post(':id/enable')
  @Changes({ summary: 'Enable a specialist', answer: 'Specialist', statuses: [200], problems: [404] })
  enable(
    @Param('id', specialistIdPipe) id: string,
    @Body() body: EmptyBody,
    @Req() request: Request,
  ): Promise<Granted<SpecialistRecord>> {
    return this.commands.execute(new SetSpecialistEnabledCommand(id, true, this.calls.of(request, body)));
  }

  @Post(':id/disable')
  @Changes({ summary: 'Disable a specialist', answer: 'Specialist', statuses: [200], problems: [404] })
  disable(
    @Param('id', specialistIdPipe) id: string,
    @Body() body: EmptyBody,
    @Req() request: Request,
  ): Promise<Granted<SpecialistRecord>> {
    return this.commands.execute(new SetSpecialistEnabledCommand(id, false, this.calls.of(request, body)));
  }
}
