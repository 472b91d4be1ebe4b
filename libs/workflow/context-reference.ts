import { type Json, jsonText, sha256 } from '#lib/kernel';
import type { ContextReference, Owner, WorkflowStarted } from './runtime.events.js';
import type { UsedStream } from './run-values.js';

/** The reference of a start to the stream that its run uses. The stream that owns the run is not named a second time. */
export function contextReference(
  { stream, revision }: UsedStream,
  owner: Owner | undefined,
  context: Json,
): ContextReference {
  const isOwner = owner && 'stream' in owner && owner.stream === stream;
  return { ...(!isOwner && { stream }), revision, sha256: sha256(jsonText(context)) };
}

/** The stream that a run uses, without the prefix of the log; `undefined` if it uses none. */
export function usedStream({
  owner,
  context,
}: Pick<WorkflowStarted['data'], 'owner' | 'context'>): UsedStream | undefined {
  if (!context) return undefined;
  const { stream: owners = '' } = (owner ?? {}) as { readonly stream?: string };
  const { stream = owners, revision } = context;
  return { stream, revision };
}
