#!/usr/bin/env node
import { explain } from '#lib/kernel';
import { exitCodes } from './exit-codes.js';
import { runCli } from './run-cli.js';

// A reader that closes the pipe (`redial … | head`) is not a failure, and does not end the work.
let lost: string | undefined;
process.stdout.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') lost ??= code;
});

// Hints, and the log of a server.
process.stderr.on('error', () => undefined);

/** A second signal ends the process at once. */
async function untilStopped(): Promise<void> {
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
  });
}

const io = { out: process.stdout, err: process.stderr, untilStopped };
const exitCode = await runCli(process.argv.slice(2), io);
// Also ends the parts that a failed start has left open; only once all output is written, or known to be lost.
process.stdout.write('', () => {
  setImmediate(() => {
    if (lost === undefined) process.exit(exitCode);
    const why = `not all of it could be written (${lost})`;
    const fix = 'Free space there, or write elsewhere; the command itself has succeeded';
    process.stderr.write(`${explain('OutputLost', 'standard output', why, fix)}\n`);
    process.exit(exitCodes.failed);
  });
});
