import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import type { Position } from '#lib/event-store';
import type { LogRange } from '#lib/engine/core';
import { failureOf } from '../error-output.js';
import { batchesOf } from './batches-of.js';
import { verifyInThreads } from './replay-threads.js';

/** Answers a range that ends at `n` with reports named `n.0` and `n.1`, one by one; `program` runs first for each range. */
const worker = (program: string) => {
  const source = `
    const { parentPort, threadId } = require('node:worker_threads');
    let n, part;
    parentPort.on('message', async (asked) => {
      if (asked !== 'next') { n = asked.upTo; part = 0; ${program} }
      parentPort.postMessage({ done: part === 1, value: [{ sessionId: n + '.' + part++ }] });
    });`;
  return new Worker(source, { eval: true });
};

async function* ranges(count: number, made: LogRange[] = []): AsyncGenerator<LogRange> {
  for (let n = 1; n <= count; n++) {
    made.push({ upTo: `${n}` as Position });
    yield made.at(-1) as LogRange;
  }
}

async function ended(count: number, jobs: number, program: string) {
  const workers: Worker[] = [];
  const start = () => {
    workers.push(worker(program));
    return workers.at(-1) as Worker;
  };
  const reported: unknown[] = [];
  let error: unknown;
  try {
    for await (const report of verifyInThreads(ranges(count), jobs, start))
      reported.push('sessionId' in report && report.sessionId);
  } catch (thrown) {
    error = thrown;
  }
  const running = workers.filter(({ threadId }) => threadId !== -1).length;
  return { reported, error, started: workers.length, running };
}

const reportsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => [`${index + 1}.0`, `${index + 1}.1`]).flat();

describe('threads that verify ranges', () => {
  it('report in the order of the ranges, whichever is done first, and are ended', async () => {
    const oddIsLate = 'if (n % 2) for (let turn = 0; turn < 99; turn++) await new Promise(setImmediate);';
    const found = await ended(9, 3, oddIsLate);
    expect(found).toEqual({ reported: reportsOf(9), error: undefined, started: 3, running: 0 });
  });

  it('are no more than there are ranges', async () => {
    expect(await ended(1, 8, '')).toMatchObject({ reported: reportsOf(1), started: 1, running: 0 });
    expect(await ended(0, 8, '')).toMatchObject({ reported: [], started: 0 });
  });

  it('take no more ranges than two each beyond the reader', async () => {
    const made: LogRange[] = [];
    const reports = verifyInThreads(ranges(100, made), 2, () => worker(''));
    await reports.next();
    expect(made).toHaveLength(4);
    await reports.return(undefined);
  });

  it.each([
    ['throws', "if (n === '3') throw new Error('out of luck');", 'out of luck'],
    ['ends', "if (n === '3') process.exit(7);", 'it ended with code 7'],
  ])(
    'report what lies before the range in which one %s, then why, and are ended',
    async (_, program, why) => {
      const { reported, error, running } = await ended(9, 2, program);
      expect([reported, running]).toEqual([reportsOf(2), 0]);
      expect(await failureOf(error)).toEqual({
        exitCode: 1,
        lines: [expect.stringMatching(`^\\[ThreadLost\\] a thread of redial replay --jobs: ${why}\\. `)],
      });
    },
  );

  it('fail as the command does that verifies alone', async () => {
    const failure = { exitCode: 5, lines: ['[NoLog] it is gone.'] };
    const program = `if (n === '2') return parentPort.postMessage({ failure: ${JSON.stringify(failure)} });`;
    const { reported, error } = await ended(3, 1, program);
    expect([reported, await failureOf(error)]).toEqual([reportsOf(1), failure]);
  });
});

it('values before an error are in the last batch before it', async () => {
  const batches = batchesOf(
    (function* () {
      yield 'a';
      throw new Error('out of luck');
    })(),
  );
  expect(await batches.next()).toEqual({ done: false, value: ['a'] });
  await expect(batches.next()).rejects.toThrow('out of luck');
});

it('a batch ends with the value that fills it, and the last one may be empty', async () => {
  const batches = batchesOf(['a', 'b', 'long enough', 'c'], 6);
  const found = [await batches.next(), await batches.next(), await batches.next()];
  expect(found).toEqual([
    { done: false, value: ['a', 'b'] },
    { done: false, value: ['long enough'] },
    { done: true, value: ['c'] },
  ]);
});
