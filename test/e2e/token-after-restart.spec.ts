import { beforeEach, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { startEngine } from '../support/engine.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** The token that this call answers in a process of its own, without a token of the server. */
async function tokenOf(personId: string, idempotencyKey: string): Promise<string | undefined> {
  const engine = await startEngine([], { dataDir: folder });
  try {
    return (await engine.redial.registerPerson({ personId, role: 'viewer' }, { idempotencyKey })).token;
  } finally {
    await engine.stop();
  }
}

it('a keyed registration of a person answers the same token after a restart, without a server token too', async () => {
  const first = await tokenOf('zoe', 'zoe-1');
  expect(first).toMatch(/^zoe\.[\w-]{43}$/);
  expect(await tokenOf('zoe', 'zoe-1')).toBe(first);
  expect(await tokenOf('adam', 'adam-1')).not.toContain(first?.slice('zoe.'.length));
});
