import { Query } from '@nestjs/cqrs';
import { unknownConversation } from '#lib/flows/core';
import { asReader, type EventLog } from '#lib/event-store';
import type { Rejection } from '#lib/kernel';
import { answeredBy, input, is, Moments, Operation, pastMembers, type Seen } from '#lib/operations';
import { Runs } from '#lib/runs/runs';
import { sessionRejections, type SessionEvent, sessionSeen } from '#lib/decisions/session';
import { runRejections, type RunsAsked } from '#lib/workflow';
import { runsOfRoots } from '../asked-runs.js';
import { diffOf } from './diff.rules.js';
import { targetOf } from './why-target.js';
import { whyDiagram, whyOf } from './why.js';
import { Diff, Why } from './why.views.js';

const DIAGRAM = { 'text/vnd.mermaid': (why: Why) => whyDiagram(why) };

const whyMembers = {
  ...pastMembers,
  revision: is
    .whole()
    .optional.about(
      'The revision of the event. Default: the last decision, else the last event; of a run its end',
    ),
};

@Operation({
  summary: 'The events that led to a decision of a session: proposals, calls, and the creation',
  http: 'GET /v1/sessions/:sessionId/why',
  access: 'viewer',
  answers: { 200: Why },
  as: DIAGRAM,
})
export class WhySession extends input(Query<Why>, {
  sessionId: is.idOf(sessionRejections.unknownSession),
  ...whyMembers,
}) {}

export const WhySessionHandler = answeredBy(WhySession, [Moments], ({ sessionId, ...query }, moments) =>
  why(moments, sessionSeen(sessionId), query),
);

@Operation({
  summary: 'The events that led to the end of a run: calls, signals, and the start',
  http: 'GET /v1/runs/:runId/why',
  cli: 'runs why <runId>',
  access: 'viewer',
  answers: { 200: Why },
  as: DIAGRAM,
})
export class WhyRun extends input(Query<Why>, { runId: is.idOf(runRejections.unknownRun), ...whyMembers }) {}

export const WhyRunHandler = answeredBy(
  WhyRun,
  [Runs, Moments],
  async ({ runId, ...query }, runs, moments) => {
    const { log } = await runs.moment(runId, undefined);
    const category = log.streams.parse(await runs.streamOf(runId))?.category ?? '';
    return why(moments, { category, id: runId, unknown: runRejections.unknownRun(runId) }, query);
  },
);

@Operation({
  summary: 'The events that led to a turn of a conversation: calls, turns before, and the start',
  http: 'GET /v1/conversations/:conversationId/why',
  cli: 'conversations why <conversationId>',
  access: 'viewer',
  answers: { 200: Why },
  as: DIAGRAM,
})
export class WhyConversation extends input(Query<Why>, {
  conversationId: is.idOf(unknownConversation),
  ...whyMembers,
}) {}

export const WhyConversationHandler = answeredBy(
  WhyConversation,
  [Moments],
  ({ conversationId, ...query }, moments) =>
    why(
      moments,
      { category: 'conversation', id: conversationId, unknown: unknownConversation(conversationId) },
      query,
    ),
);

async function why(
  moments: Moments,
  seen: Seen,
  { revision, at }: Pick<WhyRun, 'revision' | 'at'>,
): Promise<Why | Rejection> {
  const { log } = await moments.of(seen, at);
  return asReader(() => whyIn(log, seen, runsOfRoots, revision));
}

async function whyIn(log: EventLog, seen: Seen, asked: RunsAsked, revision: number | undefined) {
  const stream = log.streams.of(seen.category, seen.id);
  const target = await targetOf(log, stream, revision);
  if (!target) return seen.unknown;
  return 'rejected' in target ? target : whyOf(log, stream, asked, target);
}

@Operation({
  summary: 'Two sessions, decided round by decided round; ids and times are not compared',
  http: 'GET /v1/sessions/:sessionId/diff',
  access: 'viewer',
  answers: { 200: Diff },
})
export class DiffSessions extends input(Query<Diff>, {
  sessionId: is.idOf(sessionRejections.unknownSession),
  with: is.idOf(sessionRejections.unknownSession).about('The other session'),
  ...pastMembers,
}) {}

export const DiffSessionsHandler = answeredBy(DiffSessions, [Moments], async (query, moments) => {
  const { log } = await moments.of(sessionSeen(query.sessionId), query.at);
  const [a, b] = await Promise.all([query.sessionId, query.with].map((id) => sessionIn(log, id)));
  if (!a || a.length === 0) return sessionRejections.unknownSession(query.sessionId);
  if (!b || b.length === 0) return sessionRejections.unknownSession(query.with);
  return diffOf(a, b);
});

function sessionIn(log: EventLog, sessionId: string) {
  return log.readStream<SessionEvent>(log.streams.of('session', sessionId));
}
