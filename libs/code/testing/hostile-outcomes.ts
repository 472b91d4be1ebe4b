import { readFileSync, writeFileSync } from 'node:fs';
import { hostileMessages, hostilePrograms } from '#lib/activities/testing';
import type { SandboxResult, WholeSlice } from '#lib/call-rules';
import { jsonText, sha256 } from '#lib/kernel';
import { sandbox } from './code-history.js';

const FILE = new URL('./hostile-outcomes.txt', import.meta.url);
const MESSAGES = 'messages';
/** The most slices of a program whose messages are sent. */
const MOST_SLICES = 4;
const LONGEST = 120;

export function sliceOf(code: string, timeMs = 60_000): WholeSlice {
  const limits = { ticks: 2, memoryBytes: 16 * 1024 * 1024, stackBytes: 65_536, timeMs };
  const properties = [{ name: 'note', value: null, writable: true, schema: { maxLength: 9 } }];
  return {
    program: { code, tools: ['find'], clock: '2026-01-02T03:04:05.000Z', seed: 'run 1', limits },
    variables: null,
    objects: [{ name: 'cart', properties }],
    outcomes: [],
    known: -1,
  };
}

/** A program and the results of its slices. */
export type Played = readonly [code: string, results: readonly SandboxResult[]];

/** The groups of hostile programs, and the current outcome of each. */
export const hostileGroups: readonly (readonly [title: string, play: () => Promise<readonly Played[]>])[] = [
  ...hostilePrograms.map(
    ([title, programs]) =>
      [title, () => inTurn(programs, async (code) => [await sandbox.run(sliceOf(code))])] as const,
  ),
  [MESSAGES, () => inTurn(hostileMessages, sent)],
];

async function inTurn(
  programs: readonly string[],
  play: (code: string) => Promise<readonly SandboxResult[]>,
): Promise<readonly Played[]> {
  const played: Played[] = [];
  for (const code of programs) played.push([code, await play(code)]);
  return played;
}

/** Sends each message, until the program ends or waits for another call. */
async function sent(code: string): Promise<readonly SandboxResult[]> {
  const slice = sliceOf(code);
  const program = { ...slice.program, components: { Message: 'Message' }, sources: 0 };
  const results: SandboxResult[] = [];
  for (let sends = 0; sends < MOST_SLICES; sends++) {
    const outcomes = Array.from({ length: sends }, (_, call) => ({ call, value: null }));
    const result = await sandbox.run({ ...slice, program, outcomes, known: sends - 1 });
    results.push(result);
    if (result.end || result.calls.length === 0) break;
  }
  return results;
}

/** One line: the program, its end, its ticks, and the hash of all results of its slices. */
export function lineOf([code, results]: Played): string {
  const given = results.map(({ build: _, ...rest }) => rest);
  const last = results.at(-1);
  const hash = sha256(jsonText(given)).slice(0, 16);
  return [short(code), last ? endOf(last) : '', last?.ticks ?? 0, hash].join('\t');
}

function endOf({ end, calls }: SandboxResult): string {
  if (!end) return `waits for ${calls.length} calls`;
  const line = 'line' in end && end.line !== undefined ? ` (line ${end.line})` : '';
  if (end.kind === 'returned') return short(`returned ${jsonText(end.value ?? null)}`);
  if (end.kind === 'threw') return short(`threw ${end.name}: ${end.message}`) + line;
  return end.kind === 'limit'
    ? short(`limit ${end.limit}: ${end.message}`)
    : short(`invalid: ${end.message}`) + line;
}

function short(text: string): string {
  const line = text.replaceAll(/\s/g, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** The allowed ends of the programs of a group. A record with another end is wrong. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  'endless loops': ['limit ticks'],
  'endless promises': ['limit ticks'],
  'promises that never come': ['waits'],
  memory: ['threw', 'limit ticks', 'returned'],
  stacks: ['threw', 'invalid', 'limit ticks', 'limit output', 'returned'],
  'ways out of the sandbox': ['threw', 'invalid', 'returned'],
  'built-ins replaced under the bridge': ['threw', 'limit ticks', 'limit engine', 'returned', 'waits'],
  'storms of output and calls': ['threw', 'limit ticks', 'returned', 'waits'],
  'writes of properties': ['threw', 'limit ticks', 'limit output', 'limit engine', 'returned'],
  'native work': ['threw', 'limit ticks'],
  [MESSAGES]: ['threw', 'limit ticks', 'limit engine', 'returned', 'waits'],
};
const REPLACES_BUILT_INS = /(?:Array|Map|Object|RegExp)\.prototype/;

/** The lines of programs with an end that their group does not allow. `limit engine` is for programs that replace built-ins. */
export function unexpectedIn(title: string, lines: readonly string[]): readonly string[] {
  return lines.filter((line) => {
    const [code = '', end = ''] = line.split('\t');
    const isKnown = ENDINGS[title]?.some((ending) => end.startsWith(ending)) ?? false;
    return !isKnown || (end.startsWith('limit engine') && !REPLACES_BUILT_INS.test(code));
  });
}

/** The recorded lines of each group. */
export function recordedOutcomes(): ReadonlyMap<string, readonly string[]> {
  const groups = readFileSync(FILE, 'utf8').split(/^# /m).slice(1);
  return new Map(
    groups.map((group) => {
      const [title = '', ...lines] = group.trimEnd().split('\n');
      return [title, lines];
    }),
  );
}

export function writeOutcomes(groups: ReadonlyMap<string, readonly string[]>): void {
  const sections = [...groups].map(([title, lines]) => [`# ${title}`, ...lines, ''].join('\n'));
  writeFileSync(FILE, sections.join(''));
}
