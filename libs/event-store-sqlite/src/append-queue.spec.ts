import { describe, expect, it } from '@jest/globals';
import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '#lib/event-store';
import { AppendQueue } from './append-queue.js';

const REQUEST = [{ stream: 's', expected: 'any', events: [] }] as const;

/** A queue in front of a worker with this program instead of the real one. */
function queueBefore(program: string): AppendQueue {
  const prelude = "const { parentPort } = require('node:worker_threads');";
  const start = () => new Worker(prelude + program, { eval: true });
  return new AppendQueue(start, '/data/events.db', () => undefined);
}

describe('AppendQueue', () => {
  it('when the worker ends, appends that wait fail, and so do later ones', async () => {
    const queue = queueBefore("parentPort.once('message', () => process.exit(3));");
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
        parentPort.postMessage(appends.map(() => ({ kind: 'stored', stored: [{ revision: 0, place: appends.length }] })));
      }
    });`);
    const first = [queue.append(REQUEST), queue.append(REQUEST)];
    await Promise.resolve();
    const next = [queue.append(REQUEST), queue.append(REQUEST), queue.append(REQUEST)];
    const sizes = await Promise.all([...first, ...next]);
    expect(sizes.map(({ stored }) => stored[0]?.place)).toEqual([2, 2, 3, 3, 3]);
    await queue.close();
  });

  it('gives each append its own outcome', async () => {
    const queue = queueBefore(`parentPort.on('message', (batch) => {
      if (batch === 'close') parentPort.close();
      else parentPort.postMessage([
        { kind: 'conflict', actual: 4, stored: [] },
        { kind: 'failed', code: 'SQLITE_FULL', message: 'database or disk is full' },
        { kind: 'stored', stored: [{ revision: 7, place: 70 }] },
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
      { value: { kind: 'stored', stored: [{ revision: 7, place: 70 }] } },
    ]);
    await queue.close();
  });
});
