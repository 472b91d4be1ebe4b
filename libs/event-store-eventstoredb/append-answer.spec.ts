import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, it } from '@jest/globals';
import { appendAnswer } from './append-answer.js';

/** Fields 2 and 3 of `google.rpc.Status`, and field 1 of `google.protobuf.Any` in it, on the wire. */
function refusal(message: string, detailsType: string) {
  const typeUrl = Buffer.from(`type.googleapis.com/${detailsType}`);
  const any = Buffer.concat([Buffer.of(0x0a, typeUrl.length), typeUrl]);
  const text = Buffer.from(message);
  const bytes = Buffer.concat([Buffer.of(0x12, text.length), text, Buffer.of(0x1a, any.length), any]);
  return new streams.BatchAppendResp().setError(status.Status.deserializeBinary(bytes));
}

describe('appendAnswer', () => {
  it.each(['BadRequest', 'MaximumAppendEventSizeExceeded', 'InvalidTransaction', 'Unknown', 'AccessDenied'])(
    'X-E6: takes %s as final',
    (name) => {
      const answer = appendAnswer(refusal('No.', `event_store.client.${name}`));
      expect(answer).toMatchObject({ kind: 'refused', failure: { details: 'No.' } });
    },
  );

  it.each(['event_store.client.Timeout', 'google.protobuf.Empty'])('leaves %s undecided', (type) => {
    expect(appendAnswer(refusal('Not now.', type))).toMatchObject({ kind: 'undecided' });
  });

  it('X-E7: does not make up a place where the server gives none', () => {
    const success = new streams.BatchAppendResp.Success().setCurrentRevision('4');
    const answer = appendAnswer(new streams.BatchAppendResp().setSuccess(success));
    expect(answer).toEqual({ kind: 'stored', revision: 4, sequence: undefined });
  });
});
