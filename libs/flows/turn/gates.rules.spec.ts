import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '#lib/kernel';
import type { ToolGates } from '../agent/hook-definition.js';
import { conversationWith } from '../testing/story.js';

const calling = (args: JsonObject): JsonObject => ({ calls: [['find', args]] as object as Json });
const given = (gates: ToolGates) =>
  conversationWith({
    flows: [{ id: 'f', title: 'F', steps: [{ id: 's', tools: [{ tool: 'find', ...gates }] }] }],
  });
const done = { message: 'Done.' };

describe('gates of tools (F-50)', () => {
  const say = (gates: ToolGates, answers: { readonly [fn: string]: Json | Error }, args: JsonObject = {}) => {
    const story = given(gates);
    const turn = story.say('x', { respond: [calling(args), done], find: { tool: 1 }, ...answers });
    return { turn, story };
  };
  const validate = { validateInput: { fn: 'validate' } };
  const permit = { checkPermissions: { fn: 'permit' } };

  it('refuse a call without arguments too; it is a failed result that the model is given', () => {
    const { turn, story } = say(validate, { validate: { valid: false, error: 'no order' } });
    expect(turn.toolCalls).toMatchObject([{ toolId: 'find', status: 'failed' }]);
    expect(story.asked).toEqual(['extract', 'route', 'respond', 'validate', 'respond'].slice(1));
    expect(story.question('respond')).toContain('Validation failed: no order');
    const rejected = story.history?.events.find(({ type }) => type === 'ToolCallRejected');
    expect(rejected?.data).toMatchObject({ error: { kind: 'invalid-input' } });
  });

  it('let a function correct the arguments, which are checked again and shown to the next gate', () => {
    const corrected = { valid: true, correctedInput: { order: 7 } };
    const { turn, story } = say(
      { ...validate, ...permit },
      { validate: corrected, permit: { allowed: true } },
      { order: 1 },
    );
    expect(turn.toolCalls).toMatchObject([{ arguments: { order: 7 }, status: 'completed' }]);
    const permitted = story.history?.events.find(
      ({ data }) => (data as { fnName?: string }).fnName === 'permit',
    );
    expect(permitted?.data).toMatchObject({ input: { toolId: 'find', args: { order: 7 } } });
    const unfit = say(validate, { validate: { valid: true, correctedInput: { order: 'x' } } });
    expect(unfit.turn.toolCalls).toMatchObject([{ status: 'failed' }]);
    expect(unfit.story.asked).not.toContain('find');
  });

  it('refuse permission with whether it can be overridden, and when they fail', () => {
    const refused = say(permit, { permit: { allowed: false, reason: 'closed', canOverride: true } });
    expect(refused.story.question('respond')).toContain('Permission denied: closed (canOverride)');
    const failing = say(permit, { permit: new Error('broken') });
    expect(failing.turn.toolCalls).toMatchObject([{ status: 'failed' }]);
    expect(failing.story.asked).not.toContain('find');
  });

  it('0.2-V14: record a misspelt member of their answer by name, and the rest counts', () => {
    const misspelt = say(
      { ...validate, ...permit },
      { validate: { valid: true, corectedInput: { order: 7 } }, permit: { alowed: true } },
      { order: 1 },
    );
    expect(misspelt.turn.toolCalls).toMatchObject([{ arguments: { order: 1 }, status: 'failed' }]);
    expect(misspelt.turn.directiveChain).toMatchObject([
      { source: 'validateInput of find', refused: 'no verdict has /corectedInput: the rest counts' },
      { source: 'checkPermissions of find', refused: 'no verdict has /alowed: the rest counts' },
    ]);
  });

  it('hold for a tool that a directive injects, as when the agent names it', () => {
    const tools = [{ tool: 'find', checkPermissions: { expr: 'false' } }];
    const prepare = { injectTools: ['find'] };
    const story = conversationWith({
      flows: [
        { id: 'f', title: 'F', steps: [{ id: 's', prepare }] },
        { id: 'g', title: 'G', steps: [{ id: 't', tools }] },
      ],
    });
    const { toolCalls } = story.say('x', {
      route: { intent: 'x', scores: { f: 90 } },
      respond: [calling({}), done],
    });
    expect(toolCalls).toMatchObject([{ toolId: 'find', status: 'failed' }]);
    expect(story.asked).not.toContain('find');
  });

  it('may be expressions over the arguments', () => {
    const gates = { validateInput: { expr: 'has(args.order) && args.order > 5' } };
    expect(say(gates, {}, { order: 7 }).turn.toolCalls).toMatchObject([{ status: 'completed' }]);
    expect(say(gates, {}, { order: 1 }).turn.toolCalls).toMatchObject([{ status: 'failed' }]);
    expect(say(gates, {}).turn.toolCalls).toMatchObject([{ status: 'failed' }]);
  });
});
