import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { door } from '../cli/machines.js';
import { reviewedRefunds } from '../support/reviewed-refunds.js';
import { snippetsOf } from './snippets.js';

const ROOT = join(import.meta.dirname, '../..');

/** The commands of a page in their order: a line that ends with a backslash goes on. */
function commandsOf(page: string): readonly string[] {
  const shell = snippetsOf(page).filter(({ language }) => language === 'sh');
  return shell.flatMap(({ text }) =>
    text
      .trim()
      .replaceAll(/\\\n\s*/g, '')
      .split('\n'),
  );
}

describe('the commands of the pages about the record run one after another in a shell with the built command line', () => {
  let folder: string;
  let server: ChildProcess | undefined;
  let variables: Record<string, string> = {};
  let url = '';

  beforeEach(() => {
    folder = temporaryFolder();
    mkdirSync(join(folder, 'bin'));
    symlinkSync(join(ROOT, 'docs'), join(folder, 'docs'));
    const built = `#!/bin/sh\nexec ${process.execPath} ${join(ROOT, 'dist/bin/redial.js')} "$@"\n`;
    writeFileSync(join(folder, 'bin/redial'), built, { mode: 0o755 });
    const path = `${join(folder, 'bin')}:${process.env['PATH']}`;
    variables = { PATH: path, PORT: '0', LOG_LEVEL: 'error', OPENAI_API_KEY: 'sk-canary' };
  });
  afterEach(async () => {
    if (!server) return;
    server.kill();
    await once(server, 'exit');
  });

  /** @returns its standard output @throws if it ends with another code than 0 */
  async function run(command: string): Promise<string> {
    const [, name = '', value = ''] = /^export (\w+)=(\S+)$/.exec(command) ?? [];
    if (name !== '') return (variables[name] = value);
    if (command === 'redial serve') return (url = await serve());
    const own = command.replace('localhost:3000', url.replace('http://', ''));
    return execFileSync('sh', ['-c', own], { cwd: folder, env: variables, encoding: 'utf8' });
  }

  async function serve(): Promise<string> {
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    server = spawn('redial', ['serve'], { cwd: folder, env: variables, stdio: [...stdio] });
    for await (const line of createInterface({ input: server.stdout ?? process.stdin })) {
      const [, listening] = /^Redial listening on (http:\S+)$/.exec(line) ?? [];
      if (listening === undefined) continue;
      await post(`${listening}/v1/machines`, reviewedRefunds);
      return listening;
    }
    throw new Error('The server ended before it listened.');
  }

  async function post(to: string, body: object): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) })).ok).toBe(true);
  }

  it('docs/seals.md: an auditor seals, verifies the log since a kept seal, and a file with Redial and without', async () => {
    writeFileSync(join(folder, 'door.json'), JSON.stringify(door));
    await run('redial run door.json || true');
    const commands = commandsOf('docs/seals.md');
    const said: string[] = [];
    for (const command of commands) said.push(await run(command));
    const outputOf = (part: string) => said[commands.findIndex((command) => command.includes(part))];
    for (const part of ['verify --public-key', 'verify session.jsonl', 'verify-history.mjs'])
      expect(outputOf(part)).toMatch(/^sealed: \d+ events under seal 0/);
  });

  it('docs/forgetting.md: a data protection officer finds what is about a subject, and erases it', async () => {
    const said: unknown[] = [];
    for (const command of commandsOf('docs/forgetting.md')) {
      const out = await run(command);
      if (out.startsWith('{')) said.push(JSON.parse(out));
    }
    const [session, subject, erased] = said as [{ sessionId: string }, { sessions: string[] }, object];
    expect(subject.sessions).toEqual([session.sessionId]);
    expect(erased).toMatchObject({ subject: 'customer-42', streams: 1, exports: [] });
    const after = await run(`redial subjects show customer-42 --json`);
    expect(JSON.parse(after)).toMatchObject({ sessions: subject.sessions, erasedAt: expect.any(String) });
    const data = join(folder, '.redial');
    const withContent = readdirSync(data).filter((name) =>
      readFileSync(join(data, name)).includes('The cup is broken.'),
    );
    expect(withContent).toEqual([]);
  });
});
