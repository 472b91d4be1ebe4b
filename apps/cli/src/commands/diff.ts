import type { SessionEvent } from '#lib/decisions/session';
import { arrow } from '#lib/summaries';
import { type Diff, diffOf, type RootInLog } from '#lib/histories/core';
import { withRoot } from '../engine/with-root.js';
import { InvalidInput } from '../error-classes.js';
import { jsonLine } from '#lib/kernel';
import type { GlobalOptions } from '../input/options.js';
import { type Io, type Paint, printResult } from '../io.js';

/** Two sessions, of the log or of history files, decided round by decided round. */
export async function diff(options: GlobalOptions, io: Io, a: string, b: string): Promise<void> {
  const [ofA, ofB] = await Promise.all([eventsOf(a, options), eventsOf(b, options)]);
  printResult(io, options.json, diffOf(ofA, ofB), diffLines);
}

function eventsOf(named: string, options: GlobalOptions) {
  return withRoot(named, { dataDir: options.dataDir }, async ({ root, log, stream }) => {
    if (root.kind !== 'session') throw notASession(root);
    return log.readStream<SessionEvent>(stream);
  });
}

function notASession({ kind, id }: RootInLog['root']): InvalidInput {
  const fix = 'Give the ids of two sessions, or history files of sessions';
  return new InvalidInput(`${kind} ${id}`, `redial diff compares sessions, and this is a ${kind}`, fix);
}

function diffLines({ same, steps, costUSD, latencyMsec }: Diff, paint: Paint): readonly string[] {
  const rounds = steps.flatMap(({ a, b, changes }, index) => {
    const decided = [a, b].map((step) => (step ? arrow(step) : 'nothing')).join('   |   ');
    const mark = changes.length === 0 ? paint('green', 'same') : paint('yellow', 'differs');
    const listed = changes.map(
      ({ pointer, ...change }) =>
        `    ${pointer || '(the round)'}: ${jsonLine(change.a ?? undefined)} | ${jsonLine(change.b ?? undefined)}`,
    );
    return [`round ${index + 1}  ${mark}  ${decided}`, ...(a && b ? listed : [])];
  });
  return [
    same ? paint('green', 'all decided rounds are the same') : paint('yellow', 'the sessions differ'),
    ...rounds,
    `cost in US dollars: ${costUSD.a} | ${costUSD.b}`,
    `milliseconds: ${Math.round(latencyMsec.a)} | ${Math.round(latencyMsec.b)}`,
  ];
}
