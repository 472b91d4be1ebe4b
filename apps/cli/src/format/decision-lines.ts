import type { Decision } from '#lib/monitoring';
import { oneLine } from './one-line.js';
import { arrow } from './session-lines.js';
import { table } from './table.js';

const columns = [
  { title: 'decided at' },
  { title: 'session' },
  { title: 'decision' },
  { title: 'how' },
  { title: 'who' },
  { title: 'margin', align: 'right' },
  { title: 'proposed' },
] as const;

/** Decisions, one a line. */
export function decisionLines(decisions: readonly Decision[]): readonly string[] {
  if (decisions.length === 0) return ['nothing was decided'];
  const rows = decisions.map((decision) => {
    const { decidedAt, sessionId, how, margin } = decision;
    const decided = [decidedAt, sessionId, oneLine(arrow(decision), 60), how, who(decision)];
    return [...decided, margin === null ? '-' : margin.toFixed(2), proposed(decision)];
  });
  return table(columns, rows);
}

function who({ arbiterId, specialistId }: Decision): string {
  return specialistId ?? arbiterId ?? '-';
}

function proposed({ proposals }: Decision): string {
  const choices = proposals.map(({ specialistId, transitionName }) => `${specialistId}: ${transitionName}`);
  return oneLine(choices.join(', '), 80);
}
