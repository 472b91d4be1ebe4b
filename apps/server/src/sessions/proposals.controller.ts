import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { type Granted, SubmitProposalCommand } from '#lib/engine';
import { listProposals, type Page } from '#lib/projections';
import type { ProposalView } from '#lib/session';
import { Reads } from '../answers/reads.js';
import { pageOf } from '../docs/answer-schema.js';
import { Answers } from '../docs/answers.decorator.js';
import { Changes } from '../docs/changes.decorator.js';
import { Calls } from '../requests/calls.js';
import { sessionIdPipe } from '../requests/id.pipe.js';
import { listOfSession } from './list-of-session.js';
import { ProposalListParams } from './proposal-list-params.js';
import { SubmitProposalDto } from './submit-proposal.dto.js';

@ApiTags('sessions')
@Controller('v1/sessions/:id/proposals')
export class ProposalsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reads: Reads,
    private readonly calls: Calls,
  ) {}

  @Post()
  @ApiHeader({
    name: 'Redial-Actor-Token',
    required: false,
    description: "To act as a human specialist: that specialist's own token",
  })
  @Changes({
    summary: 'State a proposal with `transitionName`, or ask a specialist for one',
    answer: 'Proposal',
    statuses: [201],
    problems: [403, 404, 409, 502, 503],
  })
  submit(
    @Param('id', sessionIdPipe) sessionId: string,
    @Body() body: SubmitProposalDto,
    @Req() request: Request,
  ): Promise<Granted<ProposalView>> {
    const call = this.calls.of(request, body);
    return this.commands.execute(new SubmitProposalCommand(Object.assign({ sessionId }, body), call));
  }

  @Get()
  @Answers({
    summary: 'Proposals in the order they arrived',
    schema: pageOf('Proposal'),
    problems: [404, 503],
  })
  list(
    @Param('id', sessionIdPipe) sessionId: string,
    @Query() params: ProposalListParams,
  ): Promise<Page<ProposalView>> {
    const { roundId } = params;
    const filter = { sessionId, ...(roundId !== undefined && { roundId }) };
    return this.reads.ask(
      ['session_events', 'proposals'],
      (db) => listOfSession(db, sessionId, () => listProposals(db, filter, params)),
      params,
    );
  }
}
