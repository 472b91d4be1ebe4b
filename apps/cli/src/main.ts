#!/usr/bin/env node
import { exitCodes } from './exit-codes.js';
import { runCli } from './run-cli.js';

// A reader that has seen enough (`redial … | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failed);
});

const exitCode = await runCli(process.argv.slice(2), { out: process.stdout, err: process.stderr });
// Ends also what a start that failed half-way has left open; only once everything is written.
process.stdout.write('', () => process.exit(exitCode));
