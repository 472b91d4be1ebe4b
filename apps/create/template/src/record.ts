// Decides the refund with the model that OPENAI_API_KEY pays for, and keeps its history for the test and for `npm run regress`.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { oneRefund } from './one-refund.js';

const apiKeyEnv = 'OPENAI_API_KEY';
if (!process.env[apiKeyEnv]) throw new Error(`Set ${apiKeyEnv}: the model is asked.`);
const baseUrl = process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1';
const { redial, close, sessionId } = await oneRefund({ default: { baseUrl, apiKeyEnv } });
await pipeline(await redial.getSessionHistory({ sessionId }), createWriteStream('corpus/refund.jsonl'));
await close();
