import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { CommandLine } from './command-line.js';
import { door, refunds } from './machines.js';

describe('naming sessions on the command line', () => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = await CommandLine.open();
  });

  afterEach(() => cli.close());

  it('X-U4: lists the sessions, newest first, by machine, state and status', async () => {
    cli.llm.enqueue(toolCall('approve', { amount: 12 }));
    const [opened = '', paid = ''] = await cli.sessions(door, refunds);
    const { exitCode, lines } = await cli.run('sessions');
    expect([exitCode, lines]).toEqual([
      0,
      [
        expect.stringMatching(/^ {2}session +machine +state +status +updated$/),
        expect.stringMatching(new RegExp(`^  ${paid}  refunds  closed +at rest +20\\d\\d-`)),
        expect.stringMatching(new RegExp(`^  ${opened}  door     open +at rest +20\\d\\d-`)),
      ],
    ]);
    const idsOf = async (...options: readonly string[]) => {
      const { items } = JSON.parse((await cli.run('sessions', '--json', ...options)).out) as {
        items: { sessionId: string }[];
      };
      return items.map(({ sessionId }) => sessionId);
    };
    expect(await idsOf()).toEqual([paid, opened]);
    expect(await idsOf('--machine', 'door')).toEqual([opened]);
    expect(await idsOf('--state', 'closed', '--status', 'done')).toEqual([paid]);
    expect(await idsOf('--status', 'needs_human')).toEqual([]);
    expect(await idsOf('--limit', '1')).toEqual([paid]);
    expect((await cli.run('sessions', '--machine', 'none')).lines).toEqual(['there are no sessions']);
  });

  it('closes one that is not done, with the reason', async () => {
    cli.llm.enqueue(toolCall('escalate', {}));
    await cli.sessions(refunds);
    const { exitCode, out } = await cli.run('close', 'last', '--reason', 'Withdrawn', '--json');
    expect([exitCode, JSON.parse(out)]).toEqual([0, expect.objectContaining({ status: 'closed' })]);
    expect((await cli.run('inspect', 'last')).out).toContain('Withdrawn');
    expect((await cli.run('close', 'none')).err).toMatch(/^\[UnknownSession\] /);
  });

  it('X-U4: takes the first characters of an id, in either case, and `last`, wherever a session is named', async () => {
    const [first = '', last = ''] = await cli.sessions(door, door);
    const start = Array.from(first).findIndex((character, index) => character !== last[index]) + 1;
    const short = first.slice(0, start).toUpperCase();
    for (const [argv, named] of [
      [['inspect', short], first],
      [['inspect', 'last'], last],
      [['replay', short, '--json'], first],
      [['decisions', 'door', '--session', 'last'], last],
      [['tick', 'last'], last],
    ] as const) {
      const { exitCode, out } = await cli.run(...argv);
      expect([argv, exitCode, out]).toEqual([argv, 0, expect.stringContaining(named)]);
    }
    for (const command of ['drive', 'arbitrate', 'consensus']) {
      const { err } = await cli.run(command, 'last');
      expect([command, err]).toEqual([command, expect.not.stringContaining('UnknownSession')]);
    }
  });

  it('X-U4: lists the sessions that an ambiguous start names: 2, and 4 when there is none', async () => {
    const [id, other] = await cli.prepare(async (redial) => {
      await redial.defineMachine(door);
      const ids = new Map<string, string>();
      for (;;) {
        const { sessionId } = await redial.createSession({ machineName: 'door' });
        const shared = ids.get(sessionId.charAt(0));
        if (shared !== undefined) return [sessionId, shared];
        ids.set(sessionId.charAt(0), sessionId);
      }
    });
    const { exitCode, err } = await cli.run('inspect', id.charAt(0));
    expect([exitCode, err]).toEqual([
      2,
      `[InvalidInput] session ${id.charAt(0)}: several ids begin with it: ${id}, ${other}. Give more characters of the id.\n`,
    ]);
    for (const text of ['ffffffff-0', '%', '_', 'lastly']) {
      const unknown = await cli.run('inspect', text);
      expect([text, unknown.exitCode, unknown.err]).toEqual([
        text,
        4,
        expect.stringMatching(/^\[UnknownSession\] /),
      ]);
    }
  });

  it('says of a whole id that nothing has that it may be a run, whose workflow is missing', async () => {
    await cli.sessions(door);
    const id = '00000000-0000-4000-8000-000000000000';
    for (const command of ['inspect', 'replay', 'why']) {
      const { exitCode, err } = await cli.run(command, id);
      expect([command, exitCode, err]).toEqual([
        command,
        4,
        expect.stringMatching(
          new RegExp(
            `^\\[UnknownHistory\\] history ${id}: .* a run also needs its workflow, which --import gives`,
          ),
        ),
      ]);
    }
  });

  it('X-U4: says of `last` in an empty log that there is no session', async () => {
    await cli.run('gates', 'create', await cli.file('gate.json', { gateId: 'g', choices: { yes: {} } }));
    const { exitCode, err } = await cli.run('inspect', 'last');
    expect([exitCode, err]).toEqual([4, expect.stringMatching(/^\[UnknownSession\] session last: /)]);
  });
});

describe('redial validate', () => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = await CommandLine.open();
  });

  afterEach(() => cli.close());

  const validate = async (machine: object, ...options: readonly string[]) =>
    cli.runBare('validate', await cli.file('machine.json', machine), ...options);
  /** Its template has a misspelt name. */
  const clerk = {
    role: 'proposer',
    specialistId: 'clerk',
    modelId: 'm',
    contextTemplate: '{{metaJosn.text}}',
  };

  it('X-U4: says that a machine file is valid, with a $schema for editors, and needs no log', async () => {
    const { exitCode, lines, err } = await validate({ $schema: './machine.schema.json', ...door });
    expect([exitCode, lines, err]).toEqual([0, [expect.stringMatching(/^valid: .*machine\.json$/)], '']);
    expect((await cli.run('run', await cli.file('door.json', { $schema: 'x', ...door }))).exitCode).toBe(0);
  });

  it('X-U4: lists every problem and ends with 2', async () => {
    const { exitCode, lines, err } = await validate({ ...door, goalState: 'nowhere', $schema: 7 });
    expect([exitCode, lines]).toEqual([2, []]);
    expect(err).toMatch(/^\[InvalidInput\] .*machine\.json: it is not a valid machine, 2 problems\./);
    expect(err).toContain('\n  /goalState: ');
    expect(err).toContain('\n  /$schema: ');
  });

  it('checks a gate, with the problems and warnings that creating it gives', async () => {
    const gate = { gateId: 'g', choices: { yes: {}, no: 'No' }, specialists: [clerk] };
    const { exitCode, out } = await validate(gate);
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(/warning: \/specialists\/0\/contextTemplate: /),
    ]);
    const broken = { ...gate, choices: { yes: { target: 'x' } }, quorum: 0 };
    const { exitCode: code, err } = await validate(broken);
    expect([code, err]).toEqual([2, expect.stringContaining('it is not a valid gate, 2 problems')]);
    const created = await cli.run('gates', 'create', await cli.file('broken.json', broken));
    for (const path of ['/choices/yes/target', '/quorum']) {
      const [, said = ''] = new RegExp(`${path}: (.+)`).exec(err) ?? [];
      expect(said).not.toBe('');
      expect(created.err).toContain(`${path} ${said}`);
    }
  });

  it('X-U4: warns of misspelt names in templates, here and when the machine is run', async () => {
    const machine = { ...door, specialists: [...door.specialists, { ...clerk, disabled: true }] };
    const warning =
      /warning: \/specialists\/1\/contextTemplate: "metaJosn\.text" is not a member of the context/;
    const { exitCode, out } = await validate(machine);
    expect([exitCode, out]).toEqual([0, expect.stringMatching(warning)]);
    expect((await cli.run('run', await cli.file('clerk.json', machine))).err).toMatch(warning);
    const report = await validate(machine, '--json');
    expect(JSON.parse(report.out)).toMatchObject({
      valid: true,
      errors: [],
      warnings: [{ path: '/specialists/1/contextTemplate' }],
    });
  });
});
