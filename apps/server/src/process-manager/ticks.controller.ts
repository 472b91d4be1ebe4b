import { Body, Controller, Param, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import {
  type Granted,
  RunSessionCommand,
  TickAllCommand,
  type TickResult,
  TickSessionCommand,
} from '#lib/engine';
import type { SessionView } from '#lib/session';
import { Changes } from '../docs/changes.decorator.js';
import { Calls } from '../requests/calls.js';
import { EmptyBody } from '../requests/empty-body.js';
import { sessionIdPipe } from '../requests/id.pipe.js';
import { RunSessionDto } from './run-session.dto.js';

@ApiTags('process manager')
@Controller('v1')
export class TicksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly calls: Calls,
  ) {}

  @Post('tick')
  @Changes({
    summary: 'One step of every session that is not at rest',
    answer: 'TickResults',
    statuses: [200],
    problems: [503],
  })
  all(@Body() body: EmptyBody, @Req() request: Request): Promise<Granted<readonly TickResult[]>> {
    return this.commands.execute(new TickAllCommand(this.calls.of(request, body)));
  }

  @Post('sessions/:id/tick')
  @Changes({
    summary: 'One step of a session; `null` when it is at rest',
    answer: 'TickResult',
    statuses: [200],
    problems: [404, 409, 503],
  })
  one(
    @Param('id', sessionIdPipe) sessionId: string,
    @Body() body: EmptyBody,
    @Req() request: Request,
  ): Promise<Granted<TickResult | null>> {
    return this.commands.execute(new TickSessionCommand(sessionId, this.calls.of(request, body)));
  }

  @Post('sessions/:id/run')
  @Changes({
    summary: 'Steps until the session is at rest or needs a person',
    answer: 'Session',
    statuses: [200],
    problems: [404, 409, 503],
  })
  run(
    @Param('id', sessionIdPipe) sessionId: string,
    @Body() body: RunSessionDto,
    @Req() request: Request,
  ): Promise<Granted<SessionView>> {
    const input = Object.assign({ sessionId }, body);
    return this.commands.execute(new RunSessionCommand(input, this.calls.of(request, body)));
  }
}
