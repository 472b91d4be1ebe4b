import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';

const STEPS = join(import.meta.dirname, '../../.ci/steps');

/** Each step starts a process that outlives it by itself, and then says so on the third descriptor, which is open until the last of them has ended. */
const SCRIPT = `
set -uom pipefail
. '${STEPS}'
leaves='sleep 1000 & echo started >&3; wait'
beside 'one' 5 bash -c "$leaves"
step 'two' 5 bash -c "$leaves"
`;

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'steps that are ended by %s end the processes that a step started, and those of the step beside it',
  async (signal) => {
    const shell = spawn('bash', ['-c', SCRIPT], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
    const ended = once(shell, 'exit');
    let started = 0;
    for await (const line of createInterface(shell.stdio[3] as Readable)) {
      expect(line).toBe('started');
      started += 1;
      if (started === 2) shell.kill(signal);
    }
    expect(started).toBe(2);
    await expect(ended).resolves.toEqual([143, null]);
  },
);
