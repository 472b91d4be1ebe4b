import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withEngine } from '../../apps/cli/src/engine/with-engine.js';
import { CommandLine, TextSink } from './command-line.js';

const first = { role: 'proposer', specialistId: 'clerk', strategyFnName: 'firstAvailable' };
const door = {
  machineName: 'door',
  initialState: 'closed',
  goalState: 'open',
  specialists: [first, { role: 'arbiter', specialistId: 'judge', strategyFnName: 'alignmentMargin' }],
  states: { closed: { transitions: { 'push|pull': 'open' } }, open: {} },
};

describe('redial simulate', () => {
  let cli: CommandLine;
  beforeAll(async () => {
    cli = await CommandLine.open();
    const file = await cli.file('door.json', door);
    for (const _ of [1, 2]) expect(await cli.run('run', file)).toMatchObject({ exitCode: 0 });
  });
  afterAll(() => cli.close());

  it('counts the rounds of all pages, with shares and their intervals, and lists those that change', async () => {
    const same = await cli.run('simulate', 'door');
    expect([same.exitCode, same.lines]).toEqual([
      0,
      [
        '  rounds       count    share  95 %',
        '  same             2  100.0 %  34.2 % to 100.0 %',
        '  different        0    0.0 %  0.0 % to 65.8 %',
        '  to people        0    0.0 %  0.0 % to 65.8 %',
        '  from people      0    0.0 %  0.0 % to 65.8 %',
      ],
    ]);
    const { lines } = await cli.run('simulate', 'door', '--trust', '{"minComparisons":1}');
    expect(lines).toContainEqual(expect.stringMatching(/to people +2 +100\.0 %/));
    expect(lines).toContainEqual(
      expect.stringMatching(/closed +to people +push\|pull by judge +people: no-consensus$/),
    );
  });

  it('prints Markdown and JSON', async () => {
    const markdown = await cli.run('simulate', 'door', '--quorum', '2', '--markdown');
    expect(markdown.lines).toContain('# Simulation of door: 2 rounds');
    expect(markdown.lines).toContain('| to people | 2 | 100.0 % | 34.2 % to 100.0 % |');
    expect(markdown.lines.at(-1)).toMatch(
      /^\| [0-9a-f-]{36} \| closed \| to people \| push\\\|pull by judge \| people: no-quorum \|$/,
    );
    const json = await cli.run('simulate', 'door', '--limit', '1', '--json');
    expect(JSON.parse(json.out)).toMatchObject({ rounds: 1, same: 1, items: [{ outcome: 'same' }] });
  });

  it('says how many streams its rounds lack, beside the lines and in JSON', async () => {
    await withEngine({ dataDir: cli.dataDir }, new TextSink(), ({ log }) => {
      const event = { type: 'SessionCreated', data: '[]', metadata: '{"schemaVersion":1}' };
      const stream = log.streams.of('session', randomUUID());
      return log.store.append(stream, 'no-stream', [{ eventId: randomUUID(), ...event }]);
    });
    const lacks = '1 stream of this list could not be read';
    for (const form of [[], ['--markdown']])
      expect((await cli.run('simulate', 'door', ...form)).err).toContain(lacks);
    const { out } = await cli.run('simulate', 'door', '--json');
    expect(JSON.parse(out)).toMatchObject({ rounds: 2, standsStill: 1 });
  });

  it('refuses a machine that is not known, and settings that are none', async () => {
    expect((await cli.run('simulate', 'window')).exitCode).not.toBe(0);
    for (const threshold of ['much', '', '-1', 'Infinity']) {
      const { exitCode, err } = await cli.run('simulate', 'door', '--consensus-threshold', threshold);
      expect([threshold, exitCode, err]).toEqual([
        threshold,
        2,
        expect.stringMatching(/consensus-?threshold/i),
      ]);
    }
  });
});
