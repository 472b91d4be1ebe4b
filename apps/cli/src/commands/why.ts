import { refuseUnknownRoot, runsOfRoots, targetOf, whyLines, whyOf } from '#lib/histories/core';
import { orRefused } from '#lib/operations/core';
import { withRoot } from '../engine/with-root.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, printResult } from '../io.js';

type WhyOptions = GlobalOptions & { readonly revision?: number; readonly at?: string };

/** The events that led to an event, from the log or from a history file. */
export async function why(options: WhyOptions, io: Io, named: string): Promise<void> {
  const graph = await withRoot(named, options, async ({ log, root, stream }) => {
    const target = (await targetOf(log, stream, options.revision)) ?? refuseUnknownRoot(root.id);
    return orRefused(await whyOf(log, stream, runsOfRoots, orRefused(target)));
  });
  printResult(io, options.json, graph, whyLines);
}
