import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { text, toolCall } from '#lib/activities/testing';
import type { Workflow } from '#lib/workflow';
import { withEngine } from '../../apps/cli/src/engine/with-engine.js';
import { CommandLine, TextSink } from './command-line.js';
import { refunds } from './machines.js';

const decision = text('{"transitionName":"escalate","toState":"review","reasoning":"odd"}');

/** A workflow that proposes the first or the last exit; `first` in version 1, `last` in version 2. */
const pick = (versions: Readonly<Record<number, 'first' | 'last'>>) => `
const rules = (which) => ({
  input: { type: 'object', required: ['exits'] },
  initialState: ({ data }) => data.input,
  evolve: (input) => input,
  next: ({ exits }) => [{ do: 'end', result: { exit: exits.at(which === 'first' ? 0 : -1).name, summary: 'picked' } }],
});
export const workflows = [{ name: 'pick_exit', versions: {
${Object.entries(versions)
  .map(([version, which]) => `  ${version}: rules('${which}'),`)
  .join('\n')}
} }];
`;

const door = {
  machineName: 'doors',
  initialState: 'shut',
  goalState: 'open',
  specialists: [{ role: 'proposer', specialistId: 'porter', workflow: { name: 'pick_exit', input: {} } }],
  states: { shut: { transitions: { push: 'open', pull: 'open' } }, open: {} },
};

describe('redial regress', () => {
  let cli: CommandLine;
  let corpus: string;

  const machineFile = (name: string, change: (machine: typeof refunds) => object) =>
    cli.file(name, change(structuredClone(refunds)));
  const module = (name: string, source: string) => cli.file(name, source);

  beforeAll(async () => {
    cli = await CommandLine.open();
    corpus = join(cli.folder, 'corpus');
    cli.llm.enqueue(toolCall('approve', { amount: 5 }), decision);
    await cli.sessions(refunds);
    await cli.prepare((redial) => redial.runSession({ machineName: 'refunds' }));
    const { workflows } = (await import(await module('pick.mjs', pick({ 1: 'first' })))) as {
      workflows: readonly Workflow[];
    };
    await withEngine({ dataDir: cli.dataDir, workflows }, new TextSink(), async ({ redial }) => {
      await redial.defineMachine(door);
      await redial.runSession({ machineName: 'doors' });
    });
    expect(await cli.run('history', 'export', '--all', '--to', corpus)).toMatchObject({ exitCode: 0 });
  });

  afterAll(() => cli.close());

  it('ends with 0 and one line for all where nothing has changed, and says that the recorded definitions were used', async () => {
    const { exitCode, err, lines } = await cli.runBare('regress', corpus);
    expect([exitCode, err]).toEqual([0, '']);
    expect(lines).toHaveLength(5);
    expect(lines.slice(-2)).toEqual([
      'definitions: the recorded ones were used, as no --machine was given',
      'regress: 3 histories are the same  (exit code 0)',
    ]);
  });

  it('redial replay --import derives the events of the workflows of the application too', async () => {
    const derived = async (...more: readonly string[]) => {
      const { exitCode, lines } = await cli.run('replay', '--all', '--json', ...more);
      expect(exitCode).toBe(0);
      const reports = lines.map((line) => JSON.parse(line) as { readonly eventsChecked: number });
      return reports.reduce((sum, { eventsChecked }) => sum + eventsChecked, 0);
    };
    const ours = await derived();
    expect(await derived('--import', join(cli.folder, 'pick.mjs'))).toBeGreaterThan(ours);
    const changed = await module('last.mjs', pick({ 1: 'last' }));
    const { exitCode, out } = await cli.run('replay', '--all', '--import', changed);
    expect([exitCode, out]).toEqual([3, expect.stringMatching(/diverges at redial_pick_exit-/)]);
  });

  it('shows the first request that differs with both values and the likely cause, and ends with 10', async () => {
    const machine = await machineFile('prompt.json', (one) => {
      one.states.triage.prompt = 'What should happen with this old request?';
      return one;
    });
    const { exitCode, err, lines } = await cli.runBare('regress', corpus, '--machine', machine);
    expect(exitCode).toBe(10);
    expect(err).toContain(
      '[Regressed] the comparison with today: 1 history is the same, 2 histories ask differently. ',
    );
    const at = lines.findIndex((line) => line.startsWith('requests'));
    expect(lines.slice(at + 1, at + 5)).toEqual([
      expect.stringMatching(
        /^ {4}at {8}solicitation-\S+ revision \d+ {2}\/data\/body\/messages\/\d\/content {2}round /,
      ),
      expect.stringMatching(/^ {4}recorded {2}.*with this request/),
      expect.stringMatching(/^ {4}today {5}.*with this old request/),
      expect.stringMatching(/^ {4}likely {4}the prompt/),
    ]);
    expect(lines.at(-1)).toBe('regress: 1 history is the same, 2 histories ask differently  (exit code 10)');
  });

  it('shows the text that the model is asked with, where a function before it is given the same as a digest', async () => {
    const functions = await module('letter.mjs', "export const contexts = { letter: () => 'a letter' };");
    const letters = await machineFile('letters.json', (one) => {
      const { contextTemplate: _, ...clerk } = { contextTemplate: '', ...one.specialists[2] };
      return { ...one, machineName: 'letters', specialists: [{ ...clerk, contextFnName: 'letter' }] };
    });
    cli.llm.enqueue(decision);
    await cli.run('run', letters, '--import', functions);
    const there = join(cli.folder, 'letters.jsonl');
    expect(await cli.run('history', 'export', 'last', '--to', there)).toMatchObject({ exitCode: 0 });
    const changed = readFileSync(letters, 'utf8').replace('with this', 'with that');
    const machine = await cli.file('letters-changed.json', changed);
    const { exitCode, lines } = await cli.runBare(
      'regress',
      there,
      '--machine',
      machine,
      '--import',
      functions,
    );
    expect(exitCode).toBe(10);
    expect(lines[1]).toMatch(/revision \d+ {2}\/data\/body\/messages\/\d\/content/);
  });

  it('ends with 11 where the exit of a workflow has changed, and takes the version that the history names', async () => {
    const changed = await module('changed.mjs', pick({ 1: 'last' }));
    const { exitCode, out } = await cli.runBare('regress', corpus, '--import', changed, '--json');
    expect(exitCode).toBe(11);
    const { histories } = JSON.parse(out) as { histories: readonly { verdict: string; first?: object }[] };
    expect(histories.find(({ verdict }) => verdict === 'decisions')?.first).toMatchObject({
      pointer: '/data/transitionName',
      recorded: 'push',
      today: 'pull',
      roundId: expect.any(String),
    });
    const versions = await module('versions.mjs', pick({ 1: 'first', 2: 'last' }));
    expect((await cli.runBare('regress', corpus, '--import', versions)).exitCode).toBe(0);
    expect((await cli.runBare('regress', corpus, '--import', versions, '--newest')).exitCode).toBe(11);
  });

  it('ends with 13 where a workflow that is given has no longer the version that a history names', async () => {
    const gone = await module('gone.mjs', pick({ 2: 'last' }));
    const { exitCode, out } = await cli.runBare('regress', corpus, '--import', gone);
    expect(exitCode).toBe(13);
    expect(out).toContain(
      'version 1 of its workflow pick_exit is not here: keep it, or compare with --newest',
    );
    expect((await cli.runBare('regress', corpus, '--import', gone, '--newest')).exitCode).toBe(11);
  });

  it('prints JSON alone, and writes JUnit that holds each history', async () => {
    const machine = await machineFile('described.json', (one) => {
      one.states.triage.transitions.approve.description = 'Pay "all" of it <now>';
      return one;
    });
    const junit = join(cli.folder, 'report.xml');
    const { exitCode, out } = await cli.runBare(
      'regress',
      corpus,
      '--machine',
      machine,
      '--json',
      '--junit',
      junit,
    );
    const report = JSON.parse(out) as {
      exitCode: number;
      histories: readonly { file: string; root: object }[];
    };
    expect([exitCode, report.exitCode]).toEqual([10, 10]);
    expect(report.histories).toHaveLength(3);
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toContain('<testsuite name="redial regress" tests="3" failures="2" errors="0">');
    expect(xml.match(/<testcase /g)).toHaveLength(3);
    expect(xml).toContain('&#60;now&#62;');
  });

  it('finds the histories of each release the same: sessions of 0.2.0 were exported from a log that it wrote', async () => {
    const releases = join(import.meta.dirname, '../replay/histories');
    const { exitCode, out } = await cli.runBare('regress', releases, '--json');
    const { histories } = JSON.parse(out) as { histories: readonly { file: string; verdict: string }[] };
    expect([exitCode, histories.filter(({ verdict }) => verdict !== 'same')]).toEqual([0, []]);
    expect(histories.filter(({ file }) => file.includes('/0.2.0/'))).toHaveLength(5);
  });

  it('ends with 12 where a file contradicts itself', async () => {
    const { lines } = await cli.run(
      'history',
      'export',
      'last',
      '--to',
      join(cli.folder, 'one.jsonl'),
      '--json',
    );
    const { file } = JSON.parse(lines[0] ?? '') as { file: string };
    const { bodyOf, resummed } = await import('#lib/histories/testing');
    const body = bodyOf(readFileSync(file, 'utf8'));
    const changed = body.map((line) =>
      line.includes('"type":"TransitionExecuted"') ? line.replace('"toState":"', '"toState":"re') : line,
    );
    writeFileSync(file, resummed(changed));
    expect(await cli.runBare('regress', file)).toMatchObject({
      exitCode: 12,
      out: expect.stringMatching(/^diverges/),
    });
    const [, machineName = ''] = /"machineName":"(\w+)"/.exec(body.join('')) ?? [];
    const states = { shut: { transitions: { open: 'done' } }, done: {} };
    const today = { machineName, initialState: 'shut', goalState: 'done', states };
    const machine = await cli.file('of-the-broken.json', today);
    expect(await cli.runBare('regress', file, '--machine', machine)).toMatchObject({ exitCode: 12 });
  });

  it('ends with 13 for a corpus that says nothing: empty, missing, broken, double', async () => {
    const empty = join(cli.folder, 'empty');
    mkdirSync(empty);
    writeFileSync(join(empty, 'readme.txt'), '');
    const regressed = async (...paths: readonly string[]) =>
      (await cli.runBare('regress', ...paths)).exitCode;
    expect(await regressed(empty)).toBe(13);
    expect(await regressed()).toBe(13);
    expect(await regressed(corpus, join(cli.folder, 'missing'))).toBe(13);
    expect(await regressed(corpus, corpus)).toBe(13);
    writeFileSync(join(empty, 'broken.jsonl'), '{}\n');
    expect(await cli.runBare('regress', empty)).toMatchObject({
      exitCode: 13,
      out: expect.stringContaining('[HistoryBroken] the history file is broken at line 1'),
    });
  });

  it('ends with 13 for a machine that no history uses, and names it: a check that compares nothing does not pass', async () => {
    const other = await machineFile('other.json', (one) => ({ ...one, machineName: 'other' }));
    const used = await machineFile('used.json', (one) => one);
    const junit = join(cli.folder, 'unused.xml');
    const options = ['--machine', used, '--machine', other, '--junit', junit];
    const { exitCode, err, lines } = await cli.runBare('regress', corpus, ...options);
    expect([exitCode, lines.at(-1)]).toEqual([
      13,
      'regress: 3 histories are the same, no compared history uses the machine other  (exit code 13)',
    ]);
    expect(err).toContain('no compared history uses the machine other. Correct or leave out its --machine');
    expect(readFileSync(junit, 'utf8')).toContain(
      '<testsuite name="redial regress" tests="4" failures="0" errors="1">',
    );
    const { out } = await cli.runBare('regress', corpus, '--machine', other, '--json');
    expect(JSON.parse(out)).toMatchObject({ exitCode: 13, unusedMachines: ['other'] });
    expect((await cli.runBare('regress', corpus, '--machine', used)).exitCode).toBe(0);
  });

  it('says in words how many histories there are, for none and for one', async () => {
    const none = await cli.runBare('regress');
    expect(none.lines).toEqual(['regress: there is no history  (exit code 13)']);
    expect(none.err).toContain('the comparison with today: there is no history. Name history files');
    const one = join(cli.folder, 'single.jsonl');
    await cli.run('history', 'export', 'last', '--to', one);
    expect((await cli.runBare('regress', one)).lines.at(-1)).toBe(
      'regress: 1 history is the same  (exit code 0)',
    );
  });

  it('ends with 2 for options that are unknown or cannot be used', async () => {
    const regressed = async (...options: readonly string[]) =>
      (await cli.runBare('regress', corpus, ...options)).exitCode;
    expect(await regressed('--fast')).toBe(2);
    expect(await regressed('--import', join(cli.folder, 'none.mjs'))).toBe(2);
    expect(await regressed('--machine', join(cli.folder, 'none.json'))).toBe(2);
    const once = await machineFile('once.json', (machine) => machine);
    expect(await regressed('--machine', once, '--machine', once)).toBe(2);
  });

  it('ends with 2 before the comparison where the folder of the report is missing, and after it where the report is a folder', async () => {
    const reported = (junit: string) => cli.runBare('regress', corpus, '--junit', junit);
    const missing = join(cli.folder, 'none', 'report.xml');
    expect(await reported(missing)).toEqual({
      exitCode: 2,
      out: '',
      lines: [],
      err: `[InvalidInput] ${missing}: it cannot be written (ENOENT). Name a file in a folder that you may write.\n`,
    });
    expect(await reported(corpus)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('it cannot be written (EISDIR)'),
    });
  });
});
