import type { EventLog } from '#lib/event-store';
import { reject } from '#lib/kernel';
import { refuse } from '#lib/operations';
import type { RecoverySource } from '#lib/runs';
import type { Driver } from './driver.js';

/** The sessions that the always-on mode of this process cannot drive on. */
export function sessionRecovery(driver: Driver, log: EventLog): RecoverySource {
  const idOf = (stream: string) => log.streams.parse(stream)?.id ?? '';
  return {
    get setAside() {
      return driver.failing.map((item) => ({ ...item, name: log.streams.of('session', item.name) }));
    },
    retry: (stream) => driver.retry(idOf(stream)),
    giveUp: async (stream) => refuse(decided(idOf(stream))),
  };
}

function decided(sessionId: string) {
  return reject('conflict', 'cannot-give-up', {
    errorClass: 'CannotGiveUp',
    what: `session ${sessionId}`,
    why: 'a session does not end as failed: it is decided',
    fix: 'Remove what the failure names and retry, or decide the session as a person or an operator',
  });
}
