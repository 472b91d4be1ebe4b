import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { IsIn, IsString } from 'class-validator';
import { EventLog } from '#lib/event-store';
import { reject, type Rejection } from '#lib/kernel';
import {
  Describe,
  IsId,
  IsTime,
  Operation,
  Optional,
  page,
  PageQuery,
  ReadModels,
  ReadQuery,
  refuse,
} from '#lib/operations';
import {
  getLlmCall,
  listOfSession,
  listLlmCalls,
  listLlmCallsOfRun,
  listLlmCallsOfSession,
  listWebhookCallsOfSession,
  type LlmCallOutcome,
  type Page,
  pageWithBodies,
  withBodies,
} from '#lib/projections';
import { Runs } from '#lib/runs';
import { sessionRejections } from '#lib/session';
import { runRejections } from '#lib/workflow';
import { LlmCall, OUTCOMES, WebhookCall } from './calls.views.js';
import { WebhookCallBodies } from './webhook-call-bodies.js';

@Operation({
  summary: 'Calls to models, newest first, with requests and replies whole',
  http: 'GET /v1/llm-calls',
  cli: 'llm-calls --session <sessionId> --run <runId> --limit <limit=50>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(LlmCall) },
})
export class ListLlmCalls extends PageQuery<Page<LlmCall>> {
  @Describe('Of this run alone')
  @Optional()
  @IsString()
  runId?: string;

  @Describe('Of the run')
  @Optional()
  @IsString()
  workflow?: string;

  @Describe('Of this session alone')
  @Optional()
  @IsString()
  sessionId?: string;
  @Describe('Of this specialist alone')
  @Optional()
  @IsString()
  specialistId?: string;
  @Describe('Of this machine alone')
  @Optional()
  @IsString()
  machineName?: string;

  @Describe('Its name at the provider')
  @Optional()
  @IsString()
  model?: string;

  @Describe('With this outcome alone')
  @Optional()
  @IsIn(OUTCOMES)
  outcome?: LlmCallOutcome;

  @Describe('Requested at or after this time')
  @Optional()
  @IsTime()
  from?: string;

  @Describe('Requested before this time')
  @Optional()
  @IsTime()
  to?: string;
}

@QueryHandler(ListLlmCalls)
export class ListLlmCallsHandler implements IQueryHandler<ListLlmCalls> {
  constructor(
    private readonly reads: ReadModels,
    private readonly log: EventLog,
  ) {}

  async execute(query: ListLlmCalls): Promise<Page<LlmCall>> {
    const calls = await this.reads.ask(['llm_calls'], (db) => listLlmCalls(db, query, query));
    return pageWithBodies(this.log, calls);
  }
}

@Operation({
  summary: 'One call to a model: messages, tools, reply, usage, and what was concluded from it',
  http: 'GET /v1/llm-calls/:callId',
  cli: 'show <callId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: LlmCall },
})
export class GetLlmCall extends ReadQuery<LlmCall> {
  @IsId(unknownCall)
  callId!: string;
}

@QueryHandler(GetLlmCall)
export class GetLlmCallHandler implements IQueryHandler<GetLlmCall> {
  constructor(
    private readonly reads: ReadModels,
    private readonly log: EventLog,
  ) {}

  async execute({ callId }: GetLlmCall): Promise<LlmCall> {
    const found = await this.reads.ask(['llm_calls'], (db) => getLlmCall(db, callId));
    const [call] = await withBodies(this.log, found ? [found] : []);
    return call ?? refuse(unknownCall(callId));
  }
}

/** No model was called under this id. */
export function unknownCall(callId: string): Rejection {
  return reject('unknown', 'unknown-call', {
    errorClass: 'UnknownCall',
    what: `call ${callId}`,
    why: 'no call has this id',
    fix: 'List the calls of its session',
  });
}

@Operation({
  summary: 'The calls to models of a session, oldest first',
  http: 'GET /v1/sessions/:sessionId/llm-calls',
  cli: 'calls <sessionId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(LlmCall) },
})
export class ListLlmCallsOfSession extends PageQuery<Page<LlmCall>> {
  @IsId(sessionRejections.unknownSession)
  sessionId!: string;
}

@QueryHandler(ListLlmCallsOfSession)
export class ListLlmCallsOfSessionHandler implements IQueryHandler<ListLlmCallsOfSession> {
  constructor(
    private readonly reads: ReadModels,
    private readonly log: EventLog,
  ) {}

  async execute(query: ListLlmCallsOfSession): Promise<Page<LlmCall>> {
    const { sessionId } = query;
    const calls = await this.reads.ask(['session_events', 'llm_calls'], (db) =>
      listOfSession(db, sessionId, () => listLlmCallsOfSession(db, sessionId, query)),
    );
    return pageWithBodies(this.log, calls);
  }
}

@Operation({
  summary: 'The calls to models of a run, without those of its children, oldest first',
  http: 'GET /v1/runs/:runId/llm-calls',
  cli: 'run calls <runId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(LlmCall) },
})
export class ListLlmCallsOfRun extends PageQuery<Page<LlmCall>> {
  @IsId(runRejections.unknownRun)
  runId!: string;
}

@QueryHandler(ListLlmCallsOfRun)
export class ListLlmCallsOfRunHandler implements IQueryHandler<ListLlmCallsOfRun> {
  constructor(
    private readonly runs: Runs,
    private readonly reads: ReadModels,
    private readonly log: EventLog,
  ) {}

  async execute(query: ListLlmCallsOfRun): Promise<Page<LlmCall>> {
    const { runId } = query;
    await this.runs.streamOf(runId);
    const calls = await this.reads.ask(['llm_calls'], (db) => listLlmCallsOfRun(db, runId, query));
    return pageWithBodies(this.log, calls);
  }
}

@Operation({
  summary: 'The calls of webhooks in a session, of proposers and of arbiters, oldest first',
  http: 'GET /v1/sessions/:sessionId/webhook-calls',
  cli: 'webhook-calls <sessionId>',
  mcp: true,
  access: 'viewer',
  answers: { 200: page(WebhookCall) },
})
export class ListWebhookCallsOfSession extends PageQuery<Page<WebhookCall>> {
  @IsId(sessionRejections.unknownSession)
  sessionId!: string;
}

@QueryHandler(ListWebhookCallsOfSession)
export class ListWebhookCallsOfSessionHandler implements IQueryHandler<ListWebhookCallsOfSession> {
  constructor(
    private readonly reads: ReadModels,
    private readonly bodies: WebhookCallBodies,
  ) {}

  async execute(query: ListWebhookCallsOfSession): Promise<Page<WebhookCall>> {
    const { sessionId } = query;
    const calls = await this.reads.ask(['session_events', 'webhook_calls'], (db) =>
      listOfSession(db, sessionId, () => listWebhookCallsOfSession(db, sessionId, query)),
    );
    return this.bodies.of(calls);
  }
}
