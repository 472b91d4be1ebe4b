const PREFIX = /^default-(proposer|arbiter)-/;

/** Ids of those who stand in for a session whose machine has no proposer or no arbiter. */
export function defaultSpecialistIds(sessionId: string) {
  return { proposer: `default-proposer-${sessionId}`, arbiter: `default-arbiter-${sessionId}` };
}

/** Whether a specialist stands in for another session: it takes no part in this one. */
export function isDefaultOfAnother(specialistId: string, sessionId: string | undefined): boolean {
  if (!PREFIX.test(specialistId)) return false;
  return sessionId === undefined || specialistId.replace(PREFIX, '') !== sessionId;
}
