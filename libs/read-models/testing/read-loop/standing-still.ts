import { describe, expect, it } from '@jest/globals';
import { standingStillTable } from '../../loop/standing-still.js';
import { ProjectionRunner } from '../../runner/projection-runner.js';
import { type SchemaOf } from '../../store/table.js';
import { closed, doorsModel, type Faults, opened } from '../counted-doors.js';
import { appendAll } from '../sample-log.js';
import { loopOf } from '../loop-of.js';
import { type DoorsLoop, LONG_MS } from './doors-loop.js';

/** An event that cannot be folded stops the rows of its stream, and those of streams that need it. */
export function describeStandingStill(loop: () => DoorsLoop): void {
  describe('0.2-O4: an event that cannot be taken', () => {
    it.each<[string, Faults]>([
      ['a fold throws', { door: 'b' }],
      ['a fold looks at a document that it did not ask for', { forgotten: 'nowhere' }],
    ])('lets only its stream stand still: %s', async (_, faults) => {
      const { parts, running, doorsIn, caughtUp } = loop();
      const events = [opened('a'), opened('b'), opened('c'), closed('b'), closed('a')];
      await appendAll(parts.log, faults.door ? events : [opened('b')]);
      const runner = await running(faults);
      await caughtUp(runner);
      expect(await doorsIn()).toEqual(faults.door ? ['a', 'c'] : []);
      const [status] = await runner.status();
      expect(status).toMatchObject({
        status: 'live',
        lag: 0,
        error: { stream: 'redial_specialist-b', revision: 0, type: 'SpecialistEnabled' },
      });
      expect(status?.error?.message).toMatch(
        faults.door
          ? /^A stream stands still before event SpecialistEnabled at redial_specialist-b revision 0: b is not welcome$/
          : /\[DocumentNotLoaded\] document nowhere of doors_v\d+/,
      );
    });

    it('is told once for each stream', async () => {
      const { parts, store, caughtUp } = loop();
      const told: string[] = [];
      const onStandsStill = ({ stream }: { readonly stream?: string }) => void told.push(stream ?? '');
      const models = loopOf([doorsModel({ door: 'b' })]);
      const runner = new ProjectionRunner(parts.log, store, [models], { onStandsStill });
      await appendAll(parts.log, [opened('a'), opened('b'), closed('b'), opened('c', 'b')]);
      await runner.start();
      await caughtUp(runner);
      await runner.stop();
      expect(told.toSorted()).toEqual(['redial_specialist-b', 'redial_specialist-c']);
    });

    it('lets only its stream stand still: it cannot be decoded', async () => {
      const { parts, running, rowsIn, caughtUp, storedOdd } = loop();
      await appendAll(parts.log, [opened('a'), opened('b')]);
      await storedOdd('redial_specialist-b');
      await appendAll(parts.log, [closed('b'), closed('a')], 2);
      const runner = await running();
      await caughtUp(runner);
      const { doors } = await rowsIn();
      expect(doors).toMatchObject([
        { door_id: 'a', is_open: 0 },
        { door_id: 'b', is_open: 1 },
      ]);
      const error = { revision: 1, message: expect.stringContaining('its data is not a JSON object') };
      expect(await runner.status()).toMatchObject([{ status: 'live', error }]);
    });

    it('lets streams stand still whose events need a document of it', async () => {
      const { parts, store, running, doorsIn, caughtUp } = loop();
      await appendAll(parts.log, [
        opened('a', 'b'),
        opened('b'),
        opened('c', 'b'),
        opened('d', 'a'),
        closed('c'),
      ]);
      const runner = await running({ door: 'b' });
      await caughtUp(runner);
      // `a` was needed before its stream stood still.
      expect(await doorsIn()).toEqual(['a', 'd']);
      const rows = await store.db
        .withTables<SchemaOf<typeof standingStillTable>>()
        .selectFrom(standingStillTable.name)
        .select(['stream', 'because'])
        .orderBy('stream')
        .execute();
      expect(rows).toEqual([
        { stream: 'redial_specialist-b', because: null },
        { stream: 'redial_specialist-c', because: 'redial_specialist-b' },
      ]);
    });

    it('is found among many, and each of several, whatever the page', async () => {
      const { parts, running, rowsIn, doorsIn, caughtUp, storedOdd } = loop();
      const many = Array.from({ length: 200 }, (_, n) => opened(`s${n % 20}`));
      await appendAll(parts.log, many);
      for (const n of [3, 7, 11]) await storedOdd(`redial_specialist-s${n}`);
      await appendAll(parts.log, many, many.length);
      const runner = await running({ door: 's5' });
      await caughtUp(runner);
      expect(await doorsIn()).toHaveLength(19);
      expect((await rowsIn()).counts).toMatchObject([{ events: 19 * 20 - 3 * 10 }]);
    });

    it('stands still after a restart, and is taken by a rebuild once its cause is gone', async () => {
      const { parts, running, doorsIn, caughtUp, rebuilt } = loop();
      await appendAll(parts.log, [opened('a'), opened('b')]);
      const faults: Faults = { door: 'b' };
      const first = await running(faults);
      await caughtUp(first);
      await first.stop();
      delete faults.door;
      const second = await running(faults);
      await second.waitFor(['doors'], await appendAll(parts.log, [closed('b'), closed('a')], 2), LONG_MS);
      expect(await doorsIn()).toEqual(['a']);
      await second.rebuild('doors');
      await rebuilt(second);
      expect(await doorsIn()).toEqual(['a', 'b']);
      expect((await second.status())[0]).not.toHaveProperty('error');
    });
  });
}
