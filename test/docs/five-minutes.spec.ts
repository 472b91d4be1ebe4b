import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { CommandLine } from '../cli/command-line.js';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/five-minutes.md'), 'utf8');

/** The commands of the page in their order, each with the exit code that it says. */
const commands = [...page.matchAll(/```sh\n([^]*?)```/g)]
  .flatMap(([, fence = '']) => fence.trim().split('\n'))
  .map((line) => {
    const [, command = line, code = '0'] = /^(.*?)\s*# exit code (\d+)$/.exec(line) ?? [];
    return { command, code: Number(code) };
  });

/** The words of a command line: the page quotes with apostrophes alone. */
function words(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** The answers of the model: to the complaint, and after the correction. */
const denies = toolCall('deny', {});
const approves = toolCall('approve', { amount: 20, reason: 'The cup is broken' });

describe('debug a bad decision in five minutes', () => {
  let cli: CommandLine;
  let before: string;

  beforeAll(async () => {
    cli = await CommandLine.open();
    before = process.cwd();
    copyFileSync(join(ROOT, 'examples/refunds.json'), join(cli.folder, 'refunds.json'));
    process.chdir(cli.folder);
    cli.llm.enqueue(denies, approves);
  });

  afterAll(async () => {
    process.chdir(before);
    await cli.close();
  });

  async function run(command: string): Promise<{ exitCode: number; err: string; out: string }> {
    if (!command.startsWith('sed ')) return cli.run(...words(command).slice(1));
    execFileSync('sh', ['-c', command], { cwd: cli.folder });
    return { exitCode: 0, err: '', out: '' };
  }

  it('has commands that a reader can run one after another, with the exit codes that it says', async () => {
    expect(commands.length).toBeGreaterThan(8);
    const unexpected: string[] = [];
    for (const { command, code } of commands) {
      const { exitCode, err, out } = await run(command);
      if (exitCode !== code) unexpected.push(`${command}: ${exitCode} ${err}${out}`);
    }
    expect(unexpected).toEqual([]);
  });

  it('says how a history file with a changed byte is refused: 13 by regress, 2 by replay and inspect', async () => {
    const { out } = await cli.run('history', 'export', 'last', '--to', 'changed.jsonl', '--json');
    const { file } = JSON.parse(out) as { file: string };
    writeFileSync(file, readFileSync(file, 'utf8').replace('The cup is broken', 'The cup is Broken'));
    const codes = [];
    for (const command of ['regress', 'replay', 'inspect'])
      codes.push((await cli.runBare(command, file)).exitCode);
    expect(codes).toEqual([13, 2, 2]);
    expect(page).toContain('with exit code 2 by `replay` and `inspect`, with 13 by `regress`');
  });

  it('compares in CI the folder into which the corrected history was exported', () => {
    const exported = commands.findLast(({ command }) => command.includes('history export'))?.command;
    const folder = exported?.split('--to ')[1] ?? '';
    expect(page).toMatch(new RegExp(`#!/bin/sh\\n#.*\\nredial regress ${folder} --machine refunds.json `));
  });

  it('has a recipe for CI whose exit code is that of the comparison', async () => {
    const [, recipe = ''] = /```sh ci\n([^]*?)```/.exec(page) ?? [];
    const bin = join(cli.folder, 'bin');
    mkdirSync(bin, { recursive: true });
    const ended = (code: number) => {
      writeFileSync(join(bin, 'redial'), `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
      const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
      try {
        return [0, execFileSync('sh', ['-c', recipe], { env, encoding: 'utf8' })];
      } catch (error) {
        const { status, stdout } = error as { status: number; stdout: string };
        return [status, stdout];
      }
    };
    expect(ended(0)).toEqual([0, 'No decision and no request differs.\n']);
    expect(ended(11)).toEqual([11, expect.stringContaining('Decisions differ')]);
    expect(ended(13)).toEqual([13, 'The corpus cannot be compared.\n']);
  });
});
