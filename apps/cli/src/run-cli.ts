import { CommanderError } from 'commander';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { failureOf } from './error-output.js';
import { type Io, printLines } from './io.js';
import { terminal } from './terminal.js';
import { createProgram } from './program.js';

/**
 * Runs one command line, without the program's own name, to its end.
 * @returns the exit code; never throws
 */
export async function runCli(argv: readonly string[], streams: Io): Promise<ExitCode> {
  const io = { ...streams, out: terminal(streams.out), err: terminal(streams.err) };
  try {
    await createProgram(io).parseAsync(commandOf(argv), { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    // Commander has printed its output already: requested help is no failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const { exitCode, lines } = await failureOf(error);
    const { redactorOf } = await import('#lib/engine/core');
    const redactor = redactorOf(process.env);
    printLines(
      io.err,
      lines.map((line) => redactor.text(line)),
    );
    return exitCode;
  } finally {
    if (argv.some((word) => word.startsWith('--import')))
      await (await import('./input/imported-options.js')).importOptions(undefined);
  }
}

/** A file in place of a command is run: no command ends with `.json`. */
function commandOf(argv: readonly string[]): readonly string[] {
  return argv[0]?.endsWith('.json') ? ['run', ...argv] : argv;
}
