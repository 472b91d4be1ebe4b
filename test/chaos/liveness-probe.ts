import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { ServerProcess } from '../support/server-process.js';

/**
 * Asks a server for its liveness, again and again, on a thread that does nothing else. An answer takes as long as the processor time of the
 * server's main thread meanwhile: what other threads and processes of the machine do does not count.
 */
const PROBE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { readFileSync } = require('node:fs');
  const TICK_MS = 10;
  const STAT = '/proc/' + workerData.pid + '/task/' + workerData.pid + '/stat';
  const used = () => {
    const [user, system] = readFileSync(STAT, 'utf8').split(') ')[1].split(' ').slice(11, 13);
    return (Number(user) + Number(system)) * TICK_MS;
  };
  const ask = async () => {
    const since = used();
    const response = await fetch(workerData.url + '/health/live', { signal: AbortSignal.timeout(60_000) });
    await response.text();
    return used() - since;
  };
  let goesOn = true;
  parentPort.on('message', () => (goesOn = false));
  (async () => {
    let longest = 0;
    let asked = 0;
    while (goesOn) {
      longest = Math.max(longest, await ask().catch(() => Infinity));
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    parentPort.postMessage({ longest, asked });
    parentPort.close();
  })();
`;

/** Milliseconds of the longest answer during the action. @throws Error if none was asked for */
export async function longestAnswerDuring(
  { url, pid }: ServerProcess,
  action: () => Promise<void>,
): Promise<number> {
  const probe = new Worker(PROBE, { eval: true, workerData: { url, pid } });
  const ended = once(probe, 'message') as Promise<[{ longest: number; asked: number }]>;
  try {
    await action();
  } finally {
    probe.postMessage('end');
  }
  const [{ longest, asked }] = await ended;
  if (asked === 0) throw new Error('Liveness was never asked for.');
  return longest;
}

/** The most memory that a process had at once, with its threads. */
export function peakKb(pid: number): number {
  const [, peak = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(peak);
}
