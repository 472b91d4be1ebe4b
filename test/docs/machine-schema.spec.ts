import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { machineSchema } from '#lib/machine';

it('docs/machine.schema.json is the JSON Schema that machines are validated with', () => {
  const published = readFileSync(join(import.meta.dirname, '../../docs/machine.schema.json'), 'utf8');
  expect(JSON.parse(published)).toEqual(machineSchema);
});
