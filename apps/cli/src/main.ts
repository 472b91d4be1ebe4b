#!/usr/bin/env node
import { explain } from '#lib/kernel';
import { exitCodes } from './exit-codes.js';
import { runCli } from './run-cli.js';

// A reader that has seen enough (`redial … | head`) is no failure, and no reason to leave work half done.
let lost: string | undefined;
process.stdout.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') lost ??= code;
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
  setImmediate(() => {
    if (lost === undefined) process.exit(exitCode);
    const why = `not all of it could be written (${lost})`;
    const fix = 'Free space there, or write elsewhere; the command itself has succeeded';
    process.stderr.write(`${explain('OutputLost', 'standard output', why, fix)}\n`);
    process.exit(exitCodes.failed);
  });
});
