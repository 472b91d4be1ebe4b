import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RedialServer } from '../support/redial-server.js';
import { openRefund, refunds } from '../support/refunds.js';
import { CommandLine } from './command-line.js';

describe('redial export', () => {
  let cli: CommandLine;
  beforeAll(async () => {
    cli = await CommandLine.open();
    await cli.begun(refunds);
  });
  afterAll(() => cli.close());

  it('writes rows to standard output and nothing else, and how much they are to standard error', async () => {
    const { exitCode, lines, err } = await cli.run('export', 'sessions', '--format', 'csv', '--no-meta');
    expect([exitCode, lines.length, err]).toEqual([0, 2, 'sessions: 0.0 MB\n']);
    expect(lines[0]).toMatch(/^sessionId,machineName,(?!.*metaJson)/);
    const json = await cli.run('export', 'rounds', '--machine', 'refunds', '--from', '2020-01-01');
    expect(json.lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { state: 'triage', isDecided: false },
    ]);
  });

  it('gives texts back as they were, also those that a terminal is not shown', async () => {
    const hostile = 'a\u2028b\u202Ec\u0085d\u009Be\u200B é 😀\r\n';
    const asked = { machineName: 'refunds', metaJson: { text: hostile } };
    await cli.prepare((redial) => redial.createSession(asked));
    const json = await cli.run('export', 'sessions');
    const found = json.lines.map((line) => (JSON.parse(line) as { metaJson?: { text?: string } }).metaJson);
    expect(found.map((facts) => facts?.text)).toContain(hostile);
    const csv = await cli.run('export', 'sessions', '--format', 'csv');
    const [, cell = ''] = /"(\{""text"":.*\})"/.exec(csv.out) ?? [];
    expect(JSON.parse(cell.replaceAll('""', '"'))).toEqual({ text: hostile });
  });

  it.each(['training', 'preferences'])(
    'writes %s as lines of JSON, and refuses options of rows',
    async (dataset) => {
      const { exitCode, out, err } = await cli.run('export', dataset, '--format', 'jsonl');
      expect([exitCode, out, err]).toEqual([0, '', `${dataset}: 0.0 MB\n`]);
      const csv = await cli.run('export', dataset, '--format', 'csv');
      expect([csv.exitCode, csv.err]).toEqual([2, expect.stringMatching(/^\[InvalidInput\] --format csv: /)]);
      const bare = await cli.run('export', dataset, '--no-meta');
      expect([bare.exitCode, bare.err]).toEqual([2, expect.stringMatching(/^\[InvalidInput\] --no-meta: /)]);
    },
  );

  it('is refused for a dataset that is not there', async () => {
    const { exitCode, out, err } = await cli.run('export', 'nothing');
    expect([exitCode, out]).toEqual([4, '']);
    expect(err).toMatch(/^\[UnknownDataset\] the dataset nothing: .*sessions, rounds/);
  });

  it('writes what a server sends', async () => {
    const server = await RedialServer.start();
    try {
      const sessionId = await openRefund(server);
      process.env['REDIAL_URL'] = server.url;
      const { exitCode, lines } = await cli.runBare('export', 'sessions');
      expect([exitCode, lines.map((line) => JSON.parse(line) as object)]).toMatchObject([0, [{ sessionId }]]);
      expect(await cli.runBare('export', 'nothing')).toMatchObject({ exitCode: 4, out: '' });
    } finally {
      delete process.env['REDIAL_URL'];
      await server.stop();
    }
  });
});
