import { runCli } from '../../../apps/cli/src/run-cli.js';
import type { Place } from './place.js';

/** `redial log claim`, without which a log that was brought to another folder does nothing by itself. */
export async function claimLog({ dataDir = '' }: Place): Promise<void> {
  const ignored = { write: () => true };
  const exitCode = await runCli(['--data-dir', dataDir, 'log', 'claim'], {
    out: ignored,
    err: ignored,
    untilStopped: () => Promise.resolve(),
  });
  if (exitCode !== 0) throw new Error(`The log was not claimed: ${exitCode}.`);
}
