import { IsIn, IsString } from 'class-validator';
import { asReader, EventLog } from '#lib/event-store';
import { conclusionOf } from '#lib/call-rules';
import {
  answeredBy,
  Describe,
  IsId,
  IsIdPrefix,
  IsTime,
  Moments,
  Operation,
  Optional,
  page,
  PageQuery,
  PastPageQuery,
  ReadModels,
  ReadQuery,
} from '#lib/operations';
import {
  getLlmCall,
  isAskedAgain,
  listOfSession,
  listLlmCalls,
  listLlmCallsOfRun,
  listLlmCallsOfSession,
  listWebhookCallsOfSession,
  type Items,
  type LlmCallOutcome,
  type LlmCallRow,
  type Page,
  type WebhookCallRow,
  withBodies,
  withoutStep,
} from '#lib/read-models';
import { Runs } from '#lib/runs/runs';
import { sessionRejections, sessionSeen } from '#lib/decisions/session';

import { runRejections } from '#lib/workflow';
import { ConcludedLlmCall, ListedLlmCall, LlmCall, OUTCOMES, WebhookCall } from './calls.views.js';
import { unknownCall } from './calls.rejections.js';
import { WebhookCallBodies } from './webhook-call-bodies.js';

@Operation({
  summary: 'Calls to models, newest first; `include=bodies` adds requests and replies, whole',
  http: 'GET /v1/llm-calls',
  cli: 'llm-calls --session <sessionId> --run <runId> --include <include> --limit <limit=50>',
  access: 'viewer',
  answers: { 200: page(ListedLlmCall) },
})
export class ListLlmCalls extends PageQuery<Page<ListedLlmCall>> {
  @Describe('`bodies`: with what was sent and what came')
  @Optional()
  @IsIn(['bodies'])
  include?: 'bodies';

  @IsIdPrefix() idPrefix?: string;

  @Describe('Only of this run')
  @Optional()
  @IsString()
  runId?: string;

  @Describe('The workflow of the run')
  @Optional()
  @IsString()
  workflow?: string;

  @Describe('Only of this session')
  @Optional()
  @IsString()
  sessionId?: string;

  @Describe('Only of this specialist')
  @Optional()
  @IsString()
  specialistId?: string;

  @Describe('Only of this machine')
  @Optional()
  @IsString()
  machineName?: string;

  @Describe('Its name at the provider')
  @Optional()
  @IsString()
  model?: string;

  @Describe('Only with this outcome')
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

export const ListLlmCallsHandler = answeredBy(
  ListLlmCalls,
  [ReadModels, EventLog],
  ({ include, ...query }, reads, log) => {
    const show = (calls: readonly LlmCallRow[]): Items<ListedLlmCall> =>
      include ? withBodies(log, calls) : calls.map(withoutStep);
    return reads.ask(['llm_calls'], (db) => listLlmCalls(db, query, query, show));
  },
);

@Operation({
  summary: 'One call to a model: messages, tools, reply, usage, and the conclusion from it',
  http: 'GET /v1/llm-calls/:callId',
  cli: 'show <callId>',
  access: 'viewer',
  answers: { 200: ConcludedLlmCall },
})
export class GetLlmCall extends ReadQuery<ConcludedLlmCall> {
  @IsId(unknownCall) callId!: string;
}

export const GetLlmCallHandler = answeredBy(
  GetLlmCall,
  [ReadModels, EventLog],
  async ({ callId }, reads, log) => {
    const { found, again } = await reads.ask(['llm_calls'], async (db) => {
      const found = await getLlmCall(db, callId);
      return found ? { found, again: await isAskedAgain(db, found) } : unknownCall(callId);
    });
    return asReader(async () => {
      for await (const call of withBodies(log, [found])) {
        const concluded = { ...call, ...(again && { askedAgain: true as const }) };
        return { ...concluded, conclusion: conclusionOf(concluded) };
      }
      return unknownCall(callId);
    });
  },
);

@Operation({
  summary: 'The calls to models of a session, oldest first',
  http: 'GET /v1/sessions/:sessionId/llm-calls',
  cli: 'calls <sessionId>',
  access: 'viewer',
  answers: { 200: page(LlmCall) },
})
export class ListLlmCallsOfSession extends PastPageQuery<Page<LlmCall>> {
  @IsId(sessionRejections.unknownSession) sessionId!: string;
}

export const ListLlmCallsOfSessionHandler = answeredBy(
  ListLlmCallsOfSession,
  [Moments],
  async (query, moments) => {
    const { sessionId } = query;
    const moment = await moments.of(sessionSeen(sessionId), query.at);
    const show = (calls: readonly LlmCallRow[]) => withBodies(moment.log, calls);
    return moment.ask(['session_events', 'llm_calls'], (db) =>
      listOfSession(db, sessionId, () => listLlmCallsOfSession(db, sessionId, query, show)),
    );
  },
);

@Operation({
  summary: 'The calls to models of a run, without those of its children, oldest first',
  http: 'GET /v1/runs/:runId/llm-calls',
  cli: 'runs calls <runId>',
  access: 'viewer',
  answers: { 200: page(LlmCall) },
})
export class ListLlmCallsOfRun extends PastPageQuery<Page<LlmCall>> {
  @IsId(runRejections.unknownRun) runId!: string;
}

export const ListLlmCallsOfRunHandler = answeredBy(ListLlmCallsOfRun, [Runs], async (query, runs) => {
  const { runId } = query;
  const moment = await runs.moment(runId, query.at);
  const show = (calls: readonly LlmCallRow[]) => withBodies(moment.log, calls);
  return moment.ask(['llm_calls'], (db) => listLlmCallsOfRun(db, runId, query, show));
});

@Operation({
  summary: 'The calls of webhooks in a session, of proposers and of arbiters, oldest first',
  http: 'GET /v1/sessions/:sessionId/webhook-calls',
  cli: 'webhook-calls <sessionId>',
  access: 'viewer',
  answers: { 200: page(WebhookCall) },
})
export class ListWebhookCallsOfSession extends PastPageQuery<Page<WebhookCall>> {
  @IsId(sessionRejections.unknownSession) sessionId!: string;
}

export const ListWebhookCallsOfSessionHandler = answeredBy(
  ListWebhookCallsOfSession,
  [Moments, WebhookCallBodies],
  async (query, moments, bodies) => {
    const { sessionId } = query;
    const moment = await moments.of(sessionSeen(sessionId), query.at);
    const show = (calls: readonly WebhookCallRow[]) => bodies.of(calls, moment.log);
    return moment.ask(['session_events', 'webhook_calls'], (db) =>
      listOfSession(db, sessionId, () => listWebhookCallsOfSession(db, sessionId, query, show)),
    );
  },
);
