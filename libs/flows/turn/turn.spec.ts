import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '#lib/kernel';
import { booking, clerk, help, schema, scores } from '../testing/booking.js';
import { conversationWith, type ScriptedAnswers } from '../testing/story.js';

describe('a turn', () => {
  it('F-4: takes what the message says into the data, passes steps that are satisfied, and stays in a flow that it fills', () => {
    const story = clerk();
    const first = story.say('I am Ann', {
      ...scores({ booking: 90, help: 10 }),
      extract: { name: 'Ann', day: null },
    });
    expect(first).toMatchObject({
      message: 'ok',
      stoppedReason: 'needs_input',
      dataChanges: { name: { to: 'Ann' } },
      executedSteps: [{ flowId: 'booking', stepId: 'when', kind: 'llm' }],
      position: { flowId: 'booking', stepId: 'when' },
    });
    expect(story.asked).toEqual(['extract', 'route', 'respond']);
    story.say('On Friday', { extract: { day: 'Friday' } });
    expect(story.asked).toEqual(['extract', 'respond']);
  });

  it('F-3, F-4: drops a value that does not fit by itself', () => {
    const { dataChanges } = clerk().say('x', { extract: { name: 'Ann', count: 0, size: 5 } });
    expect(dataChanges).toEqual({ name: { to: 'Ann' } });
  });

  it('F-4: a value that is there already fills nothing: the router is asked', () => {
    const steps = [{ id: 'both', collect: ['name', 'day'] }];
    const story = clerk({ flows: [{ ...booking, steps }, help] });
    story.say('I am Ann', { ...scores({ booking: 90 }), extract: { name: 'Ann' } });
    const turn = story.say('Ann needs help', { ...scores({ help: 95 }), extract: { name: 'Ann' } });
    expect(turn).toMatchObject({ executedSteps: [{ flowId: 'help' }], dataChanges: {} });
  });

  it('F-4: an empty text is no value, and takes the place of none', () => {
    const story = clerk();
    story.say('I am Ann', { ...scores({ booking: 90 }), extract: { name: 'Ann', day: '' } });
    expect(story.say('hm', { extract: { name: '', day: '' } }).dataChanges).toEqual({});
    expect(story.asked).toEqual(['extract', 'route', 'respond']);
    expect(story.conversation.data).toEqual({ name: 'Ann' });
  });

  it('F-14: a flow is complete once its required data are there', () => {
    const story = clerk();
    const turn = story.say('Ann, on Friday', {
      ...scores({ booking: 90 }),
      extract: { name: 'Ann', day: 'Friday' },
    });
    // The route excludes the flow: all of its data are there before it is entered.
    expect(turn.moves).toEqual([{ entered: 'help' }, { left: 'help', reason: 'completed' }]);
    const other = clerk();
    other.say('book', scores({ booking: 90 }));
    expect(other.say('Ann, on Friday', { extract: { name: 'Ann', day: 'Friday' } })).toMatchObject({
      stoppedReason: 'completed',
      executedSteps: [],
      status: 'completed',
    });
    expect(other.conversation).toMatchObject({
      status: 'completed',
      flowHistory: [{ flowId: 'booking', completed: true }],
      data: { name: 'Ann', day: 'Friday' },
    });
    expect(other.conversation.position).toBeUndefined();
  });

  it('F-14: a flow without required data is complete after its last step', () => {
    const story = clerk();
    expect(story.say('help', scores({ help: 90 }))).toMatchObject({
      stoppedReason: 'completed',
      executedSteps: [{ stepId: 'explain' }],
    });
  });

  it('F-13: the flow that follows begins in the same turn when extraction completes', () => {
    const story = clerk({ flows: [{ ...booking, onComplete: 'Help' }, help] });
    story.say('book', scores({ booking: 90 }));
    expect(story.say('Ann, Friday', { extract: { name: 'Ann', day: 'Friday' } })).toMatchObject({
      executedSteps: [{ flowId: 'help', stepId: 'explain' }],
      directiveChain: [{ source: 'onComplete of booking', directive: { goTo: 'Help' } }],
    });
  });

  it('0.2-F4, F-16: a completed flow is open again only where it is reentrant and asked for anew; its data are asked for again, except values of the last message', () => {
    const ended = clerk();
    ended.say('help', scores({ help: 90 }));
    ended.say('help', scores({ help: 90, booking: 0 }));
    expect(ended.question('route')).not.toContain('- help');
    const again = clerk({ flows: [{ ...booking, reentrant: true }, help] });
    again.say('book', scores({ booking: 90 }));
    again.say('Ann, Friday', { extract: { name: 'Ann', day: 'Friday' } });
    const anew = (beginAnew: Json): ScriptedAnswers => ({ route: { scores: { booking: 95 }, beginAnew } });
    expect(again.say('thanks', anew([])).executedSteps).toMatchObject([{ flowId: 'help' }]);
    expect(again.say('thanks', anew(['help'])).dataChanges).toEqual({});
    expect(again.conversation.position).toBeUndefined();
    const turn = again.say('once more, on Monday', { ...anew(['booking']), extract: { day: 'Monday' } });
    expect(turn).toMatchObject({
      dataChanges: { name: { from: 'Ann' }, day: { from: 'Friday', to: 'Monday' } },
      position: { flowId: 'booking', stepId: 'who' },
    });
  });

  it('F-28: stays in a flow unless another one is better by the margin', () => {
    const at = (margin: number, given: { readonly [flow: string]: number }) => {
      const story = clerk({ flowSwitchMargin: margin, flows: [{ ...booking, requiredFields: [] }, help] });
      story.say('book', scores({ booking: 90 }));
      return story.say('hm', scores(given)).executedSteps[0]?.flowId;
    };
    expect([
      at(15, { booking: 50, help: 64 }),
      at(15, { booking: 50, help: 65 }),
      at(0, { booking: 50, help: 50 }),
      at(0, { booking: 50, help: 51 }),
    ]).toEqual(['booking', 'help', 'booking', 'help']);
  });

  it('F-15, F-28: a flow that is partly done gets a bonus of up to 20', () => {
    const story = clerk();
    story.say('I am Ann', { ...scores({ help: 90, booking: 0 }), extract: { name: 'Ann' } });
    expect(story.say('go on', scores({ help: 0, booking: 0 })).executedSteps[0]?.flowId).toBe('booking');
    const again = clerk({ flows: [{ ...booking, reentrant: true }, help] });
    again.say('Ann, on Friday', { ...scores({ booking: 90 }), extract: { name: 'Ann', day: 'Friday' } });
    expect(again.say('help', scores({ help: 60, booking: 50 })).executedSteps[0]?.flowId).toBe('help');
  });

  it('F-27: the router scores each open flow in one call, and says what the answer should take up', () => {
    const story = clerk();
    story.say('hello', {
      route: { intent: 'x', scores: { booking: 90 }, responseDirectives: ['Say hello'] },
    });
    expect(story.asked.filter((purpose) => purpose === 'route')).toHaveLength(1);
    expect(story.question('route')).toMatch(/- booking: Booking\\n- help: Help/);
    expect(story.question('respond')).toContain('- Say hello');
  });

  it('F-27: in a flow the router chooses the step that comes next: a fork asks nothing more', () => {
    const steps = [
      { id: 'z' },
      { id: 'a', next: ['b', 'c', 'd'] },
      { id: 'b' },
      { id: 'c' },
      { id: 'd', skip: { fn: 'yes' } },
    ];
    const routed = (selectedStepId: string) => {
      const story = conversationWith({ flows: [{ id: 'only', title: 'Only', steps }] });
      story.say('x');
      expect(story.question('route')).not.toContain('selectedStepId');
      const route = { intent: 'x', scores: { only: 90 }, selectedStepId, stepReasoning: 'so said' };
      story.say('y', { route, yes: true, choose_step: { stepId: 'b' } });
      return { step: story.conversation.position?.stepId, asked: story.asked.slice(2), story };
    };
    const { story, ...chosen } = routed('c');
    expect(chosen).toEqual({ step: 'c', asked: ['yes'] });
    expect(story.question('route')).toContain('"enum":["b","c","d"]');
    expect(routed('d')).toMatchObject({ step: 'b', asked: ['yes', 'choose_step'] });
  });

  it('F-11, F-27: what the router adds for its flow is seen in the turn and recorded; what does not fit is dropped', () => {
    const routingExtrasSchema = {
      type: 'object',
      properties: { urgency: { $ref: '#/$defs/urgency' } },
      $defs: { urgency: { type: 'integer' } },
    };
    const steps = [{ id: 's', prompt: 'Urgency {{session.routingExtras.urgency}}' }];
    const flows = [{ ...booking, routingExtrasSchema, steps }, help];
    const route = (routingExtras: JsonObject): ScriptedAnswers => ({
      route: { intent: 'x', scores: { booking: 90 }, routingExtras },
    });
    const story = clerk({ flows });
    expect(story.say('x', route({ urgency: 3 }))).toMatchObject({ routingExtras: { urgency: 3 } });
    expect(story.question('respond')).toContain('Urgency 3');
    expect(story.question('route')).toContain('#/properties/routingExtras/anyOf/0/$defs/urgency');
    expect(clerk({ flows }).say('x', route({ urgency: 'high' }))).not.toHaveProperty('routingExtras');
    expect(clerk({ flows }).say('x', scores({ help: 90 }))).not.toHaveProperty('routingExtras');
    expect(() => clerk({ flows: [{ ...help, routingExtrasSchema: { type: 'no' } }] })).toThrow(
      '/flows/0/routingExtrasSchema',
    );
  });

  it('F-11: an answer gives besides its message what its flow wants; what does not fit is dropped, and none of it is data', () => {
    const responseOutputSchema = { type: 'object', properties: { name: { type: 'string' } } };
    const flows = [{ ...booking, responseOutputSchema }, help];
    const say = (respond: JsonObject, flow = 'booking') =>
      clerk({ flows }).say('x', { ...scores({ [flow]: 90 }), respond });
    expect(say({ message: 'Hi', data: { name: 'Ann' } })).toMatchObject({
      message: 'Hi',
      output: { name: 'Ann' },
      dataChanges: {},
    });
    expect(say({ message: 'Hi', data: { name: 5 } })).not.toHaveProperty('output');
    expect(say({ message: 'Hi', data: { name: 'Ann' } }, 'help')).not.toHaveProperty('output');
  });

  it('0.2-F3, F-24: predicates come first and are free; the router judges the conditions of flows that may be entered, in its one call', () => {
    const flows = [
      { ...booking, if: { fn: 'isOpen' }, when: ['they want to book', '! they are angry'] },
      help,
    ];
    const closed = clerk({ flows });
    closed.say('book', { isOpen: false, ...scores({ help: 90 }) });
    expect(closed.asked).toEqual(['extract', 'isOpen', 'route', 'respond']);
    expect(closed.question('route')).not.toContain('they want to book');
    const open = clerk({ flows });
    const turn = open.say('book', { isOpen: true, ...scores({ booking: 90 }) });
    expect(turn.position?.flowId).toBe('booking');
    expect(open.asked).toEqual(['extract', 'isOpen', 'route', 'respond']);
    expect(open.question('route')).toContain(
      '- booking: Booking (0 unless: they want to book) (0 if: they are angry)',
    );
    open.say('Ann', { isOpen: true, ...scores({ booking: 0, help: 10 }) });
    expect(open.question('route')).not.toContain('they want to book');
    expect(open.conversation.position?.flowId).toBe('booking');
  });

  it('F-24, F-42: a predicate that fails does not hold, and neither does the condition of a flow without a score', () => {
    const flows = [
      { ...booking, if: { fn: 'isOpen' } },
      { ...help, when: 'they need help' },
    ];
    const story = clerk({ flows });
    story.say('x', { isOpen: new Error('broken'), route: 'perhaps' });
    expect(story.question('route')).not.toContain('- booking');
    expect(story.conversation.position).toBeUndefined();
  });

  it('F-25, F-26: one call judges the conditions of a step: a list is an or, and each `!` excludes', () => {
    const asking = (when: readonly string[]) =>
      conversationWith({ flows: [{ ...help, steps: [{ id: 's', when }, { id: 't' }] }] });
    const story = asking(['they book', 'they ask for a day', ' ! they are angry']);
    const turn = story.say('x', { condition: { result: false } });
    expect(turn.executedSteps).toMatchObject([{ stepId: 't' }]);
    expect(story.asked).toEqual(['route', 'condition', 'respond']);
    const question = story.question('condition');
    expect(question).toMatch(/at least one of these holds:\\n- they book\\n- they ask for a day/);
    expect(question).toMatch(/false if any of these holds:\\n- they are angry/);
    expect(question).toContain('"result":{"type":"boolean"}');
    const only = asking(['!they are angry']);
    only.say('x', { condition: 'perhaps' });
    expect(only.question('condition')).toContain('The result is true.');
    expect(only.conversation.history).toHaveLength(2);
  });

  it('0.2-F4: the router never chooses a flow for directives, and leaves it like another once it began', () => {
    const flows = [booking, { ...help, entry: 'directive' as const, reentrant: true }];
    const story = clerk({ flows });
    story.say('help', scores({ help: 99 }));
    expect(story.question('route')).not.toContain('- help');
    expect(story.conversation.position?.flowId).toBe('booking');
    const led = clerk({ flows: [booking, { ...help, entry: 'directive', requiredFields: ['count'] }] });
    led.dispatch({ goTo: 'help' }).say('hm');
    led.say('go on', scores({ help: 50, booking: 40 }));
    expect(led.conversation.position?.flowId).toBe('help');
    expect(led.say('book', scores({ help: 0, booking: 90 })).position?.flowId).toBe('booking');
  });

  it('F-44, F-45: instructions of agent, flow and step are listed with kind, scope and conditions, and recorded as applied', () => {
    const story = conversationWith({
      schema,
      instructions: [
        { id: 'i1', kind: 'must', prompt: 'Greet {{data.name}}', when: ['it begins', '!they are angry'] },
        { id: 'i2', prompt: 'Off', enabled: false },
        { id: 'i3', prompt: 'Never shown', if: { fn: 'no' } },
      ],
      flows: [
        {
          ...help,
          instructions: [{ id: 'i4', kind: 'never', prompt: 'Lie' }],
          steps: [{ id: 's', instructions: [{ id: 'i5', prompt: 'Be brief' }] }],
        },
      ],
    });
    const turn = story.say('I am Ann', { extract: { name: 'Ann' }, no: false });
    expect(turn.appliedInstructions).toEqual([
      { id: 'i1', scope: 'global' },
      { id: 'i4', scope: 'flow', scopeRef: 'Help' },
      { id: 'i5', scope: 'step', scopeRef: 's' },
    ]);
    const question = story.question('respond');
    expect(question).toContain(
      '- [must] [Always] Greet Ann (apply only when: it begins) (do not apply when: they are angry)',
    );
    expect(question).toContain('- [never] [In: Help] Lie\\n- [should] [Step: s] Be brief');
  });

  it('writes as much into a long conversation as into a short one', () => {
    const story = clerk({ flows: [{ ...help, reentrant: true }] });
    const sizes = Array.from({ length: 8 }, () => JSON.stringify(story.say('help')).length);
    expect(new Set(sizes.slice(1)).size).toBe(1);
  });

  it('F-46, F-47: prompts are named sections, what is the same in every turn first', () => {
    const story = conversationWith({
      goal: 'Book visits',
      persona: 'You are kind.',
      terms: [{ name: 'visit', description: 'a stay', synonyms: ['appointment'] }],
      knowledgeBase: { hours: '9 to 5' },
      flows: [help],
    });
    story.say('x');
    const question = story.question('route');
    for (const name of ['Identity', 'Glossary', 'Knowledge base', 'Routing'])
      expect(question).toContain(`## ${name}`);
    expect(question).toContain('- visit (also: appointment): a stay');
    // The second request refers to the messages of the first.
    expect(story.question('respond')).toContain('"after":"route-1#1","first":2');
  });

  it('F-64: a reply without JSON is the message; a model that fails leaves the conversation as it was', () => {
    const story = clerk();
    expect(story.say('x', { respond: 'Plain words' }).message).toBe('Plain words');
    const before = story.conversation;
    expect(story.run('y', { respond: new Error('too slow') })).toMatchObject({
      status: 'failed',
      failure: { kind: 'timeout', message: 'too slow' },
    });
    const { asked, usage } = story.conversation;
    expect(story.conversation).toEqual({ ...before, asked, usage });
    expect(story.run('y', { respond: { text: 'no message' } })).toMatchObject({
      failure: { kind: 'unusable-reply' },
    });
  });

  it('a member __proto__ of the data is one like any other', () => {
    const named = (value: Json) => JSON.parse(`{"__proto__":${JSON.stringify(value)}}`) as JsonObject;
    const steps = [{ id: 's', prompt: 'Ask', collect: ['__proto__'] }];
    const story = conversationWith({
      schema: { type: 'object', properties: named({ type: 'string' }) },
      flows: [{ title: 'Only', steps }],
    });
    story.say('x', { extract: named('v') });
    expect(Object.entries(story.conversation.data)).toEqual([['__proto__', 'v']]);
  });
});
