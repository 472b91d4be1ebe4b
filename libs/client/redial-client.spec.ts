import { expect, it, jest } from '@jest/globals';
import { RedialClient } from './redial-client.js';

it('has methods that a test can replace, of one client and of all', async () => {
  const client = new RedialClient({ url: 'http://127.0.0.1:1' });
  const listed = { items: [], nextCursor: null };
  jest.spyOn(client, 'listMachines').mockResolvedValue(listed);
  expect(await client.listMachines({})).toBe(listed);
  const all = jest.spyOn(RedialClient.prototype, 'listMachines').mockResolvedValue(listed);
  expect(await new RedialClient({ url: 'http://127.0.0.1:1' }).listMachines({})).toBe(listed);
  all.mockRestore();
});
