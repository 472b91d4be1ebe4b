import type { ArbitrationResult } from '#lib/session';
import { NotDecided } from '../error-classes.js';
import { jsonLine, oneLine } from './one-line.js';
import type { Paint } from './paint.js';

/** The result of an arbitration; empty where a guard refused it, which `notDecided` reports. */
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

/** The error for an arbitration that a guard refused. */
export function notDecided({ sessionId, guardReason }: ArbitrationResult): NotDecided {
  const fix = 'Use redial inbox or redial inspect to see the choices and who may decide';
  return new NotDecided(`session ${sessionId} was not decided`, oneLine(guardReason, 300), fix);
}
