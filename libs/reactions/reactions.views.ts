import { is, view } from '#lib/operations';

export class ReactionView extends view({
  name: is.text,
  position: is.text.orNull.about('Of the last event that it has looked at; null before the first'),
  lag: is
    .whole()
    .orNull.about('Events that are still to be delivered or looked at; null if positions do not tell'),
  parked: is.whole().about('Events that were tried as often as it tries'),
  error: is.text.optional.about('Why it stands still in this process'),
}) {}

export class DeliveryAttempt extends view({
  at: is.time,
  status: is.whole().optional.about('Of the answer over HTTP'),
  error: is.text.optional.about('Absent: it succeeded'),
}) {}

export class ParkedDelivery extends view({
  deliveryId: is.id,
  type: is.text.about('The recorded type of the event, or of a hook the type that it tells'),
  stream: is.text.about('Of the event, without the prefix of the log'),
  revision: is.whole(),
  parkedAt: is.time,
  attempts: is.listOf(DeliveryAttempt),
}) {}
