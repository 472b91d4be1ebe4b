import { RedialError } from '#lib/kernel';
import type { ReplayTotals } from '#lib/runs/runs/core';
import { shortly } from './shortly.js';

/** A history differs from the events that replay derives. */
export class ReplayDiffers extends RedialError {}

/**
 * Fails with the first divergence of each stream, with both values.
 * @throws ReplayDiffers
 */
export function expectIdentical(report: Pick<ReplayTotals, 'identical' | 'divergences'>): void {
  if (report.identical) return;
  const shown = report.divergences.map(
    ({ stream, revision, type, pointer, recorded, replayed }) =>
      `${stream} revision ${revision} ${type} ${pointer}: recorded ${shortly(recorded)}, replayed ${shortly(replayed)}`,
  );
  throw new ReplayDiffers(
    'the replay',
    shown.join('; '),
    'Correct the rules, or give the change a new version',
  );
}
