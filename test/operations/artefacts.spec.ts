import { expect, it } from '@jest/globals';
import { artefacts, textOf } from './artefacts.js';

it('operations.json and the client are what the declared operations give (else: npm run operations:record)', async () => {
  for (const [file, text] of await artefacts()) expect(textOf(file)).toBe(text);
});
