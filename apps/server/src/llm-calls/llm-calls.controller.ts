import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { EventLog } from '#lib/event-store';
import {
  listLlmCalls,
  listLlmCallsOfSession,
  listWebhookCallsOfSession,
  type LlmCallRecord,
  type Page,
  pageWithBodies,
  type WebhookCallRecord,
} from '#lib/projections';
import { Reads } from '../answers/reads.js';
import { pageOf } from '../docs/answer-schema.js';
import { Answers } from '../docs/answers.decorator.js';
import { sessionIdPipe } from '../requests/id.pipe.js';
import { PageParams } from '../requests/page-params.js';
import { listOfSession } from '../sessions/list-of-session.js';
import { LlmCallListParams } from './llm-call-list-params.js';

@ApiTags('audit')
@Controller('v1')
export class LlmCallsController {
  constructor(
    private readonly reads: Reads,
    private readonly log: EventLog,
  ) {}

  @Get('llm-calls')
  @Answers({ summary: 'Calls to models, newest first', schema: pageOf('LlmCall'), problems: [503] })
  async list(@Query() params: LlmCallListParams): Promise<Page<LlmCallRecord>> {
    const calls = await this.reads.ask(['llm_calls'], (db) => listLlmCalls(db, params, params), params);
    return pageWithBodies(this.log, calls);
  }

  @Get('sessions/:id/llm-calls')
  @Answers({
    summary: 'Calls to models in a session, oldest first',
    schema: pageOf('LlmCall'),
    problems: [404, 503],
  })
  async ofSession(
    @Param('id', sessionIdPipe) sessionId: string,
    @Query() params: PageParams,
  ): Promise<Page<LlmCallRecord>> {
    const calls = await this.reads.ask(
      ['session_events', 'llm_calls'],
      (db) => listOfSession(db, sessionId, () => listLlmCallsOfSession(db, sessionId, params)),
      params,
    );
    return pageWithBodies(this.log, calls);
  }

  @Get('sessions/:id/webhook-calls')
  @Answers({
    summary: 'Calls of webhooks in a session, oldest first',
    schema: pageOf('WebhookCall'),
    problems: [404, 503],
  })
  ofWebhooks(
    @Param('id', sessionIdPipe) sessionId: string,
    @Query() params: PageParams,
  ): Promise<Page<WebhookCallRecord>> {
    return this.reads.ask(
      ['session_events', 'webhook_calls'],
      (db) => listOfSession(db, sessionId, () => listWebhookCallsOfSession(db, sessionId, params)),
      params,
    );
  }
}
