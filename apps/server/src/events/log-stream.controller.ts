import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EventLog } from '#lib/event-store';
import { eventTypesOf } from '#lib/histories';
import { Access, is, orRefused, readFields, ReadSide, view } from '#lib/operations';
import { credentialsOf } from '../security/admit-callers.js';
import { followLog, followNotices } from './follow.js';
import { OpenStreams, streamMembers } from './open-streams.js';

class LogStreamParams extends view({
  /** Recorded types, separated by commas. */
  types: is.text.optional,
  content: is.oneOf(['off']).optional,
  ...streamMembers,
}) {}

/** The whole log as server-sent events: for operators with the content of the events, for viewers without. */
@Controller('v1')
export class LogStreamController {
  constructor(
    private readonly log: EventLog,
    private readonly reads: ReadSide,
    private readonly access: Access,
    private readonly streams: OpenStreams,
  ) {}

  @Get('events/stream')
  async events(@Req() request: Request, @Res() response: Response) {
    const params = readFields(LogStreamParams, request.query);
    const types = orRefused(eventTypesOf(this.log, params.types));
    const access = params.content === 'off' ? 'viewer' : 'operator';
    const { actor } = await this.access.admit(
      { id: 'the log', access },
      { credentials: credentialsOf(request) },
    );
    const stream = { owner: `the log for ${actor}`, access, params } as const;
    await this.streams.serve(stream, request, response, async (start) => ({
      events:
        access === 'operator'
          ? followLog(this.log, types, start)
          : followNotices(this.log, types, start, (position) => this.reads.waitForRows(position)),
    }));
  }
}
