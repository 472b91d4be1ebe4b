import { IsArray, IsBoolean, IsIn, IsNumber, IsString } from 'class-validator';
import { unknownConversation } from '#lib/flows/core';
import { asReader, type EventLog } from '#lib/event-store';
import type { Rejection } from '#lib/kernel';
import {
  answeredBy,
  Describe,
  IsA,
  IsId,
  IsJson,
  IsListOf,
  IsTime,
  IsWhole,
  Moments,
  Operation,
  Optional,
  PastQuery,
  type Seen,
} from '#lib/operations';
import { Runs } from '#lib/runs/runs';
import { sessionRejections, type SessionEvent, sessionSeen } from '#lib/decisions/session';
import { runRejections, type RunsAsked } from '#lib/workflow';
import { runsOfRoots } from '../asked-runs.js';
import { RELATIONS, type Relation } from './causes.rules.js';
import { type DecidedStep, diffOf } from './diff.rules.js';
import { targetOf } from './why-target.js';
import { whyDiagram, type WhyGraph, whyOf } from './why.js';

class WhyNodeView {
  @Describe('`<stream>@<revision>`')
  @IsString()
  id!: string;

  @IsString() stream!: string;
  @IsWhole() revision!: number;
  @IsString() type!: string;
  @IsTime() occurredAt!: string;

  @Describe('The event as one line of plain language')
  @IsString()
  summary!: string;
}

class WhyEdgeView {
  @Describe('The id of an event')
  @IsString()
  from!: string;

  @Describe('The id of a cause of it')
  @IsString()
  to!: string;

  @Describe('What the cause is to the event')
  @IsIn(RELATIONS)
  relation!: Relation;
}

export class Why {
  @Describe('The event itself, then all that led to it in the order of the log')
  @IsListOf(WhyNodeView)
  nodes!: readonly WhyNodeView[];

  @IsListOf(WhyEdgeView) edges!: readonly WhyEdgeView[];
}

const DIAGRAM = { 'text/vnd.mermaid': (why: WhyGraph) => whyDiagram(why) };

abstract class WhyQuery extends PastQuery<Why> {
  @Describe('The revision of the event. Default: the last decision, else the last event; of a run its end')
  @Optional()
  @IsWhole()
  revision?: number;
}

@Operation({
  summary: 'The events that led to a decision of a session: proposals, calls, and the creation',
  http: 'GET /v1/sessions/:sessionId/why',
  access: 'viewer',
  answers: { 200: Why },
  as: DIAGRAM,
})
export class WhySession extends WhyQuery {
  @IsId(sessionRejections.unknownSession) sessionId!: string;
}

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
export class WhyRun extends WhyQuery {
  @IsId(runRejections.unknownRun) runId!: string;
}

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
export class WhyConversation extends WhyQuery {
  @IsId(unknownConversation) conversationId!: string;
}

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
  { revision, at }: Pick<WhyQuery, 'revision' | 'at'>,
): Promise<WhyGraph | Rejection> {
  const { log } = await moments.of(seen, at);
  return asReader(() => whyIn(log, seen, runsOfRoots, revision));
}

async function whyIn(log: EventLog, seen: Seen, asked: RunsAsked, revision: number | undefined) {
  const stream = log.streams.of(seen.category, seen.id);
  const target = await targetOf(log, stream, revision);
  if (!target) return seen.unknown;
  return 'rejected' in target ? target : whyOf(log, stream, asked, target);
}

class StepView {
  @IsString() fromState!: string;
  @IsString() transitionName!: string;
  @IsString() toState!: string;
  @IsString() reasoning!: string;
  @Optional() @IsJson() metaJson?: DecidedStep['metaJson'];
  @IsBoolean() isHuman!: boolean;
  @IsString() decidedBy!: string;

  @Describe('The proposals of the round, in the order they arrived')
  @IsArray()
  proposals!: DecidedStep['proposals'];
}

class ChangeView {
  @Describe('JSON pointer into the step; empty if one of the sessions has none')
  @IsString()
  pointer!: string;

  @Optional() @IsJson() a?: unknown;
  @Optional() @IsJson() b?: unknown;
}

class ComparedStepView {
  @Optional() @IsA(StepView) a?: StepView;
  @Optional() @IsA(StepView) b?: StepView;
  @IsListOf(ChangeView) changes!: readonly ChangeView[];
}

class AmountsView {
  @IsNumber() a!: number;
  @IsNumber() b!: number;
}

export class Diff {
  @Describe('Whether all decided rounds are the same')
  @IsBoolean()
  same!: boolean;

  @Describe('The decided rounds of both, side by side')
  @IsListOf(ComparedStepView)
  steps!: readonly ComparedStepView[];

  @IsA(AmountsView) costUSD!: AmountsView;
  @IsA(AmountsView) latencyMsec!: AmountsView;
}

@Operation({
  summary: 'Two sessions, decided round by decided round; ids and times are not compared',
  http: 'GET /v1/sessions/:sessionId/diff',
  access: 'viewer',
  answers: { 200: Diff },
})
export class DiffSessions extends PastQuery<Diff> {
  @IsId(sessionRejections.unknownSession) sessionId!: string;

  @Describe('The other session')
  @IsId(sessionRejections.unknownSession)
  with!: string;
}

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
