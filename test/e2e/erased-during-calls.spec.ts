import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import { clerk } from '../support/clerk.js';
import { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';

it('messages whose turn is at a call are answered once their subject is erased, also if the call never ends', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };
  const script = () => held.then(() => text({ message: 'Too late.' }));
  const server = await RedialServer.start({ environment, script });
  try {
    await server.post('/v1/agents', clerk);
    const subject = 'customer-42';
    const { body } = await server.post('/v1/conversations', { agentName: 'clerk', subject });
    const path = `/v1/conversations/${(body as { conversationId: string }).conversationId}`;
    const said = (message: string) => server.post(`${path}/messages`, { text: message });
    const first = said('Hello');
    await untilEvent(server.log, ({ type }) => type === 'LlmCallRequested');
    const second = said('And?');
    expect((await server.post(`/v1/subjects/${subject}/erase`)).status).toBe(200);
    const answers = await Promise.all([first, second]);
    expect(answers.map((answer) => answer.body as object)).toMatchObject([
      { status: 502, code: 'turn-failed', kind: 'erased' },
      { status: 409, code: 'erased' },
    ]);
    const { body: turns } = await server.get(`${path}/turns`);
    expect(turns).toMatchObject({ items: [{ status: 'failed', failure: { kind: 'erased' } }] });
    expect((await server.post(`${path}/replay`)).body).toMatchObject({ identical: true, erased: 2 });
  } finally {
    release();
    await server.stop();
  }
});
