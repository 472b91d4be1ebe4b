import type { Rejection } from '#lib/kernel';
import { unknownSession } from './session.rejections.js';

/** The stream of a session, and the rejection if it has no event. */
export function sessionSeen(sessionId: string): {
  readonly category: 'session';
  readonly id: string;
  readonly unknown: Rejection;
} {
  return { category: 'session', id: sessionId, unknown: unknownSession(sessionId) };
}
