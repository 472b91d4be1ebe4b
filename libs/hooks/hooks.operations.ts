import { Command, Query } from '@nestjs/cqrs';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn } from 'class-validator';
import {
  answeredBy,
  currentContext,
  input,
  is,
  markCreated,
  markFleeting,
  nothing,
  Operation,
  page,
  pageMembers,
  readMembers,
  ReadModels,
} from '#lib/operations';
import { type Page, pageOf } from '#lib/read-models';
import { DELIVERY_STATUSES, unknownDelivery } from '#lib/reactions';
import { unknownHook } from './hook.decider.js';
import { HOOK_TYPES, type HookType } from './hook-types.js';
import { Hooks } from './hooks.js';
import { HookAttempt, HookDelivery, HookView } from './hooks.views.js';

@Operation({
  summary: 'Register a hook, an address that gets messages about events; the same id again changes it',
  http: 'POST /v1/hooks',
  cli: 'hooks add <hookId> --secret-name <secretName> --disabled [disabled]',
  mcp: false,
  access: 'operator',
  answers: { 200: HookView, 201: HookView },
})
export class RegisterHook extends input(Command<HookView>, {
  hookId: is.name,
  url: is
    .textUpTo(2_048)
    .about('http or https, without credentials', { example: 'https://example.com/hooks' }),
  types: is
    .form<readonly HookType[]>(IsIn(HOOK_TYPES, { each: true }), ArrayUnique(), ArrayNotEmpty(), IsArray())
    .about(`Some of ${HOOK_TYPES.join(', ')}`, { example: ['round.decided'] }),
  machineName: is.name.optional.about('Only events of this machine'),
  secretName: is
    .textUpTo(128)
    .optional.about(
      'The variable that holds the secret, `whsec_…`; it is, or ends in, `WEBHOOK_TOKEN` or `HOOK_TOKEN`. Default: the secret is random, is kept under the master key, and is in the answer to the first call',
      {
        example: 'BOOKING_HOOK_TOKEN',
      },
    ),
  disabled: is.flag.optional.about(
    '`true`: its messages wait; `false`: they are sent. Default: unchanged, and `false` for a new hook',
  ),
}) {}

export const RegisterHookHandler = answeredBy(RegisterHook, [Hooks], async (body, hooks) => {
  const { hook, isNew } = await hooks.register(body, currentContext());
  markCreated(isNew);
  return hook;
});

@Operation({
  summary: 'The hooks, by id',
  http: 'GET /v1/hooks',
  cli: 'hooks list',
  mcp: false,
  access: 'viewer',
  answers: { 200: page(HookView) },
})
export class ListHooks extends input(Query<Page<HookView>>, pageMembers) {}

export const ListHooksHandler = answeredBy(ListHooks, [Hooks], async (request, hooks) => {
  const all = await hooks.all();
  return pageOf(request, {
    list: 'hooks',
    read: (after = '', limit) => Promise.resolve(all.filter(({ hookId }) => hookId > after).slice(0, limit)),
    keyOf: ({ hookId }) => hookId,
    toItems: (found) => found,
  });
});

/** A query about one hook. */
@Operation({
  summary: 'A hook',
  http: 'GET /v1/hooks/:hookId',
  cli: 'hooks show <hookId>',
  mcp: false,
  access: 'viewer',
  answers: { 200: HookView },
})
export class GetHook extends input(Query<HookView>, { hookId: is.nameOf(unknownHook), ...readMembers }) {}

export const GetHookHandler = answeredBy(GetHook, [Hooks], ({ hookId }, hooks) => hooks.get(hookId));

@Operation({
  summary: 'Delete a hook with its waiting deliveries',
  http: 'DELETE /v1/hooks/:hookId',
  cli: 'hooks delete <hookId>',
  mcp: false,
  access: 'operator',
  answers: { 204: nothing },
  destructive: true,
})
export class DeleteHook extends input(Command<null>, { hookId: is.nameOf(unknownHook) }) {}

export const DeleteHookHandler = answeredBy(DeleteHook, [Hooks], async ({ hookId }, hooks) => {
  await hooks.delete(hookId, currentContext());
  return null;
});

@Operation({
  summary: 'Call a hook now with a message of the type `hook.test`',
  http: 'POST /v1/hooks/:hookId/test',
  cli: 'hooks test <hookId>',
  mcp: false,
  access: 'operator',
  answers: { 200: HookAttempt },
})
export class TestHook extends input(Command<HookAttempt>, { hookId: is.nameOf(unknownHook) }) {}

export const TestHookHandler = answeredBy(TestHook, [Hooks], ({ hookId }, hooks) => {
  markFleeting();
  return hooks.test(hookId, currentContext());
});

@Operation({
  summary:
    'The deliveries of a hook, the newest first: those that wait or are parked, and the last thousand that were made',
  http: 'GET /v1/hooks/:hookId/deliveries',
  cli: 'hooks deliveries <hookId>',
  mcp: false,
  access: 'viewer',
  answers: { 200: page(HookDelivery) },
})
export class ListHookDeliveries extends input(Query<Page<HookDelivery>>, {
  hookId: is.nameOf(unknownHook),
  status: is.oneOf(DELIVERY_STATUSES).optional.about('Default: all'),
  ...pageMembers,
}) {}

export const ListHookDeliveriesHandler = answeredBy(
  ListHookDeliveries,
  [ReadModels, Hooks],
  ({ hookId, status, ...request }, rows, hooks) =>
    rows.ask(['reactions'], (db) => hooks.deliveries(db, hookId, status, request)),
);

@Operation({
  summary: 'Make a parked delivery of a hook again',
  http: 'POST /v1/hooks/:hookId/deliveries/:deliveryId/retry',
  cli: 'hooks retry <hookId> <deliveryId>',
  mcp: false,
  access: 'operator',
  answers: { 200: HookDelivery },
  problems: [409],
})
export class RetryHookDelivery extends input(Command<HookDelivery>, {
  hookId: is.nameOf(unknownHook),
  deliveryId: is.idOf(unknownDelivery),
}) {}

export const RetryHookDeliveryHandler = answeredBy(
  RetryHookDelivery,
  [Hooks],
  ({ hookId, deliveryId }, hooks) => hooks.retry(hookId, deliveryId, currentContext()),
);
