import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { FlowInput } from '../agent/agent-definition.js';
import type { Directive } from '../agent/directive-definition.js';
import { booking, clerk, help, schema, scores } from '../testing/booking.js';
import { conversationWith } from '../testing/story.js';

describe('a turn with directives', () => {
  it('F-29, F-39: a pending directive goes before routing, once', () => {
    const story = clerk();
    story.dispatch({ goTo: 'Booking' }).dispatch({ goTo: { flow: 'help', data: { name: 'Ann' } } });
    expect(story.say('x')).toMatchObject({
      executedSteps: [{ flowId: 'help' }],
      directiveChain: [{ source: 'pending directive' }],
      dataChanges: { name: { to: 'Ann' } },
    });
    expect(story.asked).toEqual(['extract', 'respond']);
    expect(story.conversation.pendingDirective).toBeUndefined();
    expect(() => story.dispatch({ goTo: 'Nowhere' })).toThrow('[InvalidDirective]');
    expect(() => story.dispatch({ dataUpdate: { size: 1 } })).toThrow('[InvalidDirective]');
  });

  it('F-36: a reply is said in place of the model', () => {
    const story = clerk().dispatch({ reply: 'One moment.', appendPrompt: ['x'] });
    expect(story.conversation.pendingDirective).toEqual({ reply: 'One moment.' });
    expect(story.say('x')).toMatchObject({ message: 'One moment.', stoppedReason: 'reply' });
    expect(story.asked).toEqual(['extract']);
  });

  it('F-31: `carry: reset` begins the data again, and `reset` the flow', () => {
    const story = clerk({ initialData: { count: 1 } });
    story.say('Ann', { ...scores({ booking: 90 }), extract: { name: 'Ann' } });
    story.dispatch({ goTo: { flow: 'help', carry: 'reset', data: { day: 'Monday' } } });
    story.say('x');
    expect(story.conversation.data).toEqual({ count: 1, day: 'Monday' });
    const flows = [booking, { ...help, initialData: { count: 2, name: 'nobody' } }];
    const layered = clerk({ initialData: { count: 1 }, flows }).dispatch({
      goTo: { flow: 'help', carry: 'reset' },
    });
    layered.say('x');
    expect(layered.conversation.data).toEqual({ count: 2, name: 'nobody' });
    const reset = clerk();
    reset.say('book', scores({ booking: 90 }));
    reset.say('Ann', { extract: { name: 'Ann' } });
    reset.dispatch({ reset: { clearData: true } });
    expect(reset.say('x')).toMatchObject({
      position: { stepId: 'who' },
      dataChanges: { name: { from: 'Ann' } },
    });
  });

  it('F-31, F-35: the data of a directive outlast what its position forgets', () => {
    const agent = { schema, flows: [{ ...booking, reentrant: true }, help] };
    const again = conversationWith(agent);
    again.say('book', { ...scores({ booking: 90 }), extract: { name: 'Ann', day: 'Monday' } });
    again.dispatch({ goTo: 'booking', dataUpdate: { day: 'Friday' } }).say('x');
    expect(again.conversation).toMatchObject({ data: { day: 'Friday' }, position: { stepId: 'who' } });
    again.dispatch({ reset: { clearData: true }, dataUpdate: { name: 'Bob' } }).say('x');
    expect(again.conversation).toMatchObject({ data: { name: 'Bob' }, position: { stepId: 'when' } });
    again.dispatch({ goTo: { flow: 'help', carry: 'reset' }, dataUpdate: { count: 2 } }).say('x');
    expect(again.conversation.data).toEqual({ count: 2 });
  });

  it('F-16: a flow that follows itself begins anew: what completed it is forgotten, also of the message', () => {
    const again = conversationWith({
      schema,
      flows: [
        { ...booking, hooks: { onComplete: { goTo: 'booking', dataUpdate: { day: 'Friday' } } } },
        help,
      ],
    });
    again.say('book', scores({ booking: 90 }));
    again.say('Ann', { extract: { name: 'Ann' } });
    expect(again.say('on Monday', { extract: { day: 'Monday' } })).toMatchObject({
      executedSteps: [{ stepId: 'who' }],
      moves: [{ left: 'booking', reason: 'completed' }, { entered: 'booking' }],
    });
    expect(again.conversation.data).toEqual({ day: 'Friday' });
  });

  it('F-32: an abort ends the flow; it forgets the conversation only where it says so', () => {
    const story = clerk();
    story.say('Ann', { ...scores({ booking: 90 }), extract: { name: 'Ann' } });
    story.dispatch({ abort: 'closing time' });
    expect(story.say('x')).toMatchObject({ stoppedReason: 'aborted', status: 'aborted', message: '' });
    expect(story.conversation).toMatchObject({ status: 'aborted', data: { name: 'Ann' } });
    story.dispatch({ abort: { reason: 'privacy', clearSession: true } });
    story.say('x');
    expect(story.conversation).toMatchObject({ data: {}, history: [], flowHistory: [] });
    expect(story.say('hello', scores({ help: 90 })).status).toBe('completed');
  });

  it('F-37: what follows a completion is applied in the next turn', () => {
    const story = clerk();
    story.say('book', scores({ booking: 90 }));
    story.dispatch({ complete: { next: { goTo: 'help' } } });
    story.say('x');
    expect(story.conversation).toMatchObject({
      pendingDirective: { goTo: 'help' },
      flowHistory: [{ flowId: 'booking', completed: true }],
    });
    expect(story.say('x').executedSteps).toMatchObject([{ flowId: 'help' }]);
  });

  it('F-37: a step that a completion names without a flow is one of the flow that was completed', () => {
    const whose = { ...booking, reentrant: true, hooks: { onComplete: { goToStep: 'when' } } };
    const story = conversationWith({ schema, flows: [whose, help] });
    story.say('book', scores({ booking: 90 }));
    expect(story.say('Ann, Friday', { extract: { name: 'Ann', day: 'Friday' } })).toMatchObject({
      executedSteps: [{ stepId: 'when' }],
      directiveChain: [{ source: 'onComplete of booking' }],
      position: { flowId: 'booking', stepId: 'when' },
    });
    const next = clerk();
    next.say('book', scores({ booking: 90 }));
    next.dispatch({ complete: { next: { goToStep: 'when' } } }).say('x');
    expect(next.say('x').executedSteps).toMatchObject([{ flowId: 'booking', stepId: 'when' }]);
  });

  it('F-29, F-33: a step without a flow outside of flows is refused, and the router is asked', () => {
    for (const directive of [{ goToStep: 'when' }, { reset: { step: 'when' } }]) {
      const turn = clerk()
        .dispatch(directive)
        .say('book', scores({ booking: 90 }));
      expect(turn).toMatchObject({
        directiveChain: [{ refused: expect.stringContaining('the conversation is in none: when') }],
        executedSteps: [{ flowId: 'booking', stepId: 'who' }],
      });
    }
    const named = clerk().dispatch({ goToStep: { flow: 'Booking', step: 'when' } });
    expect(named.say('x').executedSteps).toMatchObject([{ stepId: 'when' }]);
  });

  it('F-29, F-39: nothing is left of a directive for the model alone, and the router is asked', () => {
    const story = clerk().dispatch({ appendPrompt: ['Be brief'], reason: 'They are in a hurry' });
    expect(story.say('book', scores({ booking: 90 })).executedSteps).toMatchObject([{ flowId: 'booking' }]);
    expect(story.conversation.pendingDirective).toBeUndefined();
  });

  it('F-38: a chain of directives ends at the cap, and names all of it; the conversation is as it was before', () => {
    const to = (id: string, flow: string): FlowInput => ({
      id,
      title: id,
      steps: [{ id: `in-${id}`, auto: true, branches: [{ then: { goTo: flow } }] }],
    });
    const story = conversationWith({ maxDirectiveChain: 3, flows: [to('a', 'b'), to('b', 'a')] });
    expect(story.run('x')).toMatchObject({
      status: 'failed',
      failure: { kind: 'directive-chain', message: expect.stringContaining('"goTo":"b"') },
    });
    expect(story.conversation).toMatchObject({ history: [], flowHistory: [] });
  });

  it('F-38: every cycle of flows and steps ends', () => {
    const target = fc.nat({ max: 2 });
    const step = fc.record({
      kind: fc.constantFrom('auto', 'collect'),
      next: target,
      flow: fc.option(target),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(step, { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 3 }),
        (drawn) => {
          const flows = drawn.map((steps, index): FlowInput => ({
            id: `f${index}`,
            title: `F${index}`,
            steps: steps.map(({ kind, next, flow }, at) => ({
              id: `s${at}`,
              ...(kind === 'auto' ? { auto: true } : { collect: ['name'] }),
              next: `s${next}`,
              ...(flow !== null && { branches: [{ then: { goTo: `f${flow}` } }] }),
            })),
          }));
          const { status } = conversationWith({ schema, flows }, { name: 'Ann' }).run('x');
          expect(['completed', 'failed']).toContain(status);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('F-21, F-38: a turn ends whatever directives its hooks and branches give, again and again', () => {
    const directive = fc.constantFrom<Directive>(
      { goTo: 'f0' },
      { goTo: 'f1' },
      { goTo: 'nowhere' },
      { goToStep: 's0' },
      { goToStep: 's1' },
      { reset: true },
      { reset: { clearData: true } },
      { complete: true },
      { complete: { next: { goTo: 'f0' } } },
      { dataUpdate: { name: 'Ann' } },
      { dataUpdate: { name: 5 } },
      { appendPrompt: ['x'] },
      { reply: 'x' },
      { halt: true },
      { abort: 'x' },
      {},
    );
    const step = fc.record({
      kind: fc.constantFrom({ auto: true }, { collect: ['name'] }, {}),
      prepare: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
      branch: fc.option(fc.constantFrom<string | Directive>('s0', 'f0', 'f1', { reset: true }), {
        nil: undefined,
      }),
    });
    const drawn = fc.array(fc.array(step, { minLength: 2, maxLength: 2 }), { minLength: 2, maxLength: 2 });
    const answers = fc.tuple(directive, directive, directive);
    fc.assert(
      fc.property(drawn, answers, (drawnFlows, [d0, d1, d2]) => {
        const flows = drawnFlows.map((steps, index): FlowInput => ({
          id: `f${index}`,
          title: `F${index}`,
          steps: steps.map(({ kind, prepare, branch }, at) => ({
            id: `s${at}`,
            ...kind,
            ...(prepare !== undefined && { prepare: { fn: `d${prepare}` } }),
            ...(branch !== undefined && { branches: [{ then: branch }] }),
          })),
        }));
        const { status } = conversationWith({ schema, flows }).run('x', { d0, d1, d2 });
        expect(['completed', 'failed']).toContain(status);
      }),
      { numRuns: 25 },
    );
  });
});
