import { expect, it } from '@jest/globals';
import { artefacts, textOf, writeArtefacts } from './artefacts.js';

it('writes operations.json, the client and the members of events', async () => {
  await writeArtefacts();
  for (const [file, text] of await artefacts()) expect(textOf(file)).toBe(text);
});
