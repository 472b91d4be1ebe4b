import type { ExpectedRevision } from '#lib/event-store';

interface Options {
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
}

/** The one of the four that a request states. `stated` gives the number, should it be one. */
export function expectedRevision(options: Options, stated: string): ExpectedRevision {
  if (options.hasNoStream()) return 'no-stream';
  if (options.hasStreamExists()) return 'stream-exists';
  return options.hasAny() ? 'any' : Number(stated);
}

/** As the server's errors write it. */
export function asNumber(expected: ExpectedRevision): number {
  if (typeof expected === 'number') return expected;
  return { 'no-stream': -1, any: -2, 'stream-exists': -4 }[expected];
}
