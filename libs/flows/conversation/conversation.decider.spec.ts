import { describe, expect, it } from '@jest/globals';
import { isRejection } from '#lib/kernel';
import type { RunEnd } from '#lib/workflow';
import { conversationWith, expectRebuilt } from '../testing/story.js';
import { conversationDecider } from './conversation.decider.js';

const flows = [{ title: 'Greet', steps: [{ id: 'hello', prompt: 'Greet them.' }] }];
const schema = { type: 'object', properties: { name: { type: 'string' }, size: { type: 'number' } } };

function open() {
  const { started } = conversationWith({ flows, schema }).conversation;
  const { conversationId, agent } = started;
  return { conversationId, state: { agent, started, openTurn: 'turn-1' } };
}

describe('the start of a conversation under a key', () => {
  const { state } = open();
  const { started } = state;
  const keyed = { ...started, key: 'case 7', tags: { a: '1' } };
  const start = (over: object = {}) => {
    const { data: _, ...asked } = keyed;
    const data = { ...asked, initialData: keyed.data, askedVersion: undefined, ...over };
    return conversationDecider.decide({ type: 'StartConversation', data }, { ...state, started: keyed });
  };

  it('starts nothing where the key has the same body', () => {
    expect(start()).toEqual([]);
    expect(start({ agentVersion: 9 })).toEqual([]);
  });

  it.each([
    ['other data', { initialData: { name: 'Bob' } }],
    ['other tags', { tags: { a: '2' } }],
    ['a version that it names', { askedVersion: 9 }],
  ])('is refused where the key has another body: %s', (_, over) => {
    expect(start(over)).toMatchObject({
      code: 'key-taken',
      existing: { conversationId: started.conversationId },
    });
  });
});

describe('a command of a conversation that is rebuilt from its events', () => {
  it.each<[string, RunEnd]>([
    ['an operator gave up', { status: 'failed', failure: { kind: 'given-up', message: 'By an operator.' } }],
    ['was cancelled', { status: 'cancelled' }],
    [
      'was cancelled during a call',
      { status: 'cancelled', failure: { kind: 'aborted', message: 'Aborted.' }, result: { llmCalls: ['a'] } },
    ],
    ['failed before it asked a model', { status: 'failed', failure: { kind: 'no-key', message: 'No key.' } }],
    [
      'failed after it asked a model',
      { status: 'failed', failure: { kind: 'http', message: 'Down.' }, result: { llmCalls: ['a'] } },
    ],
  ])('is the same where the turn %s', (_, result) => {
    const { conversationId, state } = open();
    const command = { type: 'CloseTurn', data: { conversationId, turnId: 'turn-1', result } } as const;
    const events = conversationDecider.decide(command, state);
    if (isRejection(events)) throw new Error(events.message);
    expect(events).toMatchObject([{ type: 'TurnFailed', data: { turnId: 'turn-1' } }]);
    expectRebuilt(command, events);
  });

  it('is the same when the event leaves members of a directive out, and when it adds initial data', () => {
    const story = conversationWith({ flows, schema, initialData: { size: 1 } }, { name: 'Ann' });
    expect(story.dispatch({ reply: 'Wait.', halt: true, appendPrompt: ['Be short.'] }).events).toMatchObject([
      { data: { data: { size: 1, name: 'Ann' } } },
      { data: { directive: { reply: 'Wait.' } } },
    ]);
  });
});
