import { describe, expect, it } from '@jest/globals';
import type { SignalInput } from '../agent/agent-definition.js';
import { inspectAgent } from '../agent/inspect-agent.rules.js';
import { clerk, help, scores } from '../testing/booking.js';

const angry: SignalInput = { id: 'angry', phase: 'pre', when: 'they are angry', handler: { goTo: 'help' } };
const withSignals = (...signals: readonly SignalInput[]) => clerk({ signals });
const judged = (found: { readonly [id: string]: boolean }) => ({
  signals: {
    signals: Object.fromEntries(
      Object.entries(found).map(([id, matched]) => [id, { matched, reason: 'so said' }]),
    ),
  },
});
const matchAngry = judged({ angry: true });

describe('signals', () => {
  it('F-54: have unique ids, and handlers that lead somewhere', () => {
    const agent = {
      agentName: 'a',
      model: 'm',
      flows: [help],
      signals: [{ ...angry, handler: { goTo: 'no' } }, angry],
    };
    expect(inspectAgent(agent).errors.map(({ path }) => path)).toEqual([
      '/signals/1/id',
      '/signals/0/handler/goTo',
    ]);
    expect(inspectAgent({ ...agent, signals: [{ id: 'x' }] }).errors).toMatchObject([
      { path: '/signals/0/phase' },
    ]);
  });

  it('F-29, F-55: are judged beside routing; a position discards it', () => {
    const story = withSignals(angry);
    const turn = story.say('Grr', { ...scores({ booking: 90 }), ...matchAngry });
    expect(story.asked).toEqual(['extract', 'signals', 'route', 'respond']);
    expect(turn).toMatchObject({
      triggeredSignals: [{ signalId: 'angry', phase: 'pre', reason: 'so said' }],
      directiveChain: [{ source: 'signal angry' }],
      executedSteps: [{ flowId: 'help' }],
    });
    expect(story.conversation.signals).toMatchObject({
      angry: { count: 1, lastReason: 'so said', lastPhase: 'pre' },
    });
    const calm = withSignals(angry);
    expect(calm.say('Hello', { ...scores({ booking: 90 }), ...judged({ angry: false }) })).toMatchObject({
      triggeredSignals: [],
      executedSteps: [{ flowId: 'booking' }],
    });
  });

  it('F-36: a reply or a halt before the answer ends the turn without the model; prompts are appended', () => {
    const replying = withSignals({
      id: 'stop',
      phase: 'pre',
      if: { fn: 'isNight' },
      handler: { reply: 'We are closed.' },
    });
    expect(replying.say('x', { isNight: true })).toMatchObject({
      message: 'We are closed.',
      stoppedReason: 'reply',
      triggeredSignals: [{ reason: 'code-only' }],
    });
    expect(replying.asked).not.toContain('respond');
    expect(withSignals({ id: 'stop', phase: 'pre', handler: { halt: true } }).say('x')).toMatchObject({
      message: '',
      stoppedReason: 'halt',
      triggeredSignals: [{ reason: 'unconditional' }],
    });
    const story = withSignals({ id: 'tone', phase: 'pre', handler: { appendPrompt: ['Be formal'] } });
    story.say('x');
    expect(story.question('respond')).toContain('- Be formal');
  });

  it('F-55: are judged in batches at the same time; a batch that fails matches nothing', () => {
    const ids = ['a', 'b', 'c'];
    const signals = ids.map((id): SignalInput => ({ id, phase: 'pre', when: id }));
    const story = clerk({ signals, signalBatchSize: 2 });
    const all = judged({ a: true, b: true, c: true }).signals;
    expect(
      story.say('x', { signals: [all, 'nothing'] }).triggeredSignals.map(({ signalId }) => signalId),
    ).toEqual(['a', 'b']);
    expect(story.asked.filter((purpose) => purpose === 'signals')).toHaveLength(2);
    const calls =
      story.history?.events.map(({ type }) => type).filter((type) => type.startsWith('LlmCall')) ?? [];
    // The requests of both batches and of the router are recorded before the first answer.
    expect(calls.slice(2, 6)).toEqual([...Array(3).fill('LlmCallRequested'), 'LlmCallCompleted']);
  });

  it('F-54, F-57: fire by priority, and one may stop the others', () => {
    const low: SignalInput = { id: 'low', phase: 'pre', handler: { contextUpdate: { by: 'low' } } };
    const high: SignalInput = {
      id: 'high',
      phase: 'pre',
      priority: 1,
      handler: { contextUpdate: { by: 'high' }, stopOtherSignals: true },
    };
    expect(withSignals(low, high).say('x')).toMatchObject({
      triggeredSignals: [{ signalId: 'high' }],
      contextUpdate: { by: 'high' },
    });
  });

  it('F-54, F-56: `once` and a cooldown hold back; a handler that fails does not consume them', () => {
    const fire = (signal: Partial<SignalInput>) => {
      const story = withSignals({ id: 's', phase: 'pre', handler: { fn: 'act' }, ...signal });
      const answers = [new Error('broken'), {}, {}, {}];
      return answers.map((act) => story.say('x', { act }).triggeredSignals.length).join('');
    };
    expect(fire({ behavior: 'once' })).toBe('1100');
    expect(fire({ behavior: 'always' })).toBe('1111');
    // Turns of a story are two minutes apart.
    expect(fire({ behavior: 'cooldown', cooldownMs: 3 * 60_000 })).toBe('1101');
    expect(fire({ enabled: false })).toBe('0000');
  });

  it('F-54: `once` and a cooldown hold back in one turn, too, where both phases look for the signal; a failed handler has not fired', () => {
    const phases = (signal: Partial<SignalInput>, act: readonly (object | Error)[] = [{}, {}]) =>
      withSignals({ id: 's', phase: 'both', handler: { fn: 'act' }, ...signal })
        .say('x', { act } as never)
        .triggeredSignals.map(({ phase }) => phase);
    expect(phases({ behavior: 'once' })).toEqual(['pre']);
    expect(phases({ behavior: 'once' }, [new Error('broken'), {}])).toEqual(['pre', 'post']);
    expect(phases({ behavior: 'cooldown', cooldownMs: 1 })).toEqual(['pre']);
    expect(phases({ behavior: 'cooldown' })).toEqual(['pre', 'post']);
    expect(phases({ behavior: 'always' })).toEqual(['pre', 'post']);
    const once = withSignals({ id: 's', phase: 'both', behavior: 'once' });
    once.say('x');
    expect(once.conversation.signals).toMatchObject({ s: { count: 1, lastPhase: 'pre' } });
  });

  it('F-56: a handler receives the signal and the turn, and its answer is checked', () => {
    const story = withSignals({ id: 's', phase: 'pre', handler: { fn: 'act' } });
    expect(story.say('x', { act: { replyWith: 'Hi!' } })).toMatchObject({ message: 'Hi!' });
    const request = story.history?.events.find(({ type }) => type === 'FunctionCallRequested');
    expect(request?.data).toMatchObject({
      fnName: 'act',
      input: { signal: 's', phase: 'pre', lastUserMessage: 'x' },
    });
    expect(story.say('x', { act: { goTo: 5 } }).triggeredSignals).toMatchObject([
      { handlerError: expect.any(String) },
    ]);
  });

  it('F-55: takes what its schema wants, and drops what does not fit', () => {
    const extract = { type: 'object', properties: { phone: { type: 'string' } }, required: ['phone'] };
    const story = withSignals({ id: 's', phase: 'pre', extract });
    const answer = (extracted: object) => ({
      signals: { signals: { s: { matched: true, reason: 'r', extracted } } },
    });
    expect(story.say('x', answer({ phone: '1' }) as never).triggeredSignals).toMatchObject([
      { extracted: { phone: '1' } },
    ]);
    expect(story.say('x', answer({ phone: 1 }) as never).triggeredSignals[0]).not.toHaveProperty('extracted');
    const byCode = withSignals({ id: 's', phase: 'pre', if: { fn: 'yes' }, extract });
    const said = { signals: { signals: { s: { matched: false, reason: 'r', extracted: { phone: '1' } } } } };
    expect(byCode.say('x', { yes: true, ...said }).triggeredSignals).toEqual([
      { signalId: 's', phase: 'pre', reason: 'code-only', extracted: { phone: '1' } },
    ]);
    expect(byCode.say('x', { yes: true, signals: new Error('down') }).triggeredSignals).toMatchObject([
      { reason: 'code-only' },
    ]);
  });

  it('F-29, F-57: after the answer a reply is the message, and a position is for the next turn', () => {
    const thanked: SignalInput = {
      id: 'thanked',
      phase: 'post',
      when: 'they say thanks',
      handler: { goTo: 'help', replyWith: 'You are welcome.', appendPrompt: ['dropped'] },
    };
    const story = withSignals(thanked);
    const turn = story.say('Thanks', { ...scores({ booking: 90 }), ...judged({ thanked: true }) });
    expect(turn).toMatchObject({ message: 'You are welcome.', pendingDirective: { goTo: 'help' } });
    expect(story.question('signals')).toContain('"role":"assistant"');
    expect(story.say('x', judged({ thanked: false })).executedSteps).toMatchObject([{ flowId: 'help' }]);
  });
});
