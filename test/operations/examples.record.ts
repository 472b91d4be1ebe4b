import { it } from '@jest/globals';
import { operations } from '#lib/engine';
import { RedialServer } from '../support/redial-server.js';
import { callThrough } from './doors.js';
import { type Call, writeExamples } from './examples.js';
import { inputs, prepare, scriptFor, workflows } from './inputs.js';
import { masterKey } from './subjects.js';
import { webhooks } from './parked-deliveries.js';

it('records an example of each operation: its input, and what a server answers', async () => {
  const server = await RedialServer.start({
    script: scriptFor(['http']),
    options: { workflows, webhooks, masterKey },
  });
  await prepare(server, ['http']);
  const calls: Record<string, Call> = {};
  for (const operation of operations) {
    const input = inputs[operation.id]?.('http') ?? {};
    calls[operation.id] = { input, answer: await callThrough('http', server, operation, input) };
  }
  await writeExamples(calls, server.llm.baseUrl);
  await server.stop();
});
