import code from '@eventstore/db-client/generated/code_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Repeat } from './append-rules.js';
import { NO_LEADER } from './cluster-node.js';
import { asNumber, expectedRevision } from './expected-revision.js';
import { Any, Empty, grpc, type ServerDuplexStream } from './grpc.js';
import { fromMessage } from './proposed-message.js';
import type { AppendAnswer } from './stand-in-log.js';
import { serviceError } from './service-error.js';
import { beforeAnswering, refused, type StandInParts } from './stand-in-parts.js';
import { streamName } from './stream-name.js';

type Call = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

const TIMEOUT = { kind: 'timeout' } as const;

/** Many appends on one call. Each ends with a message marked final, and has an answer of its own. */
export function batchAppend(parts: StandInParts, call: Call): void {
  const begun = new Map<string, BatchAppendReq[]>();
  const error = refused(parts, call.metadata);
  if (error) {
    call.emit('error', error);
    return;
  }
  const stuck = parts.misbehaviour.silent;
  call.on('data', (request: BatchAppendReq) => {
    if (stuck) return;
    const id = request.getCorrelationId()?.getString() ?? '';
    const requests = [...(begun.get(id) ?? []), request];
    begun.set(id, requests);
    if (!request.getIsFinal()) return;
    begun.delete(id);
    const notLeader = parts.misbehaviour.silent ? undefined : parts.node.refusal(call.metadata);
    if (notLeader?.code === grpc.status.NOT_FOUND) call.emit('error', notLeader);
    else if (notLeader) call.write(withoutLeader(requests[0] ?? request));
    else
      appendOne(parts, call, requests).catch((failed: Error) => {
        call.emit('error', serviceError(grpc.status.UNKNOWN, failed.message));
      });
  });
  call.on('end', () => call.end());
}

async function appendOne(
  parts: StandInParts,
  call: Call,
  requests: readonly BatchAppendReq[],
): Promise<void> {
  const error = parts.misbehaviour.next() ?? parts.misbehaviour.failAppends;
  if (parts.misbehaviour.silent) return;
  if (error) {
    call.emit('error', error);
    return;
  }
  const [first] = requests;
  const options = first?.getOptions();
  if (first === undefined || options === undefined) return;
  const expected = expectedRevision(options, options.getStreamPosition());
  const events = requests.flatMap((request) => request.getProposedMessagesList()).map(fromMessage);
  const stream = streamName(options.getStreamIdentifier());
  const answered = await parts.misbehaviour.onTrip?.('append', stream);
  const answer = isLate(options) ? TIMEOUT : await parts.log.append(stream, expected, events);
  await beforeAnswering(parts);
  if (call.cancelled || call.destroyed) return;
  const response = new streams.BatchAppendResp()
    .setCorrelationId(first.getCorrelationId())
    .setStreamIdentifier(options.getStreamIdentifier());
  if (answer.kind === 'stored') response.setSuccess(success(parts, answer));
  else response.setError(failure(answer, asNumber(expected), options));
  call.write(response);
  answered?.();
  if (parts.misbehaviour.answersTwice) call.write(response);
}

/** Only this append is refused; the call stays open. */
function withoutLeader(request: BatchAppendReq): BatchAppendResp {
  const error = new status.Status().setCode(code.Code.UNKNOWN).setMessage(NO_LEADER);
  return new streams.BatchAppendResp()
    .setCorrelationId(request.getCorrelationId())
    .setStreamIdentifier(request.getOptions()?.getStreamIdentifier())
    .setError(error);
}

function success({ log }: StandInParts, { revision, position }: Repeat) {
  const success = new streams.BatchAppendResp.Success();
  if (revision === undefined) success.setNoStream(new Empty());
  else success.setCurrentRevision(String(revision));
  if (position === undefined) return success.setNoPosition(new Empty());
  const place = String(log.places.toWire(position));
  return success.setPosition(
    new shared.AllStreamPosition().setCommitPosition(place).setPreparePosition(place),
  );
}

function failure(answer: Exclude<AppendAnswer, Repeat>, expected: number, options: BatchAppendReq.Options) {
  const details = detailsOf(answer, expected, options);
  const any = new Any();
  any.setTypeUrl(`type.googleapis.com/event_store.client.${details.name}`);
  any.setValue(details.message.serializeBinary());
  return new status.Status().setCode(code.Code.FAILED_PRECONDITION).setMessage(details.name).setDetails(any);
}

/** By the clock of the server: one that differs from the client's makes every append late. */
function isLate(options: BatchAppendReq.Options): boolean {
  const deadline = options.getDeadline();
  return deadline !== undefined && deadline.toDate().getTime() < Date.now();
}

function detailsOf(answer: Exclude<AppendAnswer, Repeat>, expected: number, options: BatchAppendReq.Options) {
  if (answer.kind === 'timeout') return { name: 'Timeout', message: new shared.Timeout() };
  if (answer.kind === 'bad-request') {
    return { name: 'BadRequest', message: new shared.BadRequest().setMessage(answer.why) };
  }
  if (answer.kind === 'deleted') {
    const message = new shared.StreamDeleted().setStreamIdentifier(options.getStreamIdentifier());
    return { name: 'StreamDeleted', message };
  }
  if (answer.kind === 'too-large') {
    const message = new shared.MaximumAppendSizeExceeded().setMaxappendsize(answer.largest);
    return { name: 'MaximumAppendSizeExceeded', message };
  }
  const message = new shared.WrongExpectedVersion();
  if (answer.actual !== undefined) {
    message.setCurrentStreamRevision(String(answer.actual));
  } else message.setCurrentNoStream(new shared.Empty());
  if (expected >= 0) message.setExpectedStreamPosition(String(expected));
  else if (options.hasNoStream()) message.setExpectedNoStream(new shared.Empty());
  else if (options.hasAny()) message.setExpectedAny(new shared.Empty());
  else message.setExpectedStreamExists(new shared.Empty());
  return { name: 'WrongExpectedVersion', message };
}
