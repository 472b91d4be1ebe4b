// Decides the refund with the model that OPENAI_API_KEY pays for, and keeps its history for the test and for `npm run regress`.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { oneRefund } from './one-refund.js';

const { redial, close, sessionId } = await oneRefund();
await pipeline(await redial.getSessionHistory({ sessionId }), createWriteStream('corpus/refund.jsonl'));
await close();
