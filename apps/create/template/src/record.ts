// Decides the refund with a model, by the key in OPENAI_API_KEY, and keeps its history for the test and for `npm run regress`.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { cassette } from 'redial-engine/testing';
import { oneRefund } from './one-refund.js';

const apiKeyEnv = 'OPENAI_API_KEY';
if (!process.env[apiKeyEnv]) throw new Error(`Set ${apiKeyEnv}: the model is asked.`);
const baseUrl = process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1';
// The history has the content of this cassette, and the decision.
const { redial, close, sessionId } = await oneRefund({
  default: cassette('dist/asked.jsonl', { mode: 'record', provider: { baseUrl, apiKeyEnv } }),
});
await pipeline(await redial.getSessionHistory({ sessionId }), createWriteStream('corpus/refund.jsonl'));
await close();
