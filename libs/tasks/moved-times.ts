import { reject } from '#lib/kernel';
import { refuse } from '#lib/operations/core';
import type { Moved } from './due-times/clock.rules.js';

const LONGEST_MS = 366 * 86_400_000;

/** The instants that a call sets, in UTC. @throws RejectionError if there is none, or one is past or too far away */
export function movedTimes(times: Moved, now: string): Moved {
  const given = (['dueAt', 'expiresAt'] as const).flatMap((name) => {
    const instant = times[name];
    return instant === undefined ? [] : [[name, new Date(instant)] as const];
  });
  if (given.length === 0) refuse(badTimes('', 'names neither dueAt nor expiresAt'));
  for (const [name, instant] of given) {
    const afterMs = instant.getTime() - Date.parse(now);
    const isPossible = afterMs > 0 && afterMs <= LONGEST_MS;
    if (!isPossible) refuse(badTimes(`/${name}`, 'is not from now to 366 days'));
  }
  return Object.fromEntries(given.map(([name, instant]) => [name, instant.toISOString()]));
}

function badTimes(path: string, message: string) {
  const text = {
    what: 'the times of a task',
    why: `${path} ${message}`.trim(),
    fix: 'Correct it and send it again',
  };
  return reject('refused', 'invalid-times', text, [{ path, message }]);
}
