import { Command } from '@nestjs/cqrs';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsBoolean, IsIn, IsString, MaxLength } from 'class-validator';
import {
  answeredBy,
  currentContext,
  Describe,
  IsId,
  IsName,
  markCreated,
  markFleeting,
  nothing,
  Operation,
  Optional,
  page,
  PageQuery,
  ReadModels,
  ReadQuery,
} from '#lib/operations';
import { type Page, pageOf } from '#lib/read-models';
import { DELIVERY_STATUSES, unknownDelivery } from '#lib/reactions';
import { unknownHook } from './hook.decider.js';
import { HOOK_TYPES, type HookType } from './hook-types.js';
import { Hooks } from './hooks.js';
import { HookAttempt, HookDelivery, HookView } from './hooks.views.js';

@Operation({
  summary: 'Register a hook, which is called with what happens; the same id again: change it',
  http: 'POST /v1/hooks',
  cli: 'hooks add <hookId> --secret-name <secretName> --disabled [disabled]',
  mcp: false,
  access: 'operator',
  answers: { 200: HookView, 201: HookView },
})
export class RegisterHook extends Command<HookView> {
  @IsName() hookId!: string;

  @Describe('http or https, without credentials', { example: 'https://example.com/hooks' })
  @IsString()
  @MaxLength(2_048)
  url!: string;

  @Describe(`Some of ${HOOK_TYPES.join(', ')}`, { example: ['round.decided'] })
  @IsIn(HOOK_TYPES, { each: true })
  @ArrayUnique()
  @ArrayNotEmpty()
  @IsArray()
  types!: readonly HookType[];

  @Describe('Tell what happens to this machine alone')
  @Optional()
  @IsName()
  machineName?: string;

  @Describe(
    'The variable that holds the secret, `whsec_…`; it is, or ends in, `WEBHOOK_TOKEN` or `HOOK_TOKEN`. Default: the secret is random, is kept under the master key, and is in the answer to the first call',
    {
      example: 'BOOKING_HOOK_TOKEN',
    },
  )
  @Optional()
  @IsString()
  @MaxLength(128)
  secretName?: string;

  @Describe('`true`: what happens waits; `false`: it is told again. Default: as it is, and a new one is told')
  @Optional()
  @IsBoolean()
  disabled?: boolean;
}

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
export class ListHooks extends PageQuery<Page<HookView>> {}

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
export class GetHook extends ReadQuery<HookView> {
  @IsName(unknownHook) hookId!: string;
}

export const GetHookHandler = answeredBy(GetHook, [Hooks], ({ hookId }, hooks) => hooks.get(hookId));

@Operation({
  summary: 'Delete a hook with what waits for it',
  http: 'DELETE /v1/hooks/:hookId',
  cli: 'hooks delete <hookId>',
  mcp: false,
  access: 'operator',
  answers: { 204: nothing },
  destructive: true,
})
export class DeleteHook extends Command<null> {
  @IsName(unknownHook) hookId!: string;
}

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
export class TestHook extends Command<HookAttempt> {
  @IsName(unknownHook) hookId!: string;
}

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
export class ListHookDeliveries extends PageQuery<Page<HookDelivery>> {
  @IsName(unknownHook) hookId!: string;

  @Describe('Default: all')
  @Optional()
  @IsIn(DELIVERY_STATUSES)
  status?: (typeof DELIVERY_STATUSES)[number];
}

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
export class RetryHookDelivery extends Command<HookDelivery> {
  @IsName(unknownHook) hookId!: string;
  @IsId(unknownDelivery) deliveryId!: string;
}

export const RetryHookDeliveryHandler = answeredBy(
  RetryHookDelivery,
  [Hooks],
  ({ hookId, deliveryId }, hooks) => hooks.retry(hookId, deliveryId, currentContext()),
);
