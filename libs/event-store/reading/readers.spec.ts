import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { currentReading, Readers, TooManyReaders } from './readers.js';

const KB = 1024;

/** Resolves once all promises that need no timer have settled. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

it('0.2-S3: a reader waits until others have given back what they hold, first come, first served', async () => {
  const readers = new Readers(1_000 * KB);
  const [first, second, third] = [readers.open(), readers.open(), readers.open()];
  await first.needs(800 * KB);
  const served: string[] = [];
  const waiting = [
    second.needs(900 * KB).then(() => served.push('second')),
    third.needs(100 * KB).then(() => served.push('third')),
  ];
  await settled();
  expect(served).toEqual([]);
  first.close();
  await Promise.all(waiting);
  expect(served).toEqual(['second', 'third']);
  expect(readers.held).toBe(1_000 * KB);
});

it('0.2-S3: a body larger than the budget is read alone, and few bytes are not counted', async () => {
  const readers = new Readers(1_000 * KB);
  const [large, small] = [readers.open(), readers.open()];
  await large.needs(50_000 * KB);
  expect(readers.held).toBe(1_000 * KB);
  await small.needs(60 * KB);
  expect(readers.held).toBe(1_000 * KB);
});

it('0.2-S3: a reader whose turn does not come is refused with 503, and leaves the queue', async () => {
  const readers = new Readers(1_000 * KB, { patienceMs: 1 });
  const [holder, waiting, next] = [readers.open(), readers.open(), readers.open()];
  await holder.needs(900 * KB);
  await expect(waiting.needs(200 * KB)).rejects.toThrow(TooManyReaders);
  holder.close();
  await next.needs(1_000 * KB);
  expect(next.held).toBe(1_000 * KB);
});

it('0.2-S3: what a reader does not take is taken from it while others wait, the oldest first', async () => {
  const readers = new Readers(1_000 * KB, { stalledMs: 1 });
  const stopped: string[] = [];
  for (const name of ['oldest', 'newer']) {
    const reading = readers.open();
    await reading.needs(500 * KB);
    reading.sends(() => stopped.push(name));
  }
  await readers.open().needs(400 * KB);
  expect(stopped).toEqual(['oldest']);
  expect(readers.held).toBe(900 * KB);
});

it('0.2-S3: a reader that begins to send while others wait already is stopped if it stalls', async () => {
  const readers = new Readers(1_000 * KB, { stalledMs: 1 });
  const stalling = readers.open();
  await stalling.needs(1_000 * KB);
  const waiting = readers.open().needs(400 * KB);
  await settled();
  let stopped = 0;
  stalling.sends(() => stopped++);
  await waiting;
  expect(stopped).toBe(1);
  expect(readers.held).toBe(400 * KB);
});

it('0.2-S3: a reader that needs bytes several times at once holds the most of them, and gives all back', async () => {
  const readers = new Readers(1_000 * KB);
  const reading = readers.open();
  await Promise.all([800, 300, 900].map((size) => reading.needs(size * KB)));
  expect(reading.held).toBe(900 * KB);
  expect(readers.held).toBe(900 * KB);
  reading.close();
  expect(readers.held).toBe(0);
});

it('0.2-S3: what a reader came to hold while it waited for more is given back when it has more', async () => {
  const readers = new Readers(1_000 * KB);
  const [holder, reading] = [readers.open(), readers.open()];
  await holder.needs(900 * KB);
  const waiting = reading.needs(500 * KB);
  await settled();
  reading.holds(100 * KB);
  holder.close();
  await waiting;
  expect(readers.held).toBe(500 * KB);
  reading.close();
  expect(readers.held).toBe(0);
});

it('0.2-S3: a reader whose turn did not come may ask again', async () => {
  const readers = new Readers(1_000 * KB, { patienceMs: 1 });
  const [holder, reading] = [readers.open(), readers.open()];
  await holder.needs(900 * KB);
  await expect(reading.needs(200 * KB)).rejects.toThrow(TooManyReaders);
  holder.close();
  await reading.needs(200 * KB);
  expect(reading.held).toBe(200 * KB);
});

it('0.2-S3: a reader that waits without an end leaves when its signal aborts', async () => {
  const readers = new Readers(1_000 * KB);
  const holder = readers.open();
  await holder.needs(1_000 * KB);
  const leaving = new AbortController();
  const waiting = readers.open(leaving.signal).needs(500 * KB);
  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  holder.close();
  expect(readers.held).toBe(0);
});

it('0.2-S3: a closed reader holds nothing, and is the reader of nothing', async () => {
  const readers = new Readers(1_000 * KB);
  const reading = readers.open();
  await reading.run(async () => {
    expect(currentReading()).toBe(reading);
    reading.close();
    expect(currentReading()).toBeUndefined();
    await reading.needs(500 * KB);
    expect(readers.held).toBe(0);
  });
});

it('0.2-S3: readers never hold more than the budget together, and all get their turn', async () => {
  const sizes = fc.array(fc.array(fc.integer({ min: 1, max: 1_500 }), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 8,
  });
  const property = fc.asyncProperty(sizes, async (wanted) => {
    const readers = new Readers(1_000 * KB);
    const done = wanted.map(async (needs) => {
      const reading = readers.open();
      for (const size of needs) {
        await reading.needs(size * KB);
        expect(readers.held).toBeLessThanOrEqual(readers.most);
        await settled();
      }
      reading.close();
    });
    await Promise.all(done);
    expect(readers.held).toBe(0);
  });
  await fc.assert(property, { numRuns: 100 });
});
