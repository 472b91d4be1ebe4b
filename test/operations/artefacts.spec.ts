import { expect, it } from '@jest/globals';
import { artefacts, textOf } from './artefacts.js';

it('operations.json, the client, the members in docs/events.md, the settings in docs/operations.md and the JSON Schemas in docs are what the declarations give (else: npm run operations:record)', async () => {
  for (const [file, text] of await artefacts()) expect(textOf(file)).toBe(text);
});
