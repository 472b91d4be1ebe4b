import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { verifyAll } from '#lib/engine';
import type { EventLog } from '#lib/event-store';
import { describeOnBothEngines } from '../support/places/describe-on-engines.js';
import { openLogOf } from '../support/places/open-log-of.js';
import { variablesOf } from '../support/places/variables-of.js';
import { ServerProcess } from '../support/server-process.js';
import { untilEvent } from '../support/until-event.js';
import { HttpCaller } from './http-caller.js';

const EXPIRES_MS = 14_000;
const machine = {
  machineName: 'desk',
  initialState: 'asked',
  goalState: 'dropped',
  states: {
    asked: {
      people: {
        people: ['ann'],
        dueIn: 'PT12S',
        remindBefore: ['PT1S'],
        escalations: [{ in: 'PT13S', people: ['bob'] }],
        expireIn: `PT${EXPIRES_MS / 1_000}S`,
        onExpiry: { transition: 'drop' },
      },
      transitions: { drop: 'dropped' },
    },
    dropped: {},
  },
};
const MOMENTS = ['TaskReminded', 'TaskOverdue', 'TaskEscalated', 'TransitionExecuted'];

describeOnBothEngines('a server that the operating system stops and continues', (emptyPlace) => {
  it('does once and in order what fell due while it stood still', async () => {
    const place = await emptyPlace(true);
    const server = await ServerProcess.start(variablesOf(place));
    const log = await openLogOf(place);
    try {
      const caller = new HttpCaller(server.url);
      await caller.post('/v1/machines', machine);
      const { body } = await caller.post('/v1/sessions', { machineName: 'desk' });
      await caller.post(`/v1/sessions/${String(body['sessionId'])}/tick`, {});
      const { occurredAt } = await untilEvent(log, ({ type }) => type === 'TimerStarted');
      process.kill(server.pid, 'SIGSTOP');
      expect(await momentsIn(log)).toEqual([]);
      await delay(Math.max(0, Date.parse(occurredAt) + EXPIRES_MS + 1_000 - Date.now()));
      expect(await momentsIn(log)).toEqual([]);
      process.kill(server.pid, 'SIGCONT');
      await untilEvent(log, ({ type }) => type === 'TransitionExecuted');
      expect(await momentsIn(log)).toEqual(MOMENTS);
      for await (const { identical } of verifyAll(log)) expect(identical).toBe(true);
    } finally {
      await server.kill();
      await log.store.close();
    }
  });
});

async function momentsIn(log: EventLog): Promise<readonly string[]> {
  const stored = await log.store.readAll({ limit: 10_000 });
  return stored.map(({ type }) => type).filter((type) => MOMENTS.includes(type));
}
