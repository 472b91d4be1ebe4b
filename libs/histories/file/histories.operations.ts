import { Query } from '@nestjs/cqrs';
import { EventLog, parsePosition } from '#lib/event-store';
import { unknownConversation } from '#lib/flows/core';
import { engineVersion, type Rejection, systemClock } from '#lib/kernel';
import {
  answeredBy,
  authorOf,
  currentContext,
  input,
  is,
  lines,
  Operation,
  readMembers,
} from '#lib/operations';
import { sessionRejections } from '#lib/decisions/session';
import { LogHold, SealedLog } from '#lib/seals/core';
import { runRejections, WorkflowRegistry } from '#lib/workflow';
import type { HistoryRoot } from './history-lines.js';
import { findRoot, planHistory, UNKNOWN_ROOT } from './history-plan.js';
import { keysOfHistory } from './keys-of-history.js';
import { sealOfHistory } from './proof-of-history.js';
import { writeHistory } from './write-history.js';

const ANSWERS = { 200: lines('application/x-ndjson') };

/** The members that the histories of all kinds of roots share. */
const historyMembers = {
  ...readMembers,
  redact: is
    .oneOf(['content'])
    .optional.about(
      '`content`: leave out the content by people, models and tools, and values derived from it',
    ),
  keys: is
    .oneOf(['off'])
    .optional.about(
      '`off`: leave out the keys of subjects, which operators get: the content about them cannot be read then',
    ),
};

@Operation({
  summary: 'A session with its runs and tasks, as a history file',
  http: 'GET /v1/sessions/:sessionId/history',
  mcp: false,
  access: 'viewer',
  answers: ANSWERS,
})
export class GetSessionHistory extends input(Query<AsyncIterable<string>>, {
  sessionId: is.idOf(sessionRejections.unknownSession),
  ...historyMembers,
}) {}

@Operation({
  summary: 'A run with the runs and tasks below it, as a history file',
  http: 'GET /v1/runs/:runId/history',
  mcp: false,
  access: 'viewer',
  answers: ANSWERS,
})
export class GetRunHistory extends input(Query<AsyncIterable<string>>, {
  runId: is.idOf(runRejections.unknownRun),
  ...historyMembers,
}) {}

@Operation({
  summary: 'A conversation with its turns and tasks, as a history file',
  http: 'GET /v1/conversations/:conversationId/history',
  mcp: false,
  access: 'viewer',
  answers: ANSWERS,
})
export class GetConversationHistory extends input(Query<AsyncIterable<string>>, {
  conversationId: is.idOf(unknownConversation),
  ...historyMembers,
}) {}

export const GetSessionHistoryHandler = answeredBy(
  GetSessionHistory,
  [EventLog, WorkflowRegistry, SealedLog, LogHold],
  ({ sessionId, ...wanted }, ...parts) => history('session', sessionId, wanted, ...parts),
);

export const GetRunHistoryHandler = answeredBy(
  GetRunHistory,
  [EventLog, WorkflowRegistry, SealedLog, LogHold],
  ({ runId, ...wanted }, ...parts) => history('run', runId, wanted, ...parts),
);

export const GetConversationHistoryHandler = answeredBy(
  GetConversationHistory,
  [EventLog, WorkflowRegistry, SealedLog, LogHold],
  ({ conversationId, ...wanted }, ...parts) => history('conversation', conversationId, wanted, ...parts),
);

async function history(
  kind: HistoryRoot['kind'],
  id: string,
  { redact, keys, minPosition }: Pick<GetRunHistory, 'redact' | 'keys' | 'minPosition'>,
  log: EventLog,
  workflows: WorkflowRegistry,
  sealed: SealedLog,
  hold: LogHold,
): Promise<AsyncIterable<string> | Rejection> {
  // This reads the log itself: every position of it is reached.
  if (minPosition !== undefined) parsePosition(log.store.logId, minPosition);
  const root = await findRoot(log, id, workflows, [kind]);
  if (!root) return UNKNOWN_ROOT[kind](id);
  const written = { engine: engineVersion(), now: systemClock.now() };
  const plan = await planHistory(log, root);
  const seal = await sealOfHistory(sealed, plan);
  const context = currentContext();
  const hasKeys = keys !== 'off' && context.role === 'operator';
  const reader = { by: authorOf(context), hasKeys, mayRecord: () => hold.letsQueriesRecord };
  const given = redact ? [] : await keysOfHistory(log, plan, reader);
  return writeHistory(log, plan, { ...written, redaction: redact ?? 'none', seal, keys: given });
}
