import { Query } from '@nestjs/cqrs';
import { asReader, EventLog } from '#lib/event-store';
import { conclusionOf } from '#lib/call-rules';
import {
  answeredBy,
  idBeginning,
  input,
  is,
  Moments,
  Operation,
  page,
  pageMembers,
  pastPageMembers,
  readMembers,
  ReadModels,
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
  type LlmCallRow,
  type Page,
  type WebhookCallRow,
  withBodies,
  withoutStep,
  withReadableBodies,
} from '#lib/read-models';
import { runPageMembers, Runs } from '#lib/runs/runs';
import { sessionRejections, sessionSeen } from '#lib/decisions/session';
import { ConcludedLlmCall, ListedLlmCall, LlmCall, OUTCOMES, WebhookCall } from './calls.views.js';
import { unknownCall } from './calls.rejections.js';
import { WebhookCallBodies } from './webhook-call-bodies.js';

@Operation({
  summary: 'Calls to models, newest first; `include=bodies` adds the whole requests and replies',
  http: 'GET /v1/llm-calls',
  cli: 'llm-calls --session <sessionId> --run <runId> --include <include> --limit <limit=50>',
  access: 'viewer',
  answers: { 200: page(ListedLlmCall) },
})
export class ListLlmCalls extends input(Query<Page<ListedLlmCall>>, {
  include: is.oneOf(['bodies']).optional.about('`bodies`: with the requests and the replies'),
  idPrefix: idBeginning,
  runId: is.text.optional.about('Only of this run'),
  workflow: is.text.optional.about('The workflow of the run'),
  sessionId: is.text.optional.about('Only of this session'),
  specialistId: is.text.optional.about('Only of this specialist'),
  machineName: is.text.optional.about('Only of this machine'),
  model: is.text.optional.about('Its name at the provider'),
  outcome: is.oneOf(OUTCOMES).optional.about('Only with this outcome'),
  from: is.time.optional.about('Requested at or after this time'),
  to: is.time.optional.about('Requested before this time'),
  ...pageMembers,
}) {}

export const ListLlmCallsHandler = answeredBy(
  ListLlmCalls,
  [ReadModels, EventLog],
  ({ include, ...query }, reads, log) => {
    const show = (calls: readonly LlmCallRow[]): Items<ListedLlmCall> =>
      include ? withReadableBodies(log, calls) : calls.map(withoutStep);
    return reads.ask(['llm_calls'], (db) => listLlmCalls(db, query, query, show));
  },
);

@Operation({
  summary: 'One call to a model: its messages, tools, reply and usage, and the conclusion from the reply',
  http: 'GET /v1/llm-calls/:callId',
  cli: 'show <callId>',
  access: 'viewer',
  answers: { 200: ConcludedLlmCall },
})
export class GetLlmCall extends input(Query<ConcludedLlmCall>, {
  callId: is.idOf(unknownCall),
  ...readMembers,
}) {}

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
export class ListLlmCallsOfSession extends input(Query<Page<LlmCall>>, {
  sessionId: is.idOf(sessionRejections.unknownSession),
  ...pastPageMembers,
}) {}

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
export class ListLlmCallsOfRun extends input(Query<Page<LlmCall>>, runPageMembers) {}

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
export class ListWebhookCallsOfSession extends input(Query<Page<WebhookCall>>, {
  sessionId: is.idOf(sessionRejections.unknownSession),
  ...pastPageMembers,
}) {}

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
