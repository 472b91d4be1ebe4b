import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { AppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams, { type AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision } from '#lib/event-store';
import type { Repeat } from './append-rules.js';
import { expectedRevision } from './expected-revision.js';
import type { sendUnaryData, ServerReadableStream } from './grpc.js';
import type { ProposedEvent } from './proposed-event.js';
import { fromMessage } from './proposed-message.js';
import { appendTooLarge, badRequest, streamDeleted, timedOut } from './service-error.js';
import { beforeAnswering, refused, type StandInParts } from './stand-in-parts.js';
import { streamName } from './stream-name.js';

type Answer = sendUnaryData<AppendResp>;

/** One append on a call of its own: first its options, then its events. */
export function append(
  parts: StandInParts,
  call: ServerReadableStream<AppendReq, AppendResp>,
  answer: Answer,
): void {
  let options: AppendReq.Options | undefined;
  const events: ProposedEvent[] = [];
  call.on('data', (request: AppendReq) => {
    options ??= request.getOptions();
    const message = request.getProposedMessage();
    if (message) events.push(fromMessage(message));
  });
  call.on('end', () => {
    const { failAppends } = parts.misbehaviour;
    const error = refused(parts, call.metadata) ?? parts.node.refusal(call.metadata) ?? failAppends;
    if (parts.misbehaviour.silent || options === undefined) return;
    if (error) answer(error);
    else void store(parts, options, events, answer);
  });
}

async function store(
  parts: StandInParts,
  options: AppendReq.Options,
  events: readonly ProposedEvent[],
  answer: Answer,
): Promise<void> {
  const stream = streamName(options.getStreamIdentifier());
  const expected = expectedRevision(options, options.getRevision());
  const outcome = await parts.log.append(stream, expected, events);
  await beforeAnswering(parts);
  if (outcome.kind === 'deleted') answer(streamDeleted(stream));
  else if (outcome.kind === 'too-large') answer(appendTooLarge(outcome.largest));
  else if (outcome.kind === 'bad-request') answer(badRequest(outcome.why));
  else if (outcome.kind === 'timeout') answer(timedOut());
  else if (outcome.kind === 'wrong-version') answer(null, conflict(expected, outcome.actual));
  else answer(null, new streams.AppendResp().setSuccess(success(parts, outcome)));
}

function success({ log }: StandInParts, { revision, position }: Repeat): AppendResp.Success {
  const success = new streams.AppendResp.Success();
  if (revision === undefined) success.setNoStream(new shared.Empty());
  else success.setCurrentRevision(String(revision));
  if (position === undefined) return success.setNoPosition(new shared.Empty());
  const place = String(log.places.toWire(position));
  return success.setPosition(
    new streams.AppendResp.Position().setCommitPosition(place).setPreparePosition(place),
  );
}

function conflict(expected: ExpectedRevision, actual: number | undefined): AppendResp {
  const conflict = new streams.AppendResp.WrongExpectedVersion();
  if (actual === undefined) conflict.setCurrentNoStream(new shared.Empty());
  else conflict.setCurrentRevision(String(actual));
  if (typeof expected === 'number') conflict.setExpectedRevision(String(expected));
  else if (expected === 'no-stream') conflict.setExpectedNoStream(new shared.Empty());
  else if (expected === 'any') conflict.setExpectedAny(new shared.Empty());
  else conflict.setExpectedStreamExists(new shared.Empty());
  return new streams.AppendResp().setWrongExpectedVersion(conflict);
}
