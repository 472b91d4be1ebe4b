#!/usr/bin/env node
import { join } from 'node:path';
import { exitCodes, failureOf, printLines, terminal } from '../../cli/src/index.js';
import { refuseArguments } from './arguments.js';
import { runDemo } from './run-demo.js';

const io = { out: terminal(process.stdout), err: terminal(process.stderr) };
try {
  refuseArguments(process.argv.slice(2));
  await runDemo(io, join('.redial', 'demo'));
} catch (error) {
  const { exitCode, lines } = await failureOf(error);
  printLines(io.err, lines);
  process.exitCode = exitCode === exitCodes.ok ? exitCodes.failed : exitCode;
}
