import type { Json } from '#lib/kernel';
import { authorOf, type CommandContext } from '#lib/operations/core';
import type { SignalInput } from '#lib/workflow';

/** The signal of a call, with its author. */
export function signalOf(
  signal: string,
  { awaitId, payload }: { readonly awaitId?: string; readonly payload: Json },
  context: CommandContext,
): SignalInput {
  return {
    signal,
    payload,
    by: authorOf(context),
    ...(awaitId !== undefined && { awaitId }),
    ...(context.leaveToPeople && { leaveToPeople: true }),
  };
}
