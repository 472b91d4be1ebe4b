import { availableParallelism } from 'node:os';
import { jsonText } from '#lib/kernel';
import type { Measured } from './measure.js';

/** One JSON document for programs. */
export function reportJson(all: readonly Measured[]): string {
  const machine = { node: process.version, platform: process.platform, cpus: availableParallelism() };
  const results = all.map((one) => ({
    ...one,
    ...(one.goal !== undefined && { met: one.ratio >= one.goal }),
  }));
  return `${jsonText({ ...machine, results })}\n`;
}
