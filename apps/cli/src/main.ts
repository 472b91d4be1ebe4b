#!/usr/bin/env node
import { exitCodes } from './exit-codes.js';
import { runCli } from './run-cli.js';

// A reader that has seen enough (`redial … | head`) is no failure, and no reason to leave work half done.
let isLost = false;
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  isLost ||= code !== 'EPIPE';
});

/** A second signal ends the process at once. */
async function untilStopped(): Promise<void> {
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
  });
}

const io = { out: process.stdout, err: process.stderr, untilStopped };
const exitCode = await runCli(process.argv.slice(2), io);
// Ends also what a start that failed half-way has left open; only once everything is written, or known not to be.
process.stdout.write('', () => {
  setImmediate(() => process.exit(isLost ? exitCodes.failed : exitCode));
});
