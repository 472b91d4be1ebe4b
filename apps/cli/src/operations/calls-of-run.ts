import { RedialProblem } from '#lib/client';
import { RejectionError } from '#lib/operations/core';
import type { OperationEntry } from '#lib/operations';
import { type Call, callWhole } from './call-operation.js';
import { entryOf } from './manifest.js';

/** The answer of an operation. `calls` also takes the id of a run in place of a session's. */
export async function answerTo(
  call: Call,
  entry: OperationEntry,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  try {
    return await callWhole(call, entry, input);
  } catch (error) {
    const isCalls = entry.id === 'listLlmCallsOfSession' && isUnknown(error);
    const answer = isCalls ? await callsOfRun(call, input) : undefined;
    if (answer === undefined) throw error;
    return answer;
  }
}

/** `undefined` if there is no such run. */
async function callsOfRun(
  call: Call,
  { sessionId: runId, ...page }: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  try {
    const input: object = { ...page, runId };
    return await callWhole(call, entryOf('listLlmCallsOfRun'), input);
  } catch (error) {
    if (isUnknown(error)) return undefined;
    throw error;
  }
}

function isUnknown(error: unknown): boolean {
  if (error instanceof RedialProblem) return error.status === 404;
  return error instanceof RejectionError && error.rejection.rejected === 'unknown';
}
