import { describe, expect, it } from '@jest/globals';
import { heldBack, httpError } from './scripted-reply.js';
import { ScriptedLlmServer } from './scripted-llm-server.js';
import { text, toolCall } from './completions.js';

const ask = (server: ScriptedLlmServer, path = '/chat/completions') =>
  fetch(`${server.baseUrl}${path}`, { method: 'POST', body: '{"model":"m"}' });

describe('ScriptedLlmServer', () => {
  it('answers in the order of the script and keeps the requests', async () => {
    const server = await ScriptedLlmServer.start([text('one'), httpError(429, 'two')]);
    expect(await (await ask(server)).json()).toMatchObject({ choices: [{ message: { content: 'one' } }] });
    const second = await ask(server);
    expect([second.status, await second.text()]).toEqual([429, 'two']);
    expect(server.requests).toMatchObject([{ body: { model: 'm' }, text: '{"model":"m"}' }, {}]);
    await server.close();
  });

  it('takes a function for a script', async () => {
    const server = await ScriptedLlmServer.start(({ body }, index) =>
      toolCall(JSON.stringify(body), { index }),
    );
    await ask(server);
    const asked = await (await ask(server)).json();
    expect(asked).toMatchObject({
      choices: [
        { message: { tool_calls: [{ function: { name: '{"model":"m"}', arguments: '{"index":1}' } }] } },
      ],
    });
    await server.close();
  });

  it('answers beyond its script with a loud 500, and says so when it is closed', async () => {
    const server = await ScriptedLlmServer.start([text('one')]);
    await ask(server);
    const beyond = await ask(server);
    expect([beyond.status, await beyond.text()]).toEqual([500, expect.stringContaining('request 2 came')]);
    await expect(server.close()).rejects.toThrow('request 2 came, and the script had ended');
  });

  it('says when it is closed that replies were not asked for, that a path was wrong, that its function threw', async () => {
    const unused = await ScriptedLlmServer.start([text('one')]);
    await expect(unused.close()).rejects.toThrow('1 scripted replies were never asked for');
    const misled = await ScriptedLlmServer.start();
    expect((await ask(misled, '/completions')).status).toBe(404);
    await expect(misled.close()).rejects.toThrow('POST /v1/completions was asked for');
    const throwing = await ScriptedLlmServer.start(() => {
      throw new Error('bad script');
    });
    expect((await ask(throwing)).status).toBe(500);
    await expect(throwing.close()).rejects.toThrow('bad script');
  });

  it('holds a reply back until it is released', async () => {
    let resolve = () => {};
    const promise = new Promise<void>((release) => (resolve = release));
    const server = await ScriptedLlmServer.start([heldBack(text('one'), promise)]);
    const order: string[] = [];
    const asked = ask(server).then(() => order.push('answered'));
    await server.received(1);
    order.push('released');
    resolve();
    await asked;
    expect(order).toEqual(['released', 'answered']);
    await server.close();
  });
});
