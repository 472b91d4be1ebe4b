import { readdirSync, readFileSync } from 'node:fs';

/** The time that all threads of a process have computed, in milliseconds. On Linux. */
export function processorTimeOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) => {
    const [computed] = readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ');
    return Number(computed);
  });
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** The resident memory of a process, in bytes. On Linux. */
export function residentMemoryOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
