import { describe, expect, it, jest } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { StoreUnavailable, ThreadTurns } from '#lib/event-store';
import { AppendQueue } from './append-queue.js';

const REQUEST = [{ stream: 's', expected: 'any', events: [] }] as const;

const ANSWER = `
  const answer = (batch) => {
    if (batch === 'close') parentPort.close();
    else parentPort.postMessage([{ kind: 'stored', stored: [{ revision: 0, sequence: 1 }] }]);
  };`;

const worker = (program: string) =>
  new Worker("const { parentPort } = require('node:worker_threads');" + program, { eval: true });

const queueOf = (start: () => Worker) =>
  new AppendQueue(start, '/data/events.db', () => undefined, new ThreadTurns());

/** A queue whose worker runs this program instead of the real one. */
const queueBefore = (program: string) => queueOf(() => worker(program));

describe('AppendQueue', () => {
  it('when a worker that has answered ends, appends that wait fail, and so do later ones', async () => {
    const queue = queueBefore(
      `${ANSWER}; parentPort.once('message', (batch) => { answer(batch); parentPort.once('message', () => process.exit(3)); });`,
    );
    await queue.append(REQUEST);
    const waiting = await Promise.allSettled([queue.append(REQUEST), queue.append(REQUEST)]);
    for (const outcome of waiting) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
    }
    await expect(queue.append(REQUEST)).rejects.toThrow(
      '[StoreUnavailable] cannot append to the event log /data/events.db: the database failed (its writer ended with exit code 3).',
    );
    await queue.drained();
    await queue.close();
  });

  it('a worker that ends before its first answer is replaced at the next append', async () => {
    const programs = [
      "parentPort.once('message', () => process.exit(3));",
      "throw new Error('too many open files');",
      `${ANSWER}; parentPort.on('message', answer);`,
    ];
    const started: Worker[] = [];
    const queue = queueOf(() => {
      started.push(worker(programs.shift() ?? ''));
      return started.at(-1) as Worker;
    });
    await expect(queue.append(REQUEST)).rejects.toThrow('its writer ended with exit code 3');
    // Appended at once: the failed worker may exit later, and its exit must not fail the next worker.
    await expect(queue.append(REQUEST)).rejects.toThrow('too many open files');
    const last = queue.append(REQUEST);
    await Promise.resolve();
    started[0]?.emit('message', [{ kind: 'stored', stored: [{ revision: 9, sequence: 9 }] }]);
    expect(await last).toMatchObject({ stored: [{ sequence: 1 }] });
    await queue.close();
    expect(started).toHaveLength(3);
  });

  it('when no worker can be started, appends that wait fail, and the next one starts one', async () => {
    const start = jest.fn(() => worker(`${ANSWER}; parentPort.on('message', answer);`));
    start.mockImplementationOnce(() => {
      throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
    });
    const queue = queueOf(start);
    const waiting = await Promise.allSettled([queue.append(REQUEST), queue.append(REQUEST)]);
    for (const outcome of waiting) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
      expect(outcome).toHaveProperty(
        'reason.message',
        expect.stringContaining('the thread that appends cannot be started (ERR_WORKER_INIT_FAILED: EAGAIN)'),
      );
    }
    await queue.drained();
    expect(await queue.append(REQUEST)).toMatchObject({ kind: 'stored' });
    await queue.close();
    expect(start).toHaveBeenCalledTimes(2);
  });

  it('closes without a worker that never started', async () => {
    const queue = queueOf(() => {
      throw new Error('no threads');
    });
    await expect(queue.append(REQUEST)).rejects.toThrow('no threads');
    await queue.drained();
    await queue.close();
  });

  it('appends that wait fail with the error that the worker threw', async () => {
    const queue = queueBefore("parentPort.once('message', () => { throw new Error('out of luck') });");
    await expect(queue.append(REQUEST)).rejects.toThrow('the database failed (out of luck)');
    await queue.close();
  });

  it('sends appends of one turn together, and those that come meanwhile as the next batch', async () => {
    const queue = queueBefore(`parentPort.on('message', (batch) => {
      if (batch === 'close') parentPort.close();
      else {
        const appends = batch.filter((text) => text === '${REQUEST[0].stream}');
        parentPort.postMessage(appends.map(() => ({ kind: 'stored', stored: [{ revision: 0, sequence: appends.length }] })));
      }
    });`);
    const first = [queue.append(REQUEST), queue.append(REQUEST)];
    await Promise.resolve();
    const next = [queue.append(REQUEST), queue.append(REQUEST), queue.append(REQUEST)];
    const sizes = await Promise.all([...first, ...next]);
    expect(sizes.map(({ stored }) => stored[0]?.sequence)).toEqual([2, 2, 3, 3, 3]);
    await queue.close();
  });

  it('answers 16 appends of a flush in a row, and leaves the thread to others before the next ones', async () => {
    const queue = queueBefore(`parentPort.on('message', (batch) => {
      if (batch === 'close') parentPort.close();
      else parentPort.postMessage(Array.from({ length: 40 }, () => ({ kind: 'stored', stored: [] })));
    });`);
    const answered: number[] = [];
    const appends = Array.from({ length: 40 }, async (_, index) => {
      await queue.append(REQUEST);
      answered.push(index);
    });
    const counts: number[] = [];
    await appends[0];
    for (; answered.length < appends.length; await setImmediate()) counts.push(answered.length);
    await queue.drained();
    expect(counts).toEqual([16, 32]);
    expect(answered).toEqual(appends.map((_, index) => index));
    await queue.close();
  });

  it('gives each append its own outcome', async () => {
    const queue = queueBefore(`parentPort.on('message', (batch) => {
      if (batch === 'close') parentPort.close();
      else parentPort.postMessage([
        { kind: 'conflict', actual: 4, stored: [] },
        { kind: 'failed', code: 'SQLITE_FULL', message: 'database or disk is full' },
        { kind: 'stored', stored: [{ revision: 7, sequence: 70 }] },
      ]);
    });`);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => queue.append(REQUEST)));
    expect(outcomes).toMatchObject([
      { value: { kind: 'conflict', actual: 4, stored: [] } },
      {
        reason: {
          message: expect.stringContaining('the disk is full (SQLITE_FULL: database or disk is full)'),
        },
      },
      { value: { kind: 'stored', stored: [{ revision: 7, sequence: 70 }] } },
    ]);
    await queue.close();
  });
});
