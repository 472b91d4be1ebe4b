import { once } from 'node:events';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { grpc, type ServerWritableStream, type ServiceError } from './grpc.js';
import { eventsToRead } from './events-to-read.js';
import { serviceError } from './service-error.js';
import { refused, type StandInParts } from './stand-in-parts.js';
import { streamName } from './stream-name.js';
import { subscriptionMessages } from './subscription-messages.js';
import { refusalOfAll } from './users.js';

type Call = ServerWritableStream<ReadReq, ReadResp>;

/** Reads and subscriptions, of one stream or of the whole log. Goes at the pace of who reads. */
export async function read(parts: StandInParts, call: Call): Promise<void> {
  const options = call.request.getOptions();
  const error =
    refused(parts, call.metadata) ??
    (options?.hasAll() === true ? refusalOfAll(parts.users, call.metadata) : undefined) ??
    parts.node.refusal(call.metadata);
  if (parts.misbehaviour.silent || options === undefined) return;
  if (error) {
    call.emit('error', error);
    return;
  }
  const gone = new AbortController();
  call.on('cancelled', () => gone.abort());
  call.on('close', () => gone.abort());
  const { log, node } = parts;
  const shown = node.follows ? log.replicated : log.shown;
  const name = options.getStream()?.getStreamIdentifier();
  const answered = options.hasSubscription()
    ? undefined
    : await parts.misbehaviour.onTrip?.('read', name && streamName(name));
  const messages = options.hasSubscription()
    ? subscriptionMessages(log, shown, options, gone.signal)
    : eventsToRead(log, shown, options, gone.signal);
  try {
    for await (const message of messages) {
      if (message.hasEvent()) await parts.misbehaviour.beforeEachEvent?.();
      await parts.misbehaviour.untilHeard(gone.signal);
      if (gone.signal.aborted) return;
      if (!call.write(message)) await once(call, 'drain', { signal: gone.signal });
    }
    call.end();
    answered?.();
  } catch (caught) {
    if (!gone.signal.aborted) call.emit('error', asServiceError(caught));
  }
}

function asServiceError(caught: unknown): ServiceError {
  const error = caught as ServiceError;
  return typeof error.code === 'number' ? error : serviceError(grpc.status.UNKNOWN, error.message);
}
