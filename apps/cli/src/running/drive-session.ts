import type { Redial } from '#lib/engine';
import type { SessionView } from '#lib/session';

/** Takes a new session on until it is at rest, needs a person, or has made `maxSteps` transitions. */
export async function driveSession(
  redial: Redial,
  sessionId: string,
  maxSteps: number,
): Promise<SessionView> {
  for (;;) {
    const session = await redial.runSession({ sessionId, maxTicks: 1 });
    if (session.status !== 'open' || session.history.length >= maxSteps) return session;
  }
}
