import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { agentSchema } from '#lib/flows';
import { machineSchema } from '#lib/decisions/machines';

it.each([
  ['machine', machineSchema],
  ['agent', agentSchema],
])('docs/%s.schema.json is the JSON Schema that definitions are validated with', (name, schema) => {
  const published = readFileSync(join(import.meta.dirname, `../../docs/${name}.schema.json`), 'utf8');
  expect(JSON.parse(published)).toEqual(schema);
});
