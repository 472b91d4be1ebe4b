import type { MachineAlignment, SpecialistAlignment } from '#lib/monitoring';
import { oneLine } from './one-line.js';
import { table } from './table.js';

/** How well each proposer agrees with people, under the rule that was asked for. */
export function alignmentLines({ items, rule, ruleVersion }: MachineAlignment): readonly string[] {
  if (items.length === 0) return ['no proposer was compared with a person yet'];
  return [`rule ${rule} (version ${ruleVersion})`, ...alignmentTable(items)];
}

const columns = [
  { title: 'specialist' },
  { title: 'state' },
  { title: 'chose alike', align: 'right' },
  { title: 'compared', align: 'right' },
  { title: 'score', align: 'right' },
] as const;

/** One line for each score. */
export function alignmentTable(items: readonly SpecialistAlignment[]): readonly string[] {
  const rows = items.map(({ specialistId, state, matchingChoices, totalComparisons, alignmentScore }) => [
    specialistId,
    state === undefined ? '(all)' : oneLine(state, 40),
    String(matchingChoices),
    String(totalComparisons),
    alignmentScore.toFixed(3),
  ]);
  return table(columns, rows);
}
