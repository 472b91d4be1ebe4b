import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { GRPC, isGrpcFailure } from './grpc-failure.js';
import type { Reading } from './node-connection.js';
import { subscriptionRequest, wirePosition } from './read-request.js';

/**
 * Whether there is no event at a position of the server's log. A read from there fails with an error without details; a subscription is refused as an
 * invalid argument.
 */
export async function isNoPlace(reading: Reading, prefix: string, sequence: bigint): Promise<boolean> {
  const request = subscriptionRequest(prefix, wirePosition(sequence));
  try {
    await reading.read(request, (call) => {
      return new Promise<void>((resolve, reject) => {
        call.on('data', (response: ReadResp) => {
          // The server confirms before it looks for the position.
          if (!response.hasConfirmation()) call.cancel();
        });
        call.on('end', resolve);
        call.on('error', reject);
      });
    });
    return false;
  } catch (error) {
    return isInvalidPlace(error);
  }
}

/** Whether a subscription ended because there is no event at its start. */
export function isInvalidPlace(error: unknown): boolean {
  return isGrpcFailure(error) && error.code === GRPC.invalidArgument;
}
