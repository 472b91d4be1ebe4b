import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import { conversationWith, type ScriptedAnswers } from '../testing/story.js';
import { help, one, scores } from '../testing/booking.js';

describe('the steps of a turn', () => {
  it('F-20: a step that does not apply, or is skipped, is passed without its branches', () => {
    const story = one({
      steps: [
        { id: 'a', if: { fn: 'no' }, branches: [{ then: { abort: 'never' } }] },
        { id: 'b', skip: [{ fn: 'no' }, { fn: 'yes' }], branches: [{ then: { abort: 'never' } }] },
        { id: 'c' },
      ],
    });
    expect(story.say('x', { no: false, yes: true }).executedSteps).toEqual([
      { flowId: 'only', stepId: 'c', kind: 'llm' },
    ]);
  });

  it('F-19: a step is not entered without what it requires: the one before answers', () => {
    const story = one({
      steps: [
        { id: 'a', collect: ['name'] },
        { id: 'b', requires: ['day'], collect: ['count'] },
      ],
    });
    story.say('x');
    expect(story.say('Ann', { extract: { name: 'Ann' } }).executedSteps).toMatchObject([{ stepId: 'a' }]);
    expect(story.say('Friday', { extract: { day: 'Friday' } }).executedSteps).toMatchObject([
      { stepId: 'b' },
    ]);
  });

  it('F-19: a step is not reached after the answer without what it requires: the one before stays', () => {
    const story = one({ steps: [{ id: 'a' }, { id: 'b', requires: ['day'] }] });
    expect(story.say('x').position).toEqual({ flowId: 'only', stepId: 'a' });
    expect(story.say('x').executedSteps).toMatchObject([{ stepId: 'a' }]);
    expect(story.say('Friday', { extract: { day: 'Friday' } }).position).toMatchObject({ stepId: 'b' });
  });

  it('F-19: a directive leads to no step without what it requires: the last one before that may be entered answers', () => {
    const story = one({
      steps: [
        { id: 'a', collect: ['name'] },
        { id: 'b', requires: ['count'] },
        { id: 'between', auto: true },
        { id: 'unneeded', skip: { expr: 'true' } },
        { id: 'c', requires: ['day'] },
      ],
    });
    story.dispatch({ goTo: { flow: 'only', step: 'c' } });
    expect(story.say('x')).toMatchObject({ executedSteps: [{ stepId: 'a' }], position: { stepId: 'a' } });
    story.dispatch({ goToStep: 'c', dataUpdate: { count: 1 } });
    expect(story.say('x').executedSteps).toMatchObject([{ stepId: 'b' }]);
    story.dispatch({ goToStep: { step: 'c', data: { day: 'Friday' } } });
    expect(story.say('x').executedSteps).toMatchObject([{ stepId: 'c' }]);
  });

  it('F-19, F-22: an auto step without what it requires fails the turn that comes to it', () => {
    const story = one({ steps: [{ id: 'a' }, { id: 'b', auto: true, requires: ['day'] }] });
    story.say('x');
    expect(story.run('x')).toMatchObject({ failure: { kind: 'requires' } });
  });

  it('F-41: a branch that only gives data leads on to the successor, even after the answer', () => {
    const story = one({
      requiredFields: ['day', 'count'],
      steps: [{ id: 'a', branches: [{ then: { dataUpdate: { name: 'Ann' } } }] }, { id: 'b' }],
    });
    expect(story.say('x')).toMatchObject({ position: { stepId: 'b' }, dataChanges: { name: { to: 'Ann' } } });
    const last = one({
      requiredFields: ['day'],
      steps: [{ id: 'a', branches: [{ then: { dataUpdate: { day: 'Friday' } } }] }],
    });
    expect(last.say('x')).toMatchObject({ stoppedReason: 'completed', status: 'completed' });
  });

  it('F-22: auto steps count in the whole turn, wherever directives lead', () => {
    const flow = (id: string, flow: string) => ({
      id,
      title: id,
      steps: [{ id: `${id}-auto`, auto: true, branches: [{ then: { goTo: { flow } } }] }],
    });
    const story = conversationWith({ maxAutoStepsPerTurn: 3, flows: [flow('a', 'b'), flow('b', 'a')] });
    expect(story.run('x', scores({ a: 90 }))).toMatchObject({
      failure: {
        kind: 'max-auto-steps',
        message: expect.stringContaining('a-auto → b-auto → a-auto → b-auto'),
      },
    });
  });

  it('F-18: a reply is said verbatim, rendered, without the model', () => {
    const story = one({ steps: [{ id: 'a', reply: 'Hello {{data.name}}!' }, { id: 'b' }] });
    const turn = story.say('I am Ann', { extract: { name: 'Ann' } });
    expect(turn).toMatchObject({ message: 'Hello Ann!', executedSteps: [{ kind: 'reply' }] });
    expect(turn.position).toEqual({ flowId: 'only', stepId: 'b' });
    expect(story.asked).toEqual(['extract', 'route']);
  });

  it('F-22: auto steps are passed in a chain up to the cap, which names them; AI conditions work in them', () => {
    const auto = (id: string) => ({ id, auto: true });
    const story = one({
      steps: [{ id: 'a', auto: true, branches: [{ when: 'they hurry', then: 'c' }] }, auto('b'), { id: 'c' }],
    });
    expect(story.say('quick', { condition: { result: true } }).executedSteps).toMatchObject([
      { stepId: 'a', kind: 'auto' },
      { stepId: 'c', kind: 'llm' },
    ]);
    const looping = one({ steps: [auto('a'), { ...auto('b'), next: 'a' }] });
    expect(looping.run('x')).toMatchObject({
      status: 'failed',
      failure: { kind: 'max-auto-steps', message: expect.stringContaining('a → b → a') },
    });
    expect(looping.conversation).toMatchObject({ history: [], flowHistory: [], status: 'open' });
    const missing = one({ steps: [{ ...auto('a'), requires: ['day'] }] });
    expect(missing.run('x')).toMatchObject({ failure: { kind: 'requires' } });
  });

  it('F-22: after a directive that leads nowhere, or is refused, the linear successor comes next', () => {
    const auto = { id: 'a', auto: true };
    const says = { ...auto, branches: [{ then: { appendPrompt: ['Be brief.'] } }] };
    expect(one({ steps: [says, { id: 'b' }] }).say('x').executedSteps).toMatchObject([
      { stepId: 'a' },
      { stepId: 'b' },
    ]);
    const steps = [
      { ...auto, prepare: { fn: 'look' } },
      { id: 'b', prepare: { fn: 'look' } },
    ];
    for (const look of [
      { goTo: 'nowhere' },
      { appendPrompt: ['Be brief.'] },
      { dataUpdate: { name: 'Ann' } },
    ])
      expect(one({ steps }).say('x', { look }).executedSteps).toMatchObject([
        { stepId: 'a' },
        { stepId: 'b' },
      ]);
  });

  it('F-23: of several successors that apply the model chooses', () => {
    const story = one({
      steps: [{ id: 'a', next: ['b', 'c', 'd'] }, { id: 'b' }, { id: 'c' }, { id: 'd', if: { fn: 'no' } }],
    });
    expect(story.say('x', { no: false, choose_step: { stepId: 'c' } }).position).toEqual({
      flowId: 'only',
      stepId: 'c',
    });
    expect(story.question('choose_step')).not.toContain('- d:');
    const none = one({
      steps: [
        { id: 'a', next: ['b', 'c'] },
        { id: 'b', skip: { fn: 'yes' } },
        { id: 'c', if: { fn: 'no' } },
      ],
    });
    expect(none.say('x', { yes: true, no: false }).stoppedReason).toBe('completed');
  });

  it('F-40, F-41: the first branch that applies decides: a step, a flow, or a directive', () => {
    const branches = [
      { if: { fn: 'isFirst' }, then: 'b' },
      { when: 'they need help', then: 'Help' },
      { then: { complete: true } as const },
    ];
    const story = () => one({ steps: [{ id: 'a', branches }, { id: 'z' }, { id: 'b' }] }, [help]);
    const positionAfter = (script: ScriptedAnswers) =>
      story().say('x', { ...scores({ only: 90 }), ...script }).position;
    expect(positionAfter({ isFirst: true, condition: { result: true } })).toEqual({
      flowId: 'only',
      stepId: 'b',
    });
    expect(positionAfter({ isFirst: false, condition: { result: true } })).toEqual({
      flowId: 'help',
      stepId: 'explain',
    });
    expect(positionAfter({ isFirst: false, condition: { result: false } })).toBeUndefined();
  });

  it('F-20, F-21: prepare comes before the model and finalize after it; both may give data and a course', () => {
    const story = one(
      {
        steps: [
          { id: 'a', auto: true, prepare: { fn: 'load' }, branches: [{ if: { fn: 'isKnown' }, then: 'c' }] },
          { id: 'b' },
          { id: 'c', prepare: { appendPrompt: ['Be brief'] }, finalize: { fn: 'close' } },
        ],
      },
      [help],
    );
    const turn = story.say('x', {
      ...scores({ only: 90 }),
      load: { dataUpdate: { name: 'Ann' } },
      isKnown: true,
      close: { goTo: 'help' },
    });
    expect(story.asked).toEqual(['extract', 'route', 'load', 'isKnown', 'respond', 'close']);
    expect(story.question('respond')).toContain('- Be brief');
    expect(turn).toMatchObject({
      dataChanges: { name: { to: 'Ann' } },
      executedSteps: [{ stepId: 'a' }, { stepId: 'c' }],
      directiveChain: [{ source: 'finalize of c', directive: { goTo: 'help' } }],
      position: { flowId: 'help' },
    });
  });

  it('F-21, F-36: prepare may reply, satisfy its step, or lead elsewhere; then the model is not asked there', () => {
    const steps = [{ id: 'a', collect: ['name'], prepare: { fn: 'look' } }, { id: 'b' }];
    const say = (look: JsonObject) => one({ steps }, [help]).say('x', { ...scores({ only: 90 }), look });
    expect(say({ reply: 'Hello' })).toMatchObject({
      message: 'Hello',
      stoppedReason: 'reply',
      executedSteps: [],
    });
    expect(say({ dataUpdate: { name: 'Ann' } }).executedSteps).toMatchObject([{ stepId: 'b' }]);
    expect(say({ goTo: 'help' }).executedSteps).toMatchObject([{ flowId: 'help' }]);
    expect(say(JSON.parse('{"dataUpdate":{"__proto__":{}}}') as JsonObject)).toMatchObject({
      directiveChain: [{ refused: expect.stringContaining('/__proto__ is unknown') }],
    });
    expect(say({ dataUpdate: { name: 5 } })).toMatchObject({
      stoppedReason: 'validation_error',
      dataChanges: {},
    });
  });

  it('F-10: when prepare fails the turn fails; when finalize fails that is recorded, and the turn goes on', () => {
    const failing = one({ steps: [{ id: 'a', prepare: { fn: 'look' } }] });
    expect(failing.run('x', { look: new Error('broken') })).toMatchObject({ failure: { kind: 'tool' } });
    expect(failing.run('x', { look: { goTo: 5 } })).toMatchObject({ failure: { kind: 'tool' } });
    const going = one({ steps: [{ id: 'a', finalize: { fn: 'close' } }] });
    expect(going.say('x', { close: new Error('broken') })).toMatchObject({
      message: 'ok',
      directiveChain: [{ source: 'finalize of a', refused: 'broken' }],
    });
  });
});
