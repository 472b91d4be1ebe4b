import { is, view } from '#lib/operations';
import { HOOK_TYPES, type HookType } from './hook-types.js';
import { DELIVERY_STATUSES } from '#lib/reactions';

export class HookView extends view({
  hookId: is.name,
  url: is.text,
  types: is.array<HookType>().about(`Some of ${HOOK_TYPES.join(', ')}`),
  machineName: is.text.optional.about('Only events of this machine'),
  secretName: is.text.optional.about(
    'The variable that holds the secret of the signatures; absent: the secret is in the store of keys',
  ),
  secret: is.text.optional.about(
    'The random secret of a hook without `secretName`; in the answer to the call that registered it, and nowhere else',
  ),
  disabled: is.flag.about('Its messages wait until it is enabled'),
  gone: is.flag.optional.about('The receiver answered 410, which disabled it'),
}) {}

export class HookAttempt extends view({
  at: is.time,
  status: is.whole().optional.about('The HTTP status of the receiver'),
  error: is.text.optional.about('Why it failed; absent if it succeeded'),
}) {}

export class HookDelivery extends view({
  deliveryId: is.id.about('The `webhook-id` of its requests'),
  type: is.text,
  status: is.oneOf(DELIVERY_STATUSES),
  reason: is
    .oneOf(['hook-disabled'])
    .optional.about('Why a pending delivery is not made: the hook is disabled'),
  attempts: is.listOf(HookAttempt),
}) {}
