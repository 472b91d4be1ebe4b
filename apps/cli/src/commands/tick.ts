import { printResult } from '../format/print-result.js';
import { sessionIdOf } from '../input/named-id.js';
import type { Io } from '../io.js';
import { withOperations } from '../operations/call-operation.js';
import { needsPerson } from '../waiting/needs-person.js';
import type { GlobalOptions } from './hand-written-commands.js';
import type { TickResult } from '#lib/sessions';
import { oneLine } from '../format/one-line.js';
import type { Paint } from '../format/paint.js';
import { arrow } from '../format/session-lines.js';

export async function tick(session: string | undefined, options: GlobalOptions, io: Io): Promise<void> {
  if (session === undefined) await tickAll(options, io);
  else await tickOne(await sessionIdOf(session, options.dataDir), options, io);
}

async function tickOne(sessionId: string, options: GlobalOptions, io: Io): Promise<void> {
  const { dataDir, json } = options;
  await withOperations('tickSession', options, io, async (call) => {
    const result = await call('tickSession', { sessionId });
    const atRest = `session ${sessionId} is at rest`;
    printResult(io, json, result, (one, paint) => (one ? tickLines([one], paint) : [atRest]));
    if (result?.status === 'needs_human')
      throw await needsPerson((asked) => call('getInbox', asked), sessionId, dataDir);
  });
}

/** People may be needed all the time: that is for the inbox to say, not a failure of the step. */
async function tickAll(options: GlobalOptions, io: Io): Promise<void> {
  const items = await withOperations('tickAll', options, io, (call) => call('tickAll', {}));
  printResult(io, options.json, { items }, (all, paint) =>
    all.items.length === 0 ? ['every session is at rest'] : tickLines(all.items, paint),
  );
}

/** The result of a step for each session, one a line. */
function tickLines(results: readonly TickResult[], paint: Paint): readonly string[] {
  return results.map(
    (result) => `session ${result.sessionId}  ${result.machineName}  ${said(result, paint)}`,
  );
}

function said(result: TickResult, paint: Paint): string {
  const { status, currentState, specialistId = 'a person', reasoning = '', failure } = result;
  switch (status) {
    case 'solicited':
      return `${oneLine(currentState)}: ${specialistId} was asked`;
    case 'failed':
      return `${oneLine(currentState)}: ${specialistId} gave no proposal (${failure?.kind ?? 'unknown'}): ${oneLine(failure?.message ?? '', 140)}`;
    case 'needs_human':
      return `${oneLine(currentState)}: ${paint('yellow', 'a person is needed')}: ${oneLine(reasoning, 140)}`;
    case 'advanced': {
      const { previousState: fromState = '?', transitionName = '?' } = result;
      const why = reasoning === '' ? '' : `  "${oneLine(reasoning)}"`;
      return `${paint('green', arrow({ fromState, transitionName, toState: currentState }))}${why}`;
    }
  }
}
