import { availableParallelism } from 'node:os';
import { isMissed, type Results } from './results.js';

interface Named {
  readonly name: string;
}

/** Results with the machine on which they were measured. */
export interface ResultsDocument {
  readonly node: string;
  readonly platform: string;
  readonly cpus: number;
  readonly results: readonly Named[];
  readonly observations: readonly Named[];
}

export function resultsDocument({ measured, observations }: Results): ResultsDocument {
  const results = measured.map((one) => ({
    ...one,
    ...(one.goal !== undefined && { met: !isMissed(one) }),
  }));
  const machine = { node: process.version, platform: process.platform, cpus: availableParallelism() };
  return { ...machine, results, observations };
}

/** The newer result under each name: the benchmarks of a release may run one by one, on one machine. */
export function updated(before: ResultsDocument, now: ResultsDocument): ResultsDocument {
  return {
    ...now,
    results: newest(before.results, now.results),
    observations: newest(before.observations, now.observations),
  };
}

function newest(before: readonly Named[], now: readonly Named[]): readonly Named[] {
  return [...new Map([...before, ...now].map((one) => [one.name, one])).values()];
}

/** JSON for programs, a line for each member. */
export function reportJson(document: ResultsDocument): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
