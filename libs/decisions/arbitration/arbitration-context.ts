import type { StreamHistory } from '#lib/event-store';
import {
  type ArbiterContext,
  type ArbiterRef,
  arbiterContext,
  sessionDecider,
  type SessionEvent,
} from '#lib/decisions/session';

/** The function or webhook of an arbiter outside of the session. */
type ArbiterCallee =
  | { readonly kind: 'function'; readonly strategyFnName: string }
  | { readonly kind: 'webhook'; readonly url: string; readonly tokenName: string };

/** The context of an arbitration from its session. */
export type ArbitrationContext = {
  readonly arbiterId: string;
  readonly arbiter: ArbiterCallee;
  /** The round at the request, without later events. */
  readonly round: ArbiterContext;
};

/**
 * @param history of the session, up to the ArbitrationRequested of this arbitration, which changes no member of the round
 * @throws TypeError if the history ends with another event
 */
export function arbitrationContext(history: StreamHistory<SessionEvent>): ArbitrationContext {
  const request = history.events.at(-1);
  const session = history.state(sessionDecider);
  if (request?.type !== 'ArbitrationRequested' || !session)
    throw new TypeError('The context of an arbitration ends with its ArbitrationRequested.');
  const { arbiter, alignment } = request.data;
  return {
    arbiterId: arbiter.specialistId,
    arbiter: arbiterCallee(arbiter),
    round: arbiterContext(session, arbiter, alignment),
  };
}

/** The function or webhook of an arbiter, from the reference in the round. */
export function arbiterCallee({
  strategyFnName = '',
  strategyWebhookUrl,
  webhookTokenName = '',
}: ArbiterRef): ArbiterCallee {
  if (strategyWebhookUrl === undefined) return { kind: 'function', strategyFnName };
  return { kind: 'webhook', url: strategyWebhookUrl, tokenName: webhookTokenName };
}
