import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { setEnvironment } from '#lib/activities/testing';
import { manifest } from '../../apps/cli/src/operations/manifest.js';
import { readCommandWords } from '../../apps/cli/src/operations/command-words.js';
import { runCli } from '../../apps/cli/src/run-cli.js';
import { recordedExamples } from '../operations/examples.js';
import { TextSink } from './command-line.js';

class Terminal extends TextSink {
  readonly isTTY = true;
}

/** Sets the clipboard, clears the screen in two ways, turns the text round, and looks like a line of its own. */
const HOSTILE = '\u001B]52;c;eA==\u0007\u001B[2J\u009B2J\u202E\u2028\r\nFORGED line';
/** Characters that a terminal acts on, without line ends and tabs. The CLI's own escape sequences are removed first. */
const CONTROL = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const ESCAPE = '\u001B';
const OWN = new RegExp(`${ESCAPE}\\[(?:1|2|22|3[12369])m|\r${ESCAPE}\\[2K`, 'g');

/** The value with hostile texts. Each page is the last one: a cursor that never ends would have the command ask for ever. */
function planted(value: unknown): unknown {
  if (typeof value === 'string') return `${value}${HOSTILE}`;
  if (Array.isArray(value)) return value.map(planted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => [name, planted(one)]);
  return { ...Object.fromEntries(members), ...('nextCursor' in value && { nextCursor: null }) };
}

type Examples = { readonly [id: string]: { readonly answer?: unknown } };

describe('0.2-S7: texts from outside control no terminal', () => {
  let server: Server;
  let folder = '';
  let file = '';
  let restore = () => {};
  let isRefused = false;

  beforeAll(async () => {
    const examples: Examples = recordedExamples();
    const routes = manifest().operations.map(({ id, method, path }) => ({
      id,
      method,
      pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
    }));
    server = createServer((incoming, response) => {
      const path = new URL(incoming.url ?? '', 'http://a').pathname;
      const found = routes.find(({ method, pattern }) => method === incoming.method && pattern.test(path));
      const answer = found && examples[found.id]?.answer;
      if (isRefused || answer === undefined) {
        response.writeHead(422, { 'content-type': 'application/problem+json' });
        const errors = [{ path: `/a${HOSTILE}`, message: HOSTILE }];
        response.end(JSON.stringify({ code: 'x', detail: `[Refused] ${HOSTILE}`, errors }));
        return;
      }
      const isText = typeof answer === 'string';
      response.writeHead(200, { 'content-type': isText ? 'text/plain' : 'application/json' });
      response.end(isText ? planted(answer) : JSON.stringify(planted(answer)));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    folder = temporaryFolder();
    file = join(folder, 'hostile.json');
    const states = {
      [`a${HOSTILE}`]: { prompt: HOSTILE, transitions: { [`t${HOSTILE}`]: `none${HOSTILE}` } },
    };
    const machine = { machineName: `m${HOSTILE}`, initialState: `a${HOSTILE}`, goalState: HOSTILE, states };
    await writeFile(file, JSON.stringify({ ...machine, agentName: HOSTILE, [HOSTILE]: HOSTILE }));
    const { port } = server.address() as AddressInfo;
    restore = setEnvironment({ REDIAL_URL: `http://127.0.0.1:${port}`, NO_COLOR: undefined, TERM: 'xterm' });
  });
  afterAll(async () => {
    restore();
    server.closeAllConnections();
    server.close();
  });

  const commands = [
    ...manifest().operations.flatMap(({ cli }) => (cli === undefined ? [] : [argvOf(cli)])),
    ['validate', '<file>'],
    ['chat', '<file>'],
    ['show', 'a-call'],
    ['inspect', 'a-session'],
    ['replay', 'a-session'],
    ['run', '<file>'],
    ['tick', 'a-session'],
    ['decide', 'a-session', 'a-transition'],
    [`none${HOSTILE}`],
    ['sessions', `--none${HOSTILE}`],
  ];

  async function outputOf(argv: readonly string[], isTerminal: boolean): Promise<string> {
    const [out, err] = isTerminal ? [new Terminal(), new Terminal()] : [new TextSink(), new TextSink()];
    const typed = (async function* () {
      yield 'hello';
    })();
    const given = argv.map((one) => (one === '<file>' ? file : one));
    await runCli(given, { out, err, typed, untilStopped: () => Promise.resolve() });
    return `${out.text}\n${err.text}`;
  }

  it.each(commands.map((argv) => [argv.join(' ').slice(0, 60), argv] as const))(
    'redial %s',
    async (_, argv) => {
      for (const refused of [false, true]) {
        isRefused = refused;
        for (const isTerminal of [false, true])
          for (const form of [[], ['--json']]) {
            const output = (await outputOf([...argv, ...form], isTerminal)).replaceAll(
              isTerminal ? OWN : '',
              '',
            );
            expect(CONTROL.exec(output)).toBeNull();
          }
      }
    },
  );

  it('nor do they forge lines', async () => {
    isRefused = false;
    for (const argv of [['show', 'a-call'], ['sessions'], ['inbox'], ['models'], ['machines', 'list']])
      expect(await outputOf(argv, false)).not.toMatch(/^FORGED/m);
    isRefused = true;
    expect(await outputOf(['sessions'], false)).not.toMatch(/^FORGED/m);
    expect(await outputOf(['validate', file], false)).not.toMatch(/^FORGED/m);
  });
});

/** Every argument is a file, which is an id, too. */
function argvOf(cli: string): readonly string[] {
  const { words, args } = readCommandWords(cli);
  return [...words, ...args.map(() => '<file>')];
}
