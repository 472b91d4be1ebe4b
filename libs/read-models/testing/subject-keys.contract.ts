import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ERASED, KeyMissing, MasterKey } from '#lib/event-store';
import type { ReadStore } from '../store/read-store.js';
import { MasterKeyRefused, NoKeys, SubjectKeys, type WithKeyStore } from '../keys/subject-keys.js';

const AT = '2026-11-27T10:00:00.000Z';

/** @param place makes a new, empty place for each test; each use of it may be by another process */
export function describeSubjectKeys(name: string, place: () => Promise<WithKeyStore>): void {
  describe(`the keys of subjects on ${name}`, () => {
    const master = new MasterKey(randomBytes(32));
    let withStore: WithKeyStore;
    beforeEach(async () => {
      withStore = await place();
    });
    const opened = (by: MasterKey | undefined = master, logId = 'log') =>
      new SubjectKeys(logId, by, withStore);

    it('are made once, also by those who ask at the same moment, and are found by every process', async () => {
      const made = await Promise.all([1, 2, 3].map(() => opened().make('ann')));
      const found = await opened().find('ann');
      expect(new Set([...made, found].map((key) => Buffer.from(key ?? '').toString('hex'))).size).toBe(1);
      expect(found).toHaveLength(32);
      expect(await opened().make('bob')).not.toEqual(found);
    });

    it('are not there before they are made', async () => {
      expect(await opened().find('ann')).toBeUndefined();
      await opened().check();
      await new SubjectKeys('log', undefined, withStore).check();
    });

    it('belong to one log', async () => {
      const key = await opened().make('ann');
      expect(await opened(master, 'other').find('ann')).toBeUndefined();
      expect(await opened(master, 'other').make('ann')).not.toEqual(key);
      expect(await opened().find('ann')).toEqual(key);
    });

    it('are in the store wrapped by the master key alone', async () => {
      const key = Buffer.from((await opened().make('ann')) as Uint8Array);
      const rows = await withStore(async ({ db }) => {
        const tables = db.withTables<{ subject_keys_v1: object }>();
        return JSON.stringify(await tables.selectFrom('subject_keys_v1').selectAll().execute());
      });
      expect(rows).toContain('ann');
      for (const form of ['hex', 'base64', 'base64url'] as const)
        expect(rows).not.toContain(key.toString(form));
    });

    it('are refused to another master key, and without one: for good, with the name of the setting', async () => {
      await opened().make('ann');
      const other = opened(new MasterKey(randomBytes(32)));
      const none = new SubjectKeys('log', undefined, withStore);
      for (const keys of [other, none]) {
        await expect(keys.check()).rejects.toThrow(MasterKeyRefused);
        await expect(keys.check()).rejects.toThrow('Set REDIAL_MASTER_KEY');
        await expect(keys.make('bob')).rejects.toThrow(MasterKeyRefused);
        await expect(keys.find('ann')).rejects.toThrow(KeyMissing);
        expect(await keys.find('bob')).toBeUndefined();
      }
      await opened().check();
    });

    it('leave a tombstone once they are erased: the subject gets no new key, and the first time stays', async () => {
      await opened().make('ann');
      expect(await opened().erase('ann', AT)).toBe(AT);
      expect(await opened().erase('ann', '2027-01-01T00:00:00.000Z')).toBe(AT);
      expect(await opened().find('ann')).toBe(ERASED);
      expect(await opened().make('ann')).toBe(ERASED);
      expect(await opened().erase('bob', AT)).toBeUndefined();
      expect(await opened().find('bob')).toBeUndefined();
    });

    describe('of a log that is copied', () => {
      const copy = () => opened(master, 'copy');

      it('are those of the copy too, with the tombstones, and each log has them wrapped for itself', async () => {
        const made = await opened().make('ann');
        await opened().make('bob');
        await opened().erase('bob', AT);
        expect(await opened().copyTo(copy())).toBe(1);
        expect(await copy().find('ann')).toEqual(made);
        expect(await copy().make('bob')).toBe(ERASED);
        const rows = await withStore(({ db }) =>
          db
            .withTables<{ subject_keys_v1: { subject: string; wrapped: string } }>()
            .selectFrom('subject_keys_v1')
            .select('wrapped')
            .where('subject', '=', 'ann')
            .execute(),
        );
        expect(new Set(rows.map(({ wrapped }) => wrapped)).size).toBe(2);
      });

      it('are copied again with what came since: new keys and tombstones', async () => {
        // The copy has a key of its own: the tombstone must come by the copying.
        await copy().make('ann');
        await opened().make('ann');
        await opened().copyTo(copy());
        const bob = await opened().make('bob');
        await opened().erase('ann', AT);
        expect(await copy().find('ann')).toHaveLength(32);
        expect(await opened().copyTo(copy())).toBe(1);
        expect([await copy().find('ann'), await copy().find('bob')]).toEqual([ERASED, bob]);
      });

      it('go with an erasure in the log or in the copy where both are in one store, and other keys of this name stay', async () => {
        await opened().make('ann');
        await opened().copyTo(copy());
        const own = await opened(master, 'other').make('ann');
        await copy().erase('ann', AT);
        expect([await opened().find('ann'), await copy().find('ann')]).toEqual([ERASED, ERASED]);
        expect(await opened(master, 'other').find('ann')).toEqual(own);
      });

      it('leave the tombstones in a copy that another master key wraps, and are refused there', async () => {
        await opened().make('ann');
        await opened().copyTo(copy());
        const next = new MasterKey(randomBytes(32));
        await opened().rotate(next);
        await opened(next).erase('ann', AT);
        expect(await copy().find('ann')).toHaveLength(32);
        await expect(opened(next).copyTo(opened(next, 'copy'))).rejects.toThrow(MasterKeyRefused);
        expect(await copy().find('ann')).toBe(ERASED);
      });

      it('stay in other logs where one is destroyed for this log alone', async () => {
        await opened().make('hook');
        await opened().copyTo(copy());
        expect(await copy().destroy('hook', AT)).toBe(AT);
        expect(await copy().find('hook')).toBe(ERASED);
        expect(await opened().find('hook')).toHaveLength(32);
      });

      it('are not copied without the master key that wraps them, and a log without keys makes none', async () => {
        const none = new SubjectKeys('log', undefined, withStore);
        expect(await none.copyTo(copy())).toBe(0);
        await opened().make('ann');
        await expect(none.copyTo(copy())).rejects.toThrow('Set REDIAL_MASTER_KEY');
        await expect(opened(new MasterKey(randomBytes(32))).copyTo(copy())).rejects.toThrow(KeyMissing);
        expect(await copy().find('ann')).toBeUndefined();
      });
    });

    describe('under a new master key', () => {
      const next = new MasterKey(randomBytes(32));

      it('are as they were, and are refused to the old one, which makes no more', async () => {
        const made = [await opened().make('ann'), await opened().make('bob')];
        const others = await opened(master, 'other').make('ann');
        await opened().make('eve');
        await opened().erase('eve', AT);
        expect(await opened().rotate(next)).toBe(2);
        const found = ['ann', 'bob', 'eve'].map((subject) => opened(next).find(subject));
        expect(await Promise.all(found)).toEqual([...made, ERASED]);
        await opened(next).check();
        await expect(opened().check()).rejects.toThrow('Set REDIAL_MASTER_KEY');
        await expect(opened().make('new')).rejects.toThrow(MasterKeyRefused);
        await expect(opened().find('ann')).rejects.toThrow(KeyMissing);
        expect(await opened(next).find('new')).toBeUndefined();
        expect(await opened(master, 'other').find('ann')).toEqual(others);
      });

      it('are all there after a kill at any write, under one of both, and a repeat brings it to its end', async () => {
        let [kept, hasEnded] = [0, false];
        for (; !hasEnded; kept++) {
          const logId = `killed at ${kept}`;
          const key = await opened(master, logId).make('ann');
          const killed = beforeWrites(withStore, (write) => {
            if (write === kept) throw new Error('killed');
          });
          const rotated = await new SubjectKeys(logId, master, killed).rotate(next).catch(() => undefined);
          const byEither = await Promise.allSettled(
            [master, next].map((by) => opened(by, logId).find('ann')),
          );
          expect(byEither.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))).toEqual([key]);
          expect(await opened(master, logId).rotate(next)).toBe(1);
          expect(await opened(next, logId).find('ann')).toEqual(key);
          hasEnded = rotated !== undefined;
        }
        expect(kept).toBeGreaterThan(2);
      });

      it('leave a key destroyed that another process erases meanwhile', async () => {
        await opened().make('ann');
        const erasing = beforeWrites(withStore, async (write) => {
          if (write === 1) await opened().erase('ann', AT);
        });
        expect(await new SubjectKeys('log', master, erasing).rotate(next)).toBe(0);
        expect(await opened(next).find('ann')).toBe(ERASED);
      });

      it('change nothing where one of them was wrapped by a third', async () => {
        await opened().make('ann');
        const third = opened(new MasterKey(randomBytes(32)));
        await expect(third.rotate(next)).rejects.toThrow(MasterKeyRefused);
        await expect(new SubjectKeys('log', undefined, withStore).rotate(next)).rejects.toThrow(
          MasterKeyRefused,
        );
        await opened().check();
        await expect(opened(master, 'empty').rotate(next)).rejects.toThrow(NoKeys);
      });
    });
  });
}

/** The store, with an action before each write. Writes are counted from 0. */
function beforeWrites(
  withStore: WithKeyStore,
  happens: (write: number) => void | Promise<void>,
): WithKeyStore {
  let writes = 0;
  return (use) =>
    withStore((store) => {
      const write: ReadStore['write'] = async (changes) => {
        await happens(writes++);
        return store.write(changes);
      };
      return use(new Proxy(store, { get: (of, name) => (name === 'write' ? write : member(of, name)) }));
    });
}

function member(store: ReadStore, name: string | symbol): unknown {
  const value: unknown = Reflect.get(store, name);
  return typeof value === 'function' ? (value.bind(store) as unknown) : value;
}
