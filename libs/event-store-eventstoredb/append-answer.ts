import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { GRPC, type GrpcFailure } from './grpc-failure.js';

/**
 * The server's answer to one append. `undecided`: it stopped waiting for its own disk or cluster, or has no leader to ask, so the append may be
 * stored or not. `sequence` is missing if the server does not say where a repeated append is stored.
 */
export type AppendAnswer =
  | { readonly kind: 'stored'; readonly revision: number; readonly sequence: bigint | undefined }
  | { readonly kind: 'conflict'; readonly actual: number | undefined }
  | { readonly kind: 'too-large'; readonly largest: number }
  | { readonly kind: 'refused'; readonly failure: GrpcFailure }
  | { readonly kind: 'undecided'; readonly failure: GrpcFailure };

const PACKAGE = 'event_store.client';

/** Refusals that store nothing. `Unknown` is the server's name for a transaction that it cannot write. */
const REFUSALS = new Set(['BadRequest', 'MaximumAppendEventSizeExceeded', 'InvalidTransaction', 'Unknown']);

export function appendAnswer(response: BatchAppendResp): AppendAnswer {
  const success = response.getSuccess();
  if (success) {
    const sequence = success.getPosition()?.getCommitPosition();
    const revision = Number(success.getCurrentRevision());
    return { kind: 'stored', revision, sequence: sequence === undefined ? undefined : BigInt(sequence) };
  }
  const error = response.getError();
  const details = error?.getDetails();
  const name = details?.getTypeName().split('.').at(-1);
  if (details && name === 'WrongExpectedVersion') {
    const conflict = details.unpack(
      (bytes) => shared.WrongExpectedVersion.deserializeBinary(bytes),
      `${PACKAGE}.${name}`,
    );
    const known = conflict?.hasCurrentStreamRevision() === true;
    return { kind: 'conflict', actual: known ? Number(conflict.getCurrentStreamRevision()) : undefined };
  }
  if (details && name === 'MaximumAppendSizeExceeded') {
    const limit = details.unpack(
      (bytes) => shared.MaximumAppendSizeExceeded.deserializeBinary(bytes),
      `${PACKAGE}.${name}`,
    );
    return { kind: 'too-large', largest: limit?.getMaxappendsize() ?? 0 };
  }
  return failureAnswer(name, error?.getMessage() ?? '');
}

function failureAnswer(name: string | undefined, message: string): AppendAnswer {
  const details = message === '' ? (name ?? 'no reason given') : message;
  if (name === 'AccessDenied') return { kind: 'refused', failure: { code: GRPC.permissionDenied, details } };
  if (name === 'StreamDeleted') return { kind: 'refused', failure: deleted(details) };
  if (REFUSALS.has(name ?? '')) return { kind: 'refused', failure: { code: GRPC.invalidArgument, details } };
  const code = name === 'Timeout' ? GRPC.deadlineExceeded : GRPC.unknown;
  return { kind: 'undecided', failure: { code, details } };
}

function deleted(details: string): GrpcFailure {
  const metadata = { getMap: () => ({ exception: 'stream-deleted' }) };
  return { code: GRPC.failedPrecondition, details, metadata };
}
