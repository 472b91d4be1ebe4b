import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';

export function streamIdentifier(stream: string): StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8'));
}
