import { arbitrationLines, notDecided } from '../format/arbitration-lines.js';
import { printResult } from '../format/print-result.js';
import { sessionIdOf } from '../input/named-id.js';
import { readMeta } from '../input/read-meta.js';
import type { Io } from '../io.js';
import { withOperations } from '../operations/call-operation.js';
import type { DecideOptions } from './hand-written-commands.js';

export async function decide(
  session: string,
  transitionName: string,
  options: DecideOptions,
  io: Io,
): Promise<void> {
  const { as: specialistId, reasoning, json } = options;
  const sessionId = await sessionIdOf(session, options.dataDir);
  const metaJson = await readMeta(options);
  const given = { ...(reasoning !== undefined && { reasoning }), ...(metaJson && { metaJson }) };
  await withOperations('submitArbitration', options, io, async (call) => {
    const input = { sessionId, transitionName, specialistId, ...given };
    const result = await call('submitArbitration', input);
    printResult(io, json, result, arbitrationLines);
    if (!result.guardsPass) throw notDecided(result);
    const { status } = await call('getSession', { sessionId });
    if (status === 'open') io.err.write(`continue with redial drive ${sessionId}\n`);
  });
}
