import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { EventCodec, EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { temporaryFolder } from '#lib/kernel/testing';
import { ProjectionRunner } from '../runner/projection-runner.js';
import { openSqliteReadStore } from '../store/open-sqlite-read-store.js';
import type { ReadStore } from '../store/read-store.js';
import { loopOf } from '../testing/loop-of.js';
import { columnIs, dataset } from './dataset.js';

const broken = dataset({
  name: 'broken',
  about: 'Its SQL is none',
  columns: { answer: columnIs.number('The answer') },
  parts: () => [{ values: { answer: '(' }, from: '(select 1)', where: 'true', key: '1', time: '0' }],
});

it('views that cannot be made are tried again, and the reason is said once', async () => {
  const opened = await openSqliteReadStore(join(temporaryFolder(), 'read.sqlite'));
  const tries: string[] = [];
  const write: ReadStore['write'] = async (changes) => {
    const made = changes.map(({ template }) => template.compile(opened.db).sql);
    tries.push(...made.filter((one) => one.startsWith('create view')));
    return opened.write(changes);
  };
  const store = Object.assign(Object.create(opened) as ReadStore, { write, db: opened.db });
  const log = new EventLog(new InMemoryEventStore(), new EventCodec([]), new StreamNames());
  const said: string[] = [];
  const onViewsFailed = (why: string) => void said.push(why);
  const runner = new ProjectionRunner(log, store, [{ ...loopOf([]), datasets: [broken] }], { onViewsFailed });
  await runner.start({ servesViews: true });
  while (tries.length < 3) await delay(20);
  await runner.stop();
  await opened.close();
  expect(said).toEqual([expect.stringContaining('syntax error')]);
});
