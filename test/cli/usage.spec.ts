import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manifest } from '../../apps/cli/src/operations/manifest.js';
import { CommandLine } from './command-line.js';
import { door } from './machines.js';

describe('the command line', () => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = await CommandLine.open();
  });

  afterEach(() => cli.close());

  it('explains itself and its exit codes with --help', async () => {
    const { exitCode, out, err } = await cli.runBare('--help');
    expect([exitCode, err]).toEqual([0, '']);
    const commands = {
      Decisions: ['inbox', 'tasks', 'decide', 'propose', 'proposals', 'arbitrate', 'consensus'],
      Definitions: ['machines', 'diagram', 'specialists', 'gates|gate', 'agents', 'tools|tool'],
      'Conversations and runs': ['chat', 'conversations|conversation', 'runs'],
      Commands: ['help'],
    };
    for (const [heading, names] of Object.entries(commands)) {
      const [, part = ''] = out.split(`\n${heading}:\n`);
      const [group = ''] = part.split('\n\n');
      expect([...group.matchAll(/^ {2}([\w|-]+) /gm)].map(([, name]) => name)).toEqual(names);
    }
    expect(out).toMatch(/Exit codes:\n {2}0 {2}done\n(.*\n){12}$/);
    expect((await cli.runBare('run', '--help')).out).toContain('--data-dir');
    expect((await cli.runBare('--version')).out).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('describes each command', async () => {
    const { out } = await cli.runBare('--help');
    expect(out.match(/^ {2}[\w|-]+$/gm)).toBeNull();
  });

  it.each([
    ['hooks', 'add', '--types'],
    ['people', 'add', '--groups'],
    ['sessions', '--tag'],
  ])(
    'says of an option that takes several values that it may be given several times: %s',
    async (...words) => {
      const [option = ''] = words.splice(-1);
      const { out } = await cli.runBare(...words, '--help');
      const [, about = ''] = out.split(`\n  ${option} `);
      expect(about.split('\n  --')[0]?.replaceAll(/\s+/g, ' ')).toMatch(/; may be given several times$/);
    },
  );

  it('names each group of commands as the path of its operations names the resource, and describes it', async () => {
    const { out } = await cli.runBare('--help');
    for (const { id, path, cli: words = '' } of manifest().operations) {
      const [group = '', verb = '<'] = words.split(' ');
      if (/^[<[-]/.test(verb)) continue;
      expect([id, path.split('/')]).toEqual([id, expect.arrayContaining([group])]);
      expect([id, out]).toEqual([id, expect.stringMatching(new RegExp(`^ {2}${group}(\\|\\w+)? +\\w`, 'm'))]);
    }
  });

  it.each(['conversation', 'gate', 'tool'])('knows the group %s of 0.2.0', async (group) => {
    expect((await cli.runBare(group, 'list', '--help')).exitCode).toBe(0);
  });

  it.each([
    ['a command that there is not', ['serv'], "unknown command 'serv'. Did you mean serve?"],
    [
      'a command of runs in its spelling of 0.2.0',
      ['run', 'signal', 'r', 'approval', '--payload', '{}'],
      "unknown command 'run signal'. Did you mean runs signal?",
    ],
    ['an option that there is not', ['replay', '--alll'], "unknown option '--alll'. Did you mean --all?"],
    ['a missing argument', ['inspect'], "missing required argument 'id'"],
    ['an option that it needs', ['history', 'export', 's'], "required option '--to <path>' not specified"],
    ['a time that is none', ['models', '--from', '12'], 'It is not an ISO 8601 time, such as 2026-01-31'],
    [
      'a choice that is none',
      ['decisions', 'm', '--how', 'luck'],
      'Allowed choices are consensus, override, operator, timer.',
    ],
    [
      'a threshold that is none',
      ['specialists', 'register', 'j', '--machine', 'm', '--threshold', '-1'],
      'It is not a number from 0.',
    ],
    [
      'a number of jobs that is none',
      ['replay', '--all', '--jobs', '0'],
      'It is not a whole number above 0.',
    ],
    ['a number that is none', ['run', 'x.json', '--max-steps', 'many'], 'It is not a whole number above 0.'],
  ])('ends with 2 for %s', async (_, argv, words) => {
    const { exitCode, out, err } = await cli.runBare(...argv);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain(words);
    expect(err).toMatch(/^\[Usage\] redial: .* See redial --help\.\n/);
  });

  it('ends with 2, and explains itself on standard error, without a command', async () => {
    const { exitCode, out, err } = await cli.runBare();
    expect([exitCode, out, err]).toEqual([2, '', expect.stringContaining('Exit codes:')]);
  });

  it('ends with 2 for a setting that cannot be used', async () => {
    process.env['REDIAL_STREAM_PREFIX'] = 'no good';
    const machine = await cli.file('door.json', door);
    for (const argv of [
      ['replay', '--all'],
      ['run', machine],
    ]) {
      const { exitCode, err } = await cli.run(...argv);
      expect([exitCode, err]).toEqual([
        2,
        expect.stringMatching(/^\[InvalidSetting\] .*REDIAL_STREAM_PREFIX/),
      ]);
    }
  });

  it('0.2-O11: starts no MCP server for a group of tools that there is not, and names those that there are', async () => {
    const { exitCode, err } = await cli.run('mcp', '--tools', 'sessions,tables');
    expect(exitCode).toBe(2);
    expect(err).toContain(
      '[InvalidSetting] --tools: there is no group "tables". Name some of all, machines,',
    );
  });

  it('X-T2: starts no MCP server for a profile that there is not, and names the setting alone', async () => {
    process.env['REDIAL_MCP_PROFILE'] = 'everything';
    const { exitCode, err } = await cli.run('mcp');
    expect([exitCode, err]).toEqual([
      2,
      '[InvalidSetting] REDIAL_MCP_PROFILE: it is none of observe, propose, operate. Correct or unset it, or use --profile.\n',
    ]);
    const option = await cli.run('mcp', '--profile', 'everything');
    expect([option.exitCode, option.err]).toEqual([2, expect.stringContaining('observe, propose, operate')]);
  });

  it('takes the data folder from the environment, and --data-dir before the command', async () => {
    process.env['REDIAL_DATA_DIR'] = cli.dataDir;
    expect((await cli.runBare('run', await cli.file('door.json', door))).exitCode).toBe(0);
    expect((await cli.runBare('replay', '--all')).lines).toHaveLength(1);
    expect((await cli.runBare('--data-dir', cli.folder, 'replay', '--all')).exitCode).toBe(5);
  });
});
