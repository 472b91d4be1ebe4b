import type { ArbitrationResult } from '#lib/session';
import { NotDecided } from '../errors.js';
import { jsonLine, oneLine } from './one-line.js';
import type { Paint } from './paint.js';

/** What came of an arbitration; nothing where a guard held it back, which `notDecided` says. */
export function arbitrationLines(result: ArbitrationResult, paint: Paint): readonly string[] {
  const {
    guardsPass,
    guardReason,
    executed,
    transitionName = '',
    toState = '',
    metaJson,
    reasoning,
  } = result;
  if (!guardsPass) return [];
  if (!executed) return [`${paint('yellow', 'not decided')}: ${oneLine(guardReason, 140)}`];
  const choice = `${paint('green', 'decided')}: ${oneLine(transitionName)} → ${oneLine(toState)}`;
  const said = [metaJson && jsonLine(metaJson), reasoning && `"${oneLine(reasoning)}"`];
  return [[choice, ...said.filter(Boolean), `(${oneLine(guardReason, 140)})`].join('  ')];
}

/** What to throw where a guard held an arbitration back. */
export function notDecided({ sessionId, guardReason }: ArbitrationResult): NotDecided {
  const fix = 'Look with redial inbox or redial inspect what can be decided, and by whom';
  return new NotDecided(`session ${sessionId} was not decided`, oneLine(guardReason, 300), fix);
}
