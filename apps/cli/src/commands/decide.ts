import { oneLine } from '#lib/kernel';
import { NotDecided } from '../error-classes.js';
import { arbitrationLines } from '../format/sessions.js';
import { sessionIdOf } from '../input/named-id.js';
import { namedServer } from '../input/named-server.js';
import type { GlobalOptions, MetaOptions, TokenOption } from '../input/options.js';
import { readMeta } from '../input/read-json.js';
import { type Io, printResult } from '../io.js';
import { withOperations } from '../operations/call-operation.js';
import type { ArbitrationResult } from '#lib/decisions/session';

interface DecideOptions extends GlobalOptions, MetaOptions, TokenOption {
  readonly as: string;
  readonly reasoning?: string;
}

export async function decide(options: DecideOptions, io: Io, session: string, transitionName: string) {
  const { as: specialistId, reasoning, json } = options;
  const sessionId = await sessionIdOf(session, { dataDir: options.dataDir, server: namedServer(options) });
  const metaJson = await readMeta(options);
  const given = { ...(reasoning !== undefined && { reasoning }), ...(metaJson && { metaJson }) };
  await withOperations('submitArbitration', options, io, async (call) => {
    const input = { sessionId, transitionName, specialistId, ...given };
    const result = await call('submitArbitration', input);
    printResult(io, json, result, arbitrationLines);
    assertDecided(result);
    const { status } = await call('getSession', { sessionId });
    if (status === 'open') io.err.write(`continue with redial drive ${sessionId}\n`);
  });
}

/** @throws NotDecided if a guard refused the arbitration */
export function assertDecided({ guardsPass, sessionId, guardReason }: ArbitrationResult): void {
  if (guardsPass) return;
  const fix = 'Use redial inbox or redial inspect to see the choices and who may decide';
  throw new NotDecided(`session ${sessionId} was not decided`, oneLine(guardReason, 300), fix);
}
