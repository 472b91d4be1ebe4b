// One refund with the recorded reply of the model: no key, no network.
import { cassette, expectIdentical } from 'redial-engine/testing';
import { oneRefund } from './one-refund.js';

const { redial, close, sessionId, status, currentState, metaJson } = await oneRefund({
  default: cassette('corpus/refund.jsonl', { mode: 'replay' }),
});
expectIdentical(await redial.replaySession({ sessionId }));
process.stdout.write(`The clerk proposed, and the session was ${status}.
The lead accepted: it is ${currentState}, with ${JSON.stringify(metaJson)}.
The replay is identical.
`);
await close();
