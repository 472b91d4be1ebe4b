import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams, { type ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadStreamOptions } from '#lib/event-store';
import { streamIdentifier } from './stream-identifier.js';

/** A position in the server's log, in the wire format. */
export interface WirePosition {
  readonly commit: string;
  readonly prepare: string;
}

/** The number of events that the server scans before it gives a checkpoint, or the next part of a read. */
const SEARCH_WINDOW = 1024;
/** Revisions and positions are signed 64-bit numbers in the server. */
const LARGEST = 2n ** 63n - 1n;
const { ReadDirection } = streams.ReadReq.Options;

/** A read of a stream, inclusive in both directions, as in our port. */
export function streamRequest(stream: string, { from, direction, limit }: ReadStreamOptions): ReadReq {
  const start = new streams.ReadReq.Options.StreamOptions().setStreamIdentifier(streamIdentifier(stream));
  if (from !== undefined) start.setRevision(String(from));
  else if (direction === 'backwards') start.setEnd(new shared.Empty());
  else start.setStart(new shared.Empty());
  const options = readOptions(direction, limit ?? Number.MAX_SAFE_INTEGER)
    .setStream(start)
    .setNoFilter(new shared.Empty());
  return new streams.ReadReq().setOptions(options);
}

/** A read of the log from a position, inclusive forwards and exclusive backwards; by default from that end of the log. It has no limit. */
export function logRequest(
  prefix: string,
  from: bigint | undefined,
  direction: 'forwards' | 'backwards',
): ReadReq {
  const all = new streams.ReadReq.Options.AllOptions();
  if (from !== undefined) all.setPosition(position(wirePosition(from)));
  else if (direction === 'backwards') all.setEnd(new shared.Empty());
  else all.setStart(new shared.Empty());
  const options = readOptions(direction, Number.MAX_SAFE_INTEGER).setAll(all).setFilter(streamFilter(prefix));
  return new streams.ReadReq().setOptions(options);
}

/** A read of the event at a position of the log, of any stream. */
export function eventAtRequest(sequence: bigint): ReadReq {
  const all = new streams.ReadReq.Options.AllOptions().setPosition(position(wirePosition(sequence)));
  return new streams.ReadReq().setOptions(
    readOptions('forwards', 1).setAll(all).setNoFilter(new shared.Empty()),
  );
}

/** A read of the last event of the log, of any stream. */
export function lastEventRequest(): ReadReq {
  const all = new streams.ReadReq.Options.AllOptions().setEnd(new shared.Empty());
  return new streams.ReadReq().setOptions(
    readOptions('backwards', 1).setAll(all).setNoFilter(new shared.Empty()),
  );
}

/** A subscription to the events after a position of the log, then live. */
export function subscriptionRequest(prefix: string, after: WirePosition): ReadReq {
  const all = new streams.ReadReq.Options.AllOptions();
  all.setPosition(position(after));
  const options = new streams.ReadReq.Options()
    .setAll(all)
    .setSubscription(new streams.ReadReq.Options.SubscriptionOptions())
    .setFilter(streamFilter(prefix))
    .setUuidOption(uuidsAsText());
  return new streams.ReadReq().setOptions(options);
}

/** The wire position of an event whose commit and prepare positions are the same. Numbers above the server's largest are cut to it. */
export function wirePosition(sequence: bigint): WirePosition {
  const text = String(sequence > LARGEST ? LARGEST : sequence);
  return { commit: text, prepare: text };
}

function readOptions(direction: ReadStreamOptions['direction'], limit: number): ReadReq.Options {
  return new streams.ReadReq.Options()
    .setReadDirection(direction === 'backwards' ? ReadDirection.BACKWARDS : ReadDirection.FORWARDS)
    .setCount(String(limit))
    .setUuidOption(uuidsAsText());
}

/**
 * A filter for the streams of this log, without the server's own and those of blobs: `isBlobStream` as an expression that .NET and JavaScript read
 * alike. The server leaves those out, so that blobs do not come over the wire with the log.
 */
function streamFilter(prefix: string): ReadReq.Options.FilterOptions {
  const expression = new streams.ReadReq.Options.FilterOptions.Expression();
  expression.setRegex(`^(?!\\$|[^-]*blob-)${escapeRegex(prefix)}`);
  return new streams.ReadReq.Options.FilterOptions()
    .setStreamIdentifier(expression)
    .setMax(SEARCH_WINDOW)
    .setCheckpointintervalmultiplier(1);
}

function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function position({ commit, prepare }: WirePosition): ReadReq.Options.Position {
  return new streams.ReadReq.Options.Position().setCommitPosition(commit).setPreparePosition(prepare);
}

function uuidsAsText(): ReadReq.Options.UUIDOption {
  return new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty());
}
