import { tickLines } from '../format/sessions.js';
import { needsPerson, waitsBy } from '../format/waiting.js';
import { sessionIdOf } from '../input/named-id.js';
import { namedServer } from '../input/named-server.js';
import type { GlobalOptions } from '../input/options.js';
import { type Io, printResult } from '../io.js';
import { withOperations } from '../operations/call-operation.js';

export async function tick(options: GlobalOptions, io: Io, session?: string): Promise<void> {
  const { dataDir, json } = options;
  if (session === undefined) {
    // A step that ends with a need for a person has not failed: the inbox lists the session.
    const items = await withOperations('tickAll', options, io, (call) => call('tickAll', {}));
    printResult(io, json, { items }, (all, paint) => tickLines(all.items, paint));
    return;
  }
  const sessionId = await sessionIdOf(session, { dataDir, server: namedServer() });
  await withOperations('tickSession', options, io, async (call) => {
    const result = await call('tickSession', { sessionId });
    const atRest = `session ${sessionId} is at rest`;
    printResult(io, json, result, (one, paint) => (one ? tickLines([one], paint) : [atRest]));
    if (result?.status === 'needs_human') throw await needsPerson(waitsBy(call), sessionId, dataDir);
  });
}
