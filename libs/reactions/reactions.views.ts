import { is, view } from '#lib/operations';

export class ReactionView extends view({
  name: is.text,
  position: is.text.orNull.about('The position of the last event that it has read; null before the first'),
  lag: is.whole().orNull.about('Events that are still to be delivered or read; null if positions have gaps'),
  parked: is.whole().about('Deliveries that failed in every attempt'),
  error: is.text.optional.about('Why it stands still in this process'),
}) {}

export class DeliveryAttempt extends view({
  at: is.time,
  status: is.whole().optional.about('The HTTP status of the answer'),
  error: is.text.optional.about('Why it failed; absent if it succeeded'),
}) {}

export class ParkedDelivery extends view({
  deliveryId: is.id,
  type: is.text.about('The recorded type of the event, or the type of the message to a hook'),
  stream: is.text.about('The stream of the event, without the prefix of the log'),
  revision: is.whole(),
  parkedAt: is.time,
  attempts: is.listOf(DeliveryAttempt),
}) {}
