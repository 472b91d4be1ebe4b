import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callsOfEngine } from '../../apps/mcp/src/tool-calls.js';
import { profiles } from '../../apps/mcp/src/profiles.js';
import { MOST_CHARACTERS } from '../../apps/mcp/src/short-answer.js';
import { readToolGroups, type Shown, toolGroups } from '../../apps/mcp/src/tool-groups.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { door } from '../support/door.js';
import { callTool, connectOverStdio } from './mcp-client.js';

describe('0.2-O11: the tools that a model is shown', () => {
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await startEngine([]);
  });
  afterAll(() => engine.stop());

  async function shown(profile: (typeof profiles)[number], choice: Shown = {}) {
    const { client, close } = await connectOverStdio(callsOfEngine(engine.redial), { profile, ...choice });
    const { tools } = await client.listTools();
    const instructions = client.getInstructions() ?? '';
    await close();
    return { names: tools.map(({ name }) => name), tools, instructions };
  }

  it.each(profiles)(
    'are at most 12 of the profile %s, with instructions that name no other',
    async (profile) => {
      const { names, tools, instructions } = await shown(profile);
      expect(names.length).toBeLessThanOrEqual(12);
      expect(names.length).toBeGreaterThanOrEqual(8);
      expect(JSON.stringify(tools).length).toBeLessThan(25_000);
      expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
      const named = instructions.match(/\b(?:list|get|why|run|create|submit|execute|replay)_\w+/g) ?? [];
      expect([...new Set(named)].toSorted()).toEqual(names.toSorted());
      expect(instructions.length).toBeLessThan(2_500);
    },
  );

  it('are more with a group, and all that the profile offers with `all`', async () => {
    const { names } = await shown('propose');
    const gates = await shown('propose', { groups: ['gates'] });
    expect(gates.names.filter((name) => !names.includes(name)).toSorted()).toEqual([
      'get_gate',
      'get_gate_status',
      'get_invocation',
      'invoke_gate',
      'list_gates',
    ]);
    const all = await shown('operate', { groups: ['all'] });
    const each = await shown('operate', { groups: toolGroups });
    expect(all.names).toEqual(each.names);
    expect(all.names.length).toBeGreaterThan(80);
  });

  it('have schemas of their answers on request', async () => {
    const { tools } = await shown('observe', { outputSchemas: true });
    expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
  });

  it('the groups are those that the page of operations names', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
    const [, named = ''] = /by the first word of the paths \((.*?)\)/.exec(page) ?? [];
    const names = [...named.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set(toolGroups));
  });

  it('refuses a group that there is not, with those that there are', () => {
    expect(readToolGroups('runs, gates')).toEqual(['runs', 'gates']);
    for (const text of ['', 'run', 'runs,'])
      expect(() => readToolGroups(text)).toThrow(
        /\[InvalidSetting\] --tools: .*Name some of all, .*sessions/,
      );
  });

  it('a tool that is not listed is called by its name, and its answer is short', async () => {
    await engine.redial.defineMachine({ ...door, specialists: [] });
    const metaJson = { photo: 'x'.repeat(700_000) };
    const { sessionId } = await engine.redial.createSession({ machineName: 'door', metaJson });
    const { client, close } = await connectOverStdio(callsOfEngine(engine.redial), { profile: 'observe' });
    const { text, value } = await callTool(client, 'list_session_events', { sessionId });
    await close();
    expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(value).toMatchObject({ items: [{ type: 'SessionCreated' }] });
    expect(text).toContain('more characters');
  });
});
