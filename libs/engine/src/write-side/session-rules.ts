import { sessionDecider, sessionDeciderLeavingToPeople } from '#lib/session';
import type { Call } from './call.js';

/** The rules of a session that hold for a call. */
export function sessionRulesFor({ leaveToPeople }: Call): typeof sessionDecider {
  return leaveToPeople ? sessionDeciderLeavingToPeople : sessionDecider;
}
