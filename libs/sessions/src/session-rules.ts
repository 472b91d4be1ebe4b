import type { CommandContext } from '#lib/operations';
import { sessionDecider, sessionDeciderLeavingToPeople } from '#lib/session';

/** The rules of a session that hold for a call. */
export function sessionRulesFor({ leaveToPeople }: CommandContext): typeof sessionDecider {
  return leaveToPeople ? sessionDeciderLeavingToPeople : sessionDecider;
}
