import { describe, expect, it } from '@jest/globals';
import type { LlmCallRequested } from '#lib/call-rules';
import { booking, clerk, help, one, scores } from '../testing/booking.js';
import { conversationWith, type Story } from '../testing/story.js';

/** Plays the same messages with version 3 of the rules of turns, and with version 4. */
function inBoth<Given>(conversation: () => Story, play: (story: Story) => Given): readonly Given[] {
  return [3, 4].map((version) => {
    const story = conversation();
    story.version = version;
    return play(story);
  });
}

const steps = (turn: { readonly executedSteps: readonly { readonly stepId: string }[] }) =>
  turn.executedSteps.map(({ stepId }) => stepId);

describe('turns that version 3 of the rules has decided derive as they did', () => {
  it('F-54: a signal of both phases fires twice in one turn, whatever its behavior', () => {
    const signals = [{ id: 's', phase: 'both', behavior: 'once' }] as const;
    const fired = inBoth(
      () => clerk({ signals }),
      (story) => story.say('x').triggeredSignals.map(({ phase }) => phase),
    );
    expect(fired).toEqual([['pre', 'post'], ['pre']]);
  });

  it('F-35: the position of a directive forgets the data beside it', () => {
    const data = inBoth(
      () => clerk(),
      (story) => {
        story.say('book', scores({ booking: 90 }));
        story.dispatch({ reset: { clearData: true }, dataUpdate: { name: 'Bob' } }).say('x');
        return story.conversation.data;
      },
    );
    expect(data).toEqual([{}, { name: 'Bob' }]);
  });

  it('F-4: an empty text replaces a value', () => {
    const data = inBoth(
      () => clerk(),
      (story) => {
        story.say('I am Ann', { ...scores({ booking: 90 }), extract: { name: 'Ann' } });
        story.say('hm', { extract: { name: '' } });
        return story.conversation.data;
      },
    );
    expect(data).toEqual([{ name: '' }, { name: 'Ann' }]);
  });

  it('F-4: a value that is there already keeps the router away', () => {
    const flow = { ...booking, steps: [{ id: 'both', collect: ['name', 'day'] }] };
    const asked = inBoth(
      () => clerk({ flows: [flow, help] }),
      (story) => {
        story.say('I am Ann', { ...scores({ booking: 90 }), extract: { name: 'Ann' } });
        story.say('Ann needs help', { extract: { name: 'Ann' } });
        return story.asked;
      },
    );
    expect(asked).toEqual([
      ['extract', 'respond'],
      ['extract', 'route', 'respond'],
    ]);
  });

  it('F-19: a directive leads to a step without what that requires', () => {
    const flow = { steps: [{ id: 'a' }, { id: 'b', requires: ['day'] }] };
    const entered = inBoth(
      () => one(flow),
      (story) => steps(story.dispatch({ goTo: { flow: 'only', step: 'b' } }).say('x')),
    );
    expect(entered).toEqual([['b'], ['a']]);
  });

  it('F-37: a step without a flow is applied outside of flows, and leads nowhere', () => {
    const chains = inBoth(
      () => clerk(),
      (story) => {
        const turn = story.dispatch({ goToStep: 'when' }).say('book', scores({ booking: 90 }));
        return [turn.directiveChain.some(({ refused }) => refused !== undefined), story.asked];
      },
    );
    expect(chains).toEqual([
      [false, ['extract', 'respond']],
      [true, ['extract', 'route', 'respond']],
    ]);
  });

  it('F-29: a directive for the model alone leaves an empty one pending, and the router is not asked', () => {
    const asked = inBoth(
      () => clerk(),
      (story) => {
        story.dispatch({ appendPrompt: ['Be brief'] }).say('book', scores({ booking: 90 }));
        return story.asked;
      },
    );
    expect(asked).toEqual([
      ['extract', 'respond'],
      ['extract', 'route', 'respond'],
    ]);
  });

  it('F-16: a flow that follows itself is complete again by the message that completed it', () => {
    const flow = { ...booking, hooks: { onComplete: { goTo: 'booking' } } };
    const ends = inBoth(
      () => clerk({ flows: [flow, help] }),
      (story) => {
        story.say('book', scores({ booking: 90 }));
        return story.run('Ann, Monday', { extract: { name: 'Ann', day: 'Monday' } }).status;
      },
    );
    expect(ends).toEqual(['failed', 'completed']);
  });

  it('F-62: compaction takes recent messages of a short history', () => {
    const long = 'a'.repeat(60);
    const types = inBoth(
      () =>
        conversationWith({
          flows: [{ ...help, reentrant: true }],
          compaction: { maxTokens: 60, preserveRecentCount: 12 },
        }),
      (story) => {
        for (let turn = 1; turn <= 4; turn += 1) story.say(long, { compact: { summary: 'They said a.' } });
        return story.events.some(({ type }) => type === 'HistoryCompacted');
      },
    );
    expect(types).toEqual([true, false]);
  });

  it('F-65: after a question that no model answered, the next question asks the last model alone', () => {
    const down = new Error('down');
    const models = inBoth(
      () => clerk({ backupModels: ['second'] }),
      (story) => {
        story.say('x', { extract: [down, down] });
        return (story.history?.events ?? [])
          .filter(({ type }) => type === 'LlmCallRequested')
          .map(({ data }) => (data as LlmCallRequested['data']).body['model']);
      },
    );
    expect(models).toEqual([
      ['gpt-4o-mini', 'second', 'second', 'second'],
      ['gpt-4o-mini', 'second', 'gpt-4o-mini', 'gpt-4o-mini'],
    ]);
  });
});
