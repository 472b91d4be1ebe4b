import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { ServerProcess } from '../support/server-process.js';
import { HttpCaller } from './http-caller.js';

const DEFINITIONS = 150;

let server: ServerProcess;

beforeEach(async () => {
  const dataDir = temporaryFolder();
  server = await ServerProcess.start({ REDIAL_DATA_DIR: dataDir, NODE_OPTIONS: '--max-old-space-size=160' });
});

afterEach(async () => {
  await server.kill();
});

/** A schema near the limit of its bytes; each number gives another one. */
function largeSchema(n: number): object {
  const properties = Array.from({ length: 800 }, (_, index) => [
    `member${n}-${index}`,
    { enum: [`${n}-${index}-`.padEnd(250, 'x')] },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

it('X-S4: a server with a heap of 160 MB stays up through 150 machines whose schemas take 230 kB each', async () => {
  const caller = new HttpCaller(server.url);
  for (let n = 0; n < DEFINITIONS; n++) {
    const machine = {
      machineName: 'large',
      initialState: 'open',
      goalState: 'closed',
      states: {
        open: { transitions: { pay: { target: 'closed', parameters: largeSchema(n) } } },
        closed: {},
      },
    };
    const { status, body } = await caller.post('/v1/machines/validate', machine);
    expect([status, body]).toEqual([200, expect.objectContaining({ valid: true })]);
  }
});
