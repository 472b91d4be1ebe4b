import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CommandLine } from '../cli/command-line.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/proof.md'), 'utf8');
const [, machine = ''] = /```json\n([^`]+)```/.exec(page) ?? [];
const [, shown = ''] = /```console\n\$ redial prove purchase\.json\n([^`]+)```/.exec(page) ?? [];

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.open();
});
afterAll(() => cli.close());

it('docs/proof.md shows what redial prove prints of its machine', async () => {
  const { exitCode, out } = await cli.runBare('prove', await cli.file('purchase.json', machine));
  expect([exitCode, out]).toEqual([8, shown]);
});
