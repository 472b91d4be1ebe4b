import { Command, Query } from '@nestjs/cqrs';
import {
  answeredBy,
  currentContext,
  input,
  is,
  markFleeting,
  Operation,
  page,
  pageMembers,
} from '#lib/operations';
import { type Page, pageOf } from '#lib/read-models';
import { RecoveryDesk } from './recovery.js';
import { SetAsideView } from './recovery.views.js';

/** Characters of a stream's name. */
const LONGEST_NAME = 512;

@Operation({
  summary: 'The work that recovery set aside: it failed in this process, or no process continues it',
  http: 'GET /v1/recovery',
  cli: 'recovery list',
  access: 'viewer',
  answers: { 200: page(SetAsideView) },
})
export class ListRecovery extends input(Query<Page<SetAsideView>>, pageMembers) {}

export const ListRecoveryHandler = answeredBy(ListRecovery, [RecoveryDesk], (request, desk) =>
  pageOf(request, {
    list: 'recovery',
    read: async (after = '', limit) =>
      (await desk.list()).filter(({ stream }) => stream > after).slice(0, limit),
    keyOf: ({ stream }) => stream,
    toItems: (views) => views,
  }),
);

@Operation({
  summary: 'Retry an item that recovery set aside',
  http: 'POST /v1/recovery/:stream/retry',
  cli: 'recovery retry <stream>',
  access: 'operator',
  answers: { 200: SetAsideView },
})
export class RetryRecovery extends input(Command<SetAsideView>, { stream: is.textUpTo(LONGEST_NAME) }) {}

export const RetryRecoveryHandler = answeredBy(RetryRecovery, [RecoveryDesk], ({ stream }, desk) => {
  markFleeting();
  return desk.retry(stream);
});

@Operation({
  summary: 'Give up an item that recovery set aside: it is recorded as failed',
  http: 'POST /v1/recovery/:stream/give-up',
  cli: 'recovery give-up <stream>',
  access: 'operator',
  answers: { 200: SetAsideView },
  problems: [409],
  destructive: true,
})
export class GiveUpRecovery extends input(Command<SetAsideView>, { stream: is.textUpTo(LONGEST_NAME) }) {}

export const GiveUpRecoveryHandler = answeredBy(GiveUpRecovery, [RecoveryDesk], ({ stream }, desk) => {
  markFleeting();
  return desk.giveUp(stream, currentContext());
});
