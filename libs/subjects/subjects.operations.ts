import { Command, Query } from '@nestjs/cqrs';
import { EventLog, streamsAbout } from '#lib/event-store';
import { type RecordedEvent, reject } from '#lib/kernel';
import {
  answeredBy,
  authorOf,
  CommandWriter,
  currentContext,
  input,
  is,
  noMasterKey,
  Operation,
  readMembers,
  ReadModels,
} from '#lib/operations';
import { idsAbout, SubjectKeys } from '#lib/read-models';
import { Erasing } from './erasing.js';
import { byTime, historiesIn } from './exports/history-exports.js';
import { erasureIn, subjectDecider } from './subject.decider.js';
import type { SubjectEvent } from './subject.events.js';
import { exportsHolding } from './subjects.read-model.js';
import { ErasedSubject, type HoldingExport, Subject } from './subjects.views.js';

async function exportsOf(
  rows: ReadModels,
  subject: string,
  events: readonly RecordedEvent<SubjectEvent>[],
): Promise<readonly HoldingExport[]> {
  const held = await rows.ask(['labels', 'subjects', 'sessions'], (db) => exportsHolding(db, subject));
  return [...held, ...historiesIn(events)].toSorted(byTime);
}

const unknownSubject = (subject: string) =>
  reject('unknown', 'unknown-subject', {
    what: `subject ${subject}`,
    why: 'no session, run or conversation is about it',
    fix: 'Name the subject of a session, run or conversation',
  });

@Operation({
  summary: 'Erase a subject: its key is destroyed, and its content cannot be recovered',
  http: 'POST /v1/subjects/:subject/erase',
  cli: 'subjects erase <subject>',
  mcp: false,
  access: 'operator',
  answers: { 200: ErasedSubject },
  destructive: true,
  problems: [503],
})
export class EraseSubject extends input(Command<ErasedSubject>, {
  subject: is.nameOf(unknownSubject),
  reason: is.textUpTo(4_096).optional.about('Why. It stays in the log: write nothing about the subject'),
}) {}

export const EraseSubjectHandler = answeredBy(
  EraseSubject,
  [EventLog, SubjectKeys, CommandWriter, Erasing, ReadModels],
  async ({ subject, reason }, log, keys, writer, erasing, rows) => {
    const context = currentContext();
    await writer.checkKey({ category: 'subject', id: subject }, context);
    const stream = log.streams.of('subject', subject);
    const before = erasureIn(await log.readStream<SubjectEvent>(stream));
    if (!before) {
      if (!keys.canMake) return noMasterKey();
      const streams = await streamsAbout(log, subject);
      if (streams.length === 0 && (await keys.find(subject)) === undefined) return unknownSubject(subject);
      const why = reason !== undefined && { reason };
      const data = { subject, by: authorOf(context), ...why, streams: streams.length };
      const target = { category: 'subject', id: subject } as const;
      await writer.send(subjectDecider, target, { type: 'EraseSubject', data }, context);
    }
    await erasing.ended(subject);
    const events = await log.readStream<SubjectEvent>(stream);
    const erased = erasureIn(events);
    if (!erased) return unknownSubject(subject);
    context.written.note(erased.position);
    const exports = await exportsOf(rows, subject, events);
    return { subject, streams: erased.data.streams, erasedAt: erased.occurredAt, exports };
  },
);

@Operation({
  summary: 'The sessions, runs and conversations that are about a subject',
  http: 'GET /v1/subjects/:subject',
  cli: 'subjects show <subject>',
  mcp: false,
  access: 'viewer',
  answers: { 200: Subject },
})
export class GetSubject extends input(Query<Subject>, {
  subject: is.nameOf(unknownSubject),
  ...readMembers,
}) {}

export const GetSubjectHandler = answeredBy(
  GetSubject,
  [ReadModels, EventLog],
  async ({ subject }, rows, log) => {
    const about = await rows.ask(['labels'], (db) => idsAbout(db, subject));
    const events = await log.readStream<SubjectEvent>(log.streams.of('subject', subject));
    const erased = erasureIn(events);
    const isKnown = erased ?? Object.values(about).some(({ length }) => length > 0);
    if (!isKnown) return unknownSubject(subject);
    const exports = await exportsOf(rows, subject, events);
    return { subject, ...about, exports, ...(erased && { erasedAt: erased.occurredAt }) };
  },
);
