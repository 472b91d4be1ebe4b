import { availableParallelism } from 'node:os';
import { jsonText } from '#lib/kernel';
import type { Results } from './results.js';

/** One JSON document for programs. */
export function reportJson({ measured, observations }: Results): string {
  const machine = { node: process.version, platform: process.platform, cpus: availableParallelism() };
  const results = measured.map((one) => ({
    ...one,
    ...(one.goal !== undefined && { met: one.ratio >= one.goal }),
  }));
  return `${jsonText({ ...machine, results, observations })}\n`;
}
