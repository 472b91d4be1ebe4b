import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import type { FlowInput } from '../agent/agent-definition.js';
import { clerk, help, one, schema, scores } from '../testing/booking.js';
import { conversationWith } from '../testing/story.js';

const inputs = (story: ReturnType<typeof one>, fnName: string): readonly JsonObject[] =>
  (story.history?.events ?? []).flatMap(({ type, data }) =>
    type === 'FunctionCallRequested' && (data as { fnName?: string }).fnName === fnName
      ? [(data as { input: JsonObject }).input]
      : [],
  );

describe('hooks', () => {
  const flow = (id: string, more: Partial<FlowInput> = {}): FlowInput => ({
    id,
    title: id,
    hooks: { onEnter: { fn: `enter-${id}` }, onExit: { fn: `exit-${id}` } },
    steps: [
      {
        id: `${id}-1`,
        collect: ['name'],
        hooks: {
          onEnter: { fn: 'enter-step' },
          prepare: { fn: 'prepare' },
          finalize: { fn: 'finalize' },
          onExit: { fn: 'exit-step' },
        },
      },
      { id: `${id}-2`, collect: ['day'] },
    ],
    ...more,
  });
  const silent = Object.fromEntries(
    ['enter-a', 'exit-a', 'enter-b', 'exit-b', 'enter-step', 'prepare', 'finalize', 'exit-step'].map(
      (name) => [name, null],
    ),
  );

  it('F-12, F-20, F-21: run in the order onEnter of flow and step, prepare, the answer, finalize; onEnter once, prepare each time', () => {
    const story = conversationWith({ schema, flows: [flow('a'), flow('b')] });
    story.say('x', { ...silent, ...scores({ a: 90 }) });
    expect(story.asked).toEqual([
      'extract',
      'route',
      'enter-a',
      'enter-step',
      'prepare',
      'respond',
      'finalize',
    ]);
    story.say('x', { ...silent, ...scores({ a: 90 }) });
    expect(story.asked).toEqual(['extract', 'route', 'prepare', 'respond', 'finalize']);
  });

  it('F-12: onExit of step and flow receives the reason, before the next onEnter', () => {
    const story = conversationWith({ schema, flows: [flow('a'), flow('b')] });
    story.say('x', { ...silent, ...scores({ a: 90 }) });
    story.say('x', { ...silent, ...scores({ a: 0, b: 90 }) });
    expect(story.asked).toEqual([
      'extract',
      'route',
      'exit-step',
      'exit-a',
      'enter-b',
      'enter-step',
      'prepare',
      'respond',
      'finalize',
    ]);
    expect(inputs(story, 'exit-a')).toMatchObject([{ reason: 'goto_flow' }]);
    story.dispatch({ abort: 'enough' }).say('x', silent);
    expect(story.asked).toEqual(['extract', 'exit-step', 'exit-b']);
    expect(inputs(story, 'exit-step')).toMatchObject([{ reason: 'aborted' }]);
  });

  it('0.2-V14: a tool that says it failed, as a hook, fails with its own error', () => {
    const story = one({ steps: [{ id: 'a', prepare: 'look' }] });
    const end = story.run('x', {
      ...scores({ only: 90 }),
      look: { tool: { success: false, error: 'no line' } },
    });
    expect(end.failure).toEqual({ kind: 'tool', message: 'prepare of a: no line' });
  });

  it('F-12: a flow that is reached after the answer is entered in the next turn', () => {
    const story = conversationWith({ schema, flows: [flow('a'), flow('b')] });
    story.say('x', { ...silent, ...scores({ a: 90 }), finalize: { goTo: 'b' } });
    expect(story.asked).not.toContain('enter-b');
    expect(story.conversation.position).toEqual({ flowId: 'b', stepId: 'b-1', toEnter: 'flow' });
    story.say('x', { ...silent, ...scores({ b: 90 }) });
    expect(story.asked).toContain('enter-b');
  });

  it('F-12, F-34: onEnter may lead elsewhere before the model; when it fails the turn fails', () => {
    const story = () => conversationWith({ schema, flows: [flow('a'), flow('b')] });
    const turn = story().say('x', { ...silent, ...scores({ a: 90 }), 'enter-a': { goTo: 'b' } });
    expect(turn).toMatchObject({
      executedSteps: [{ flowId: 'b' }],
      directiveChain: [{ source: 'onEnter of a' }],
    });
    expect(
      story().run('x', { ...silent, ...scores({ a: 90 }), 'enter-a': new Error('broken') }),
    ).toMatchObject({ failure: { kind: 'tool', message: 'onEnter of a: broken' } });
  });

  it('F-12, F-13: the hook onComplete leads on as the flow in its place would; one of both stands', () => {
    const done = { id: 'a', title: 'A', steps: [{ id: 's' }], hooks: { onComplete: { fn: 'next' } } };
    const story = conversationWith({ schema, flows: [done, help] });
    expect(story.say('x', { ...scores({ a: 90 }), next: { goTo: 'help', reply: 'Done.' } })).toMatchObject({
      message: 'Done.',
      position: { flowId: 'help' },
      directiveChain: [{ source: 'onComplete of a' }],
    });
    const aborted = { stoppedReason: 'aborted', status: 'aborted' };
    expect(conversationWith({ schema, flows: [done] }).say('x', { next: { abort: 'enough' } })).toMatchObject(
      {
        message: 'ok',
        ...aborted,
      },
    );
    const flows = [{ ...done, steps: [{ id: 's', auto: true }] }];
    const early = conversationWith({ schema, flows });
    expect(early.say('x', { next: { abort: 'enough' } })).toMatchObject({ message: '', ...aborted });
    expect(early.asked).not.toContain('respond');
    expect(() => conversationWith({ flows: [{ ...done, onComplete: 'help' }, help] })).toThrow(
      '/flows/0/onComplete',
    );
  });

  it('F-12, F-14: onComplete counts alike when a directive completes the flow, before and after the answer', () => {
    const flow = { id: 'a', title: 'A', steps: [{ id: 's', collect: ['name'] }] };
    const completed = (given: object, step: object = {}) => {
      const hooks = { onComplete: { fn: 'next' } };
      const flows = [{ ...flow, hooks, steps: [{ ...flow.steps[0], ...step }] }];
      return conversationWith({ schema, flows }).say('x', {
        next: given as never,
        ...scores({ a: 90 }),
      });
    };
    for (const step of [{ prepare: { complete: true } }, { finalize: { complete: true } }]) {
      expect(completed({ reply: 'Done.' }, step)).toMatchObject({ message: 'Done.', status: 'completed' });
      expect(completed({ abort: 'enough' }, step)).toMatchObject({
        stoppedReason: 'aborted',
        status: 'aborted',
      });
      expect(completed({ dataUpdate: { count: 'x' } }, step)).toMatchObject({
        stoppedReason: 'validation_error',
        dataChanges: {},
      });
    }
  });

  it('F-8, F-12: onDataUpdate of flow and agent change data before they are taken; when one fails none are', () => {
    const flows = [{ ...flow('a'), hooks: { onDataUpdate: { fn: 'enrich' } } }];
    const story = () => conversationWith({ schema, hooks: { onDataUpdate: { fn: 'clean' } }, flows });
    const say = (enrich: JsonObject | Error) => {
      const told = story();
      told.say('x', { ...silent, ...scores({ a: 90 }) });
      const turn = told.say('x', { ...silent, extract: { name: 'ann' }, enrich, clean: { name: 'Ann' } });
      return { turn, told };
    };
    const { turn, told } = say({ day: 'Friday' });
    expect(turn.dataChanges).toEqual({ name: { to: 'Ann' }, day: { to: 'Friday' } });
    expect(inputs(told, 'clean')).toMatchObject([
      { data: { name: 'ann', day: 'Friday' }, previousData: {}, update: { name: 'ann', day: 'Friday' } },
    ]);
    for (const bad of [new Error('broken'), { count: 0 }])
      expect(say(bad).turn).toMatchObject({
        dataChanges: {},
        directiveChain: [{ source: 'onDataUpdate of a', refused: expect.any(String) }],
      });
  });

  it('F-8: beforeRespond answers the context of the turn alone, and onContextUpdate receives changes', () => {
    const story = clerk({
      hooks: { beforeRespond: { fn: 'before' }, onContextUpdate: { fn: 'watch' } },
      persona: 'Speak {{context.language}}',
    });
    story.dispatch({ contextUpdate: { colour: 'red' } });
    const turn = story.say('x', { before: { language: 'French' }, watch: new Error('deaf') });
    expect(story.question('extract')).toContain('Speak French');
    expect(inputs(story, 'watch')).toMatchObject([
      { context: { language: 'French', colour: 'red' }, previousContext: { language: 'French' } },
    ]);
    expect(turn).toMatchObject({
      contextUpdate: { colour: 'red' },
      directiveChain: [{ source: 'onContextUpdate', refused: 'deaf' }],
    });
    expect(story.run('x', { before: 5 })).toMatchObject({ failure: { kind: 'tool' } });
  });

  it('F-34: onEnter of the agent is applied once, in the first turn, before the pending directive; when it leads elsewhere nothing is routed', () => {
    const story = clerk({ hooks: { onEnter: { fn: 'begin' } } });
    const begin = { goTo: 'help', dataUpdate: { count: 2 } };
    expect(story.run('x', { begin: 5 })).toMatchObject({ failure: { kind: 'tool' } });
    const first = story.say('x', { begin, route: new Error('it is not asked') });
    expect(first).toMatchObject({
      executedSteps: [{ flowId: 'help' }],
      dataChanges: { count: { to: 2 } },
      directiveChain: [{ source: 'onEnter of the agent' }],
    });
    expect(story.say('y', { begin: new Error('it is not asked'), ...scores({ help: 90 }) })).toMatchObject({
      directiveChain: [],
    });
    const other = clerk({ hooks: { onEnter: { goTo: 'help' } } });
    other.dispatch({ goTo: 'booking' });
    expect(other.say('x')).toMatchObject({ executedSteps: [{ flowId: 'booking' }] });
    expect(() => clerk({ hooks: { onEnter: { goTo: 'nowhere' } } })).toThrow('/hooks/onEnter');
  });

  it('F-21, F-56: a registered tool stands where a function may; its result is the directive', () => {
    const story = one({ steps: [{ id: 'a', prepare: 'look' }] }, [help]);
    expect(story.say('x', { ...scores({ only: 90 }), look: { tool: { goTo: 'help' } } })).toMatchObject({
      executedSteps: [{ flowId: 'help' }],
      directiveChain: [{ source: 'prepare of a' }],
    });
  });
});
