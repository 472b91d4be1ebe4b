import { describe, expect, it, jest } from '@jest/globals';
import { opened } from '../counted-doors.js';
import { appendAll, type PlacedEvent } from '../sample-log.js';
import { type DoorsLoop, LONG_MS } from './doors-loop.js';

/** Processes follow the log, wait for each other, and stop at events of a newer build. */
export function describeFollowing(loop: () => DoorsLoop): void {
  describe('following the log', () => {
    it('answers a wait once its own write is known, without a poll', async () => {
      const { parts, running, caughtUp } = loop();
      const runner = await running();
      await caughtUp(runner);
      const position = await appendAll(parts.log, [opened('a')]);
      const pollsNever = jest.spyOn(globalThis, 'setTimeout').mockReturnValue(setTimeout(() => undefined, 0));
      await runner.waitFor(['doors'], position, LONG_MS);
      pollsNever.mockRestore();
    });

    it('lets one process wait for what another one does', async () => {
      const { parts, store, runnerOn, doorsIn } = loop();
      const waiting = runnerOn(store);
      await waiting.prepare();
      const position = await appendAll(parts.log, [opened('a')]);
      const waited = waiting.waitFor(['doors'], position, LONG_MS);
      await runnerOn(await parts.openStore()).start();
      await waited;
      expect(await doorsIn()).toEqual(['a']);
    });

    it('gives every event to the rows once if two processes take all', async () => {
      const { parts, store, runnerOn, rowsIn, caughtUp } = loop();
      const runners = [runnerOn(store), runnerOn(await parts.openStore())];
      for (const runner of runners) await runner.start();
      await appendAll(
        parts.log,
        Array.from({ length: 300 }, (_, n) => opened(`s${n % 7}`)),
      );
      for (const runner of runners) await caughtUp(runner);
      expect((await rowsIn()).counts).toMatchObject([{ is_open: 1, events: 300, latest: 300 }]);
    });

    it('moves on over events that change no row, and stores that place', async () => {
      const { parts, store, runnerOn, running } = loop();
      const runner = await running();
      const other: PlacedEvent = { category: 'planner', id: 'p', event: { type: 'WorkflowEnded', data: {} } };
      await runner.waitFor(['doors'], await appendAll(parts.log, [opened('a'), other]), LONG_MS);
      await runner.stop();
      const next = runnerOn(store);
      await next.prepare();
      expect(await next.status()).toMatchObject([{ lag: 0, status: 'live' }]);
    });

    it.each([
      ['a type', 'SpecialistMoved', '{}', '{"schemaVersion":1}'],
      ['a version', 'SpecialistEnabled', '{}', '{"schemaVersion":9}'],
    ])(
      'stops at %s that it does not know, with all that comes before it',
      async (_, type, data, metadata) => {
        const { parts, running, doorsIn, caughtUp } = loop();
        const before = await appendAll(parts.log, [opened('a'), opened('b')]);
        await parts.log.store.append('redial_specialist-n', 'any', [{ eventId: 'n', type, data, metadata }]);
        await appendAll(parts.log, [opened('c')], 2);
        const runner = await running();
        await expect(caughtUp(runner)).rejects.toThrow(
          /The rows cannot take event|it was not reached by doors/,
        );
        await expect(runner.waitFor(['doors'], before, 0)).resolves.toBeUndefined();
        expect(await doorsIn()).toEqual(['a', 'b']);
        expect(await runner.status()).toMatchObject([{ status: 'stopped', error: { type } }]);
      },
    );
  });
}
