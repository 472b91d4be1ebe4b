import { Command, Query } from '@nestjs/cqrs';
import { EventLog, SEALS } from '#lib/event-store';
import { reject, type Rejection } from '#lib/kernel';
import {
  answeredBy,
  currentContext,
  input,
  markCreated,
  markFleeting,
  Operation,
  page,
  pageMembers,
  readMembers,
  WrittenPosition,
} from '#lib/operations';
import { type Page, pageOf } from '#lib/read-models';
import type { LogSealed } from './seal.events.js';
import type { StoredSeal } from './sealed-log.js';
import { Sealer } from './sealer.js';
import { SealView } from './seals.views.js';

@Operation({
  summary: 'Seal the events since the last seal',
  http: 'POST /v1/seals',
  cli: 'seal',
  mcp: false,
  access: 'operator',
  answers: { 200: SealView, 201: SealView },
  problems: [409],
})
export class SealLog extends Command<SealView> {}

export const SealLogHandler = answeredBy(SealLog, [Sealer, WrittenPosition], async (_, sealer, written) => {
  markFleeting();
  const { seal, isNew } = await sealer.seal();
  if (!seal) return nothingToSeal();
  markCreated(isNew);
  written.note(seal.position);
  if (isNew) currentContext().written.note(seal.position);
  return seal;
});

@Operation({
  summary: 'The seals of the log, newest first',
  http: 'GET /v1/seals',
  cli: 'seals list',
  mcp: false,
  access: 'viewer',
  answers: { 200: page(SealView) },
})
export class ListSeals extends input(Query<Page<SealView>>, pageMembers) {}

export const ListSealsHandler = answeredBy(ListSeals, [EventLog], (request, log) =>
  pageOf(request, {
    list: 'seals',
    read: (after, limit) => sealsBefore(log, after, limit),
    keyOf: ({ index }) => String(index),
    toItems: (seals) => seals,
  }),
);

@Operation({
  summary: 'The last seal of the log',
  http: 'GET /v1/seals/latest',
  cli: 'seals latest',
  mcp: false,
  access: 'viewer',
  answers: { 200: SealView },
  problems: [404],
})
export class GetLatestSeal extends input(Query<SealView>, readMembers) {}

export const GetLatestSealHandler = answeredBy(GetLatestSeal, [EventLog], async (_, log) => {
  const [seal] = await sealsBefore(log, undefined, 1);
  return seal ?? unsealed();
});

/** From the last one, or the one before an index, to the first. */
async function sealsBefore(
  log: EventLog,
  index: string | undefined,
  limit: number,
): Promise<readonly StoredSeal[]> {
  if (index === '0') return [];
  const from = index === undefined ? {} : { from: Number(index) - 1 };
  const stream = log.streams.of('log', SEALS);
  const events = await log.readStream<LogSealed>(stream, { direction: 'backwards', limit, ...from });
  return events.map(({ data: { last: _, ...seal }, position }) => ({ ...seal, position }));
}

function unsealed(): Rejection {
  return reject('unknown', 'not-sealed', {
    what: 'the log',
    why: 'it has no seal yet',
    fix: 'Seal it with redial seal, or wait: a running engine seals it every minute',
  });
}

function nothingToSeal(): Rejection {
  const fix = 'Seal it once it has an event, or name the folder of another log';
  return reject('conflict', 'not-sealed', { what: 'the log', why: 'it has no event', fix });
}

/** The refusal of a proof for a log without a seal. */
export function notSealed(what: string): Rejection {
  return reject('conflict', 'not-sealed', {
    what,
    why: 'the log has no seal yet',
    fix: 'Seal the log with redial seal, or wait: a running engine seals it every minute',
  });
}
