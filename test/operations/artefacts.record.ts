import { expect, it } from '@jest/globals';
import { artefacts, textOf, writeArtefacts } from './artefacts.js';

it('writes operations.json, the client, the members of events and the table of settings', async () => {
  await writeArtefacts();
  for (const [file, text] of await artefacts()) expect(textOf(file)).toBe(text);
});
