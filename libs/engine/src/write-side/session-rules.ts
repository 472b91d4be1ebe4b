import type { Call } from '#lib/operations';
import { sessionDecider, sessionDeciderLeavingToPeople } from '#lib/session';

/** The rules of a session that hold for a call. */
export function sessionRulesFor({ leaveToPeople }: Call): typeof sessionDecider {
  return leaveToPeople ? sessionDeciderLeavingToPeople : sessionDecider;
}
