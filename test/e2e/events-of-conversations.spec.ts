import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import type { RecordedEvent } from '#lib/kernel';
import { RedialServer } from '../support/redial-server.js';
import { type SentEvent, sentEvents } from '../support/sent-events.js';

describe('the events of a conversation', () => {
  let server: RedialServer;
  let id: string;
  beforeEach(async () => {
    server = await RedialServer.start({ script: () => text({ message: 'Good day.' }) });
    await server.post('/v1/agents', {
      agentName: 'greeter',
      model: 'gpt-4o-mini',
      schema: { type: 'object' },
      flows: [{ id: 'talk', title: 'Talk', steps: [{ prompt: 'Talk' }] }],
    });
    const { body } = await server.post('/v1/conversations', { agentName: 'greeter' });
    id = (body as { conversationId: string }).conversationId;
    for (const said of ['Hello', 'And now?'])
      await server.post(`/v1/conversations/${id}/messages`, { text: said });
  });
  afterEach(() => server.stop());

  /** All pages of this size. */
  async function listed(limit: number): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await server.get(`/v1/conversations/${id}/events?limit=${limit}${after}`);
      events.push(...body.items);
      cursor = body.nextCursor as string | null;
    }
    return events;
  }

  it('0.2-V13: are those of the conversation and of its turns, once and in log order, in pages of any size', async () => {
    const whole = await listed(500);
    const positions = whole.map(({ position }) => position);
    expect(positions).toEqual([...new Set(positions)].toSorted());
    expect(whole.filter(({ type }) => type === 'LlmCallCompleted').length).toBeGreaterThan(1);
    const { body: turns } = await server.get(`/v1/conversations/${id}/turns`);
    const runs = await Promise.all(
      turns.items.map(async ({ turnId }: { turnId: string }) => {
        const { body } = await server.get(`/v1/runs/${turnId}/events?limit=500`);
        return body.items as readonly RecordedEvent[];
      }),
    );
    const ofTurns = whole.filter(({ stream }) => stream.includes('turn-'));
    expect(ofTurns).toEqual(runs.flat());
    const own = whole.filter(({ stream }) => stream.includes('conversation-')).map(({ type }) => type);
    expect(own).toEqual(['ConversationStarted', 'TurnRequested', 'TurnTaken', 'TurnRequested', 'TurnTaken']);
    for (const limit of [1, 3, 7]) expect(await listed(limit)).toEqual(whole);
  });

  it('0.2-V13: are sent as an event stream in the same order, from the event that was sent last, then live', async () => {
    const whole = await listed(500);
    const leaving = new AbortController();
    const from = whole[4]?.position ?? '';
    const response = await fetch(`${server.url}/v1/conversations/${id}/events/stream`, {
      headers: { 'Last-Event-ID': from },
      signal: leaving.signal,
    });
    const events = sentEvents(response);
    const seen: string[] = [];
    const until = async (count: number) => {
      for (let done = 0; done < count;) {
        const { id: position, event } = (await events.next()).value as SentEvent;
        if (position !== '') seen.push(position);
        if (event === 'done') done += 1;
      }
    };
    await until(2);
    expect(seen).toEqual(whole.slice(5).map(({ position }) => position));
    await server.post(`/v1/conversations/${id}/messages`, { text: 'Bye' });
    await until(1);
    leaving.abort();
    expect(seen).toEqual((await listed(500)).slice(5).map(({ position }) => position));
  });
});
