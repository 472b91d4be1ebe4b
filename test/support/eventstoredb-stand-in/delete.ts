import type {
  DeleteReq,
  DeleteResp,
  TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { asNumber, expectedRevision } from './expected-revision.js';
import type { sendUnaryData, ServerUnaryCall, ServiceError } from './grpc.js';
import { streamDeleted, wrongExpectedVersion } from './service-error.js';
import { refused, type StandInParts } from './stand-in-parts.js';
import { streamName } from './stream-name.js';

/** Hides what a stream holds; it can be written again. */
export async function softDelete(
  parts: StandInParts,
  call: ServerUnaryCall<DeleteReq, DeleteResp>,
  answer: sendUnaryData<DeleteResp>,
): Promise<void> {
  const place = await close(parts, call, call.request.getOptions(), 'soft');
  if (place === undefined) return;
  if (typeof place !== 'string') return answer(place);
  const position = new streams.DeleteResp.Position().setCommitPosition(place).setPreparePosition(place);
  answer(null, new streams.DeleteResp().setPosition(position));
}

/** Closes a stream for ever. */
export async function tombstone(
  parts: StandInParts,
  call: ServerUnaryCall<TombstoneReq, TombstoneResp>,
  answer: sendUnaryData<TombstoneResp>,
): Promise<void> {
  const place = await close(parts, call, call.request.getOptions(), 'tombstone');
  if (place === undefined) return;
  if (typeof place !== 'string') return answer(place);
  const position = new streams.TombstoneResp.Position().setCommitPosition(place).setPreparePosition(place);
  answer(null, new streams.TombstoneResp().setPosition(position));
}

/** Where the deletion stands in the log, or why it does not; nothing where no answer is to be given. */
async function close(
  parts: StandInParts,
  { metadata }: Pick<ServerUnaryCall<unknown, unknown>, 'metadata'>,
  options: DeleteReq.Options | TombstoneReq.Options | undefined,
  how: 'soft' | 'tombstone',
): Promise<string | ServiceError | undefined> {
  const error = refused(parts, metadata);
  if (parts.misbehaviour.silent || options === undefined) return undefined;
  if (error) return error;
  const stream = streamName(options.getStreamIdentifier());
  const expected = expectedRevision(options, options.getRevision());
  const outcome = await parts.log.delete(stream, expected, how);
  if (outcome.kind === 'stored') return String(parts.log.places.toWire(outcome.position));
  if (outcome.kind === 'deleted') return streamDeleted(stream);
  return wrongExpectedVersion(stream, asNumber(expected), outcome.actual);
}
