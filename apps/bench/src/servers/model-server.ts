// A process of its own: a model that chooses the transition that it gets, at once, over the API of OpenAI.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from './serve-parent.js';

serveParent(async (transitionName) => {
  const called = { name: transitionName, arguments: '{}' };
  const message = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: called }],
  };
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const reply = { id: 'chatcmpl-1', object: 'chat.completion', created: 0, model: 'bench', choices, usage };
  const body = JSON.stringify(reply);
  const events = streamOf(message, usage);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .once('end', () => {
        const isStreamed = Buffer.concat(chunks).includes('"stream":true');
        const type = isStreamed ? 'text/event-stream' : 'application/json';
        response.writeHead(200, { 'Content-Type': type }).end(isStreamed ? events : body);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}/v1`, close };
});

/** A text, then the call. */
function streamOf({ tool_calls: calls }: { readonly tool_calls: readonly object[] }, usage: object): string {
  const called = { tool_calls: calls.map((call, index) => ({ index, ...call })) };
  const chunks = [
    { choices: [{ index: 0, delta: { role: 'assistant', content: 'The chair is broken.' } }] },
    { choices: [{ index: 0, delta: called, finish_reason: 'tool_calls' }] },
    { choices: [], usage },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
}
