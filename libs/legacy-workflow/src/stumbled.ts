import type { RecordedEvent } from '#lib/kernel';
import type { Divergence } from './divergence.js';

/** Damaged data may be of any shape: where pure code stumbles over it, that is a divergence at that event, never a crash. */
export function stumbled({ stream, revision, type }: RecordedEvent, error: unknown): Divergence {
  const replayed = `no event: ${error instanceof Error ? error.message : String(error)}`;
  return { stream, revision, type, pointer: '', recorded: type, replayed };
}
