import type { CopyReport } from '../copying/copy-and-verify.js';
import type { Paint } from './paint.js';

/** The result of a copy. */
export function copyLines(report: CopyReport, target: string, paint: Paint): readonly string[] {
  const { copied, events, streams, blobs, sha256 } = report;
  return [
    `copy: ${copied} events copied to ${target}, ${events - copied} were there before`,
    `${paint('green', 'verify: identical')} (${events} events in ${streams} streams, ${blobs} large bodies)`,
    `sha256: ${sha256}`,
  ];
}
