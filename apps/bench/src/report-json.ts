import { availableParallelism } from 'node:os';
import { jsonText } from '#lib/kernel';
import { isMissed, type Results } from './results.js';

/** One JSON document for programs. */
export function reportJson({ measured, observations }: Results): string {
  const machine = { node: process.version, platform: process.platform, cpus: availableParallelism() };
  const results = measured.map((one) => ({
    ...one,
    ...(one.goal !== undefined && { met: !isMissed(one) }),
  }));
  return `${jsonText({ ...machine, results, observations })}\n`;
}
