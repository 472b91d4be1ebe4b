import type { TickResult } from '#lib/sessions';
import { oneLine } from './one-line.js';
import type { Paint } from './paint.js';
import { arrow } from './session-lines.js';

/** The result of a step for each session, one a line. */
export function tickLines(results: readonly TickResult[], paint: Paint): readonly string[] {
  return results.map(
    (result) => `session ${result.sessionId}  ${result.machineName}  ${said(result, paint)}`,
  );
}

function said(result: TickResult, paint: Paint): string {
  const { status, currentState, specialistId = 'somebody', reasoning = '', failure } = result;
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
