import { describe, expect, it } from '@jest/globals';
import { checkValue } from '#lib/json-schema';
import { derivedId, isJsonObject, type Json, type JsonObject } from '#lib/kernel';
import type { ToolPolicy } from '#lib/runs/tools';
import { conversationWith } from '../testing/story.js';
import { schema } from '../testing/booking.js';
import { embedded } from './embedded-schema.rules.js';
import { readObject } from './reply.rules.js';
import type { ModelAnswer } from './asks.js';

const asks = (...calls: readonly (readonly [string, JsonObject])[]) =>
  ({ calls: calls as object as Json }) as JsonObject;
const given = (policies: { readonly [toolId: string]: ToolPolicy } = {}, changes: object = {}) =>
  conversationWith(
    {
      schema,
      tools: ['find'],
      flows: [
        {
          id: 'only',
          title: 'Only',
          tools: ['pay'],
          steps: [{ id: 's', tools: ['send'], collect: ['name'] }],
        },
        { id: 'other', title: 'Other', steps: [{ id: 'o', prompt: 'Say' }] },
      ],
      ...changes,
    },
    {},
    policies,
  );
const only = { route: { intent: 'x', scores: { only: 90 } } };
const done = { message: 'Done.' };

/** The contents of the tool messages in the newest request. */
function toolTexts(story: ReturnType<typeof given>): readonly Json[] {
  const found: Json[] = [];
  JSON.parse(story.question('respond'), (_, value: Json) => {
    const { role, content } = isJsonObject(value) ? value : {};
    if (role === 'tool' && typeof content === 'string') found.push(JSON.parse(content) as Json);
    return value;
  });
  return found;
}

describe('the reply of a model', () => {
  const given = (content: string) => ({ content }) as ModelAnswer;

  it('is read with a fence around its JSON, or without one', () => {
    for (const text of ['{"a":1}', '```json\n{"a":1}\n```', 'So:\n```{"a":1}``` and ```{"b":1}```'])
      expect(readObject(given(text))).toEqual({ a: 1 });
    expect(readObject(given('```json\n{"a":1}'))).toBeUndefined();
  });

  it('X-S1: is read in time that is linear in it', () => {
    for (const text of [`\`\`\`${' '.repeat(2_000_000)}x`, '`'.repeat(2_000_000)])
      expect(readObject(given(text))).toBeUndefined();
  });
});

describe('the answer of a turn, with tools', () => {
  it('F-48, F-53: the tools of agent, flow and step are offered, and the model is asked again with their results', () => {
    const story = given();
    const turn = story.say('x', {
      ...only,
      respond: [asks(['find', { order: 7 }]), done],
      find: { tool: { sent: true } },
    });
    expect(turn).toMatchObject({
      message: 'Done.',
      toolCalls: [
        {
          callId: derivedId(story.history?.run.runId ?? '', 'respond-1.call-1'),
          toolId: 'find',
          arguments: { order: 7 },
          status: 'completed',
        },
      ],
    });
    expect(story.asked).toEqual(['extract', 'route', 'respond', 'find', 'respond']);
    const tools = JSON.stringify(story.history?.events.map(({ data }) => data));
    for (const name of ['find', 'pay', 'send']) expect(tools).toContain(`"name":"${name}"`);
  });

  it('F-30, F-48: a directive before the model injects tools for the turn: those that the agent names somewhere', () => {
    const steps = [
      { id: 's', prompt: 'Say', prepare: { injectTools: ['extra'] } },
      { id: 't', prompt: 'Say', prepare: { fn: 'more' } },
    ];
    const story = conversationWith({ flows: [{ id: 'only', title: 'Only', steps }] });
    story.say('x', { respond: [asks(['extra', {}]), done], extra: { tool: 1 } });
    expect(story.asked).toContain('extra');
    const more = { injectTools: ['nothing'] };
    expect(story.say('y', { more, ...only }).directiveChain).toMatchObject([
      { source: 'prepare of t', refused: '/injectTools names no tool of the agent: nothing' },
    ]);
  });

  it('F-50: arguments that do not fit, and tools that are not offered, are answered with a failure and not called', () => {
    const story = given();
    const calls = asks(['find', { order: 'seven' }], ['nothing', {}]);
    const { toolCalls } = story.say('x', { ...only, respond: [calls, done] });
    expect(toolCalls).toMatchObject([
      { toolId: 'find', status: 'failed' },
      { toolId: 'nothing', status: 'failed' },
    ]);
    expect(story.asked).not.toContain('find');
  });

  it('F-52: neighbours that are safe run at the same time, every other call alone, and results keep their order', () => {
    const story = given({ find: { concurrencySafe: true } });
    const calls = asks(['find', { order: 1 }], ['find', { order: 2 }], ['pay', {}], ['find', { order: 3 }]);
    const { toolCalls } = story.say('x', {
      ...only,
      respond: [calls, done],
      find: { tool: 1 },
      pay: { tool: 2 },
    });
    const kinds = story.history?.events.flatMap(({ type, data }) =>
      type.startsWith('ToolCall')
        ? [
            `${type === 'ToolCallRequested' ? 'asked' : 'over'} ${(data as { stepId: string }).stepId.split('.')[1]}`,
          ]
        : [],
    );
    expect(kinds?.slice(0, 3)).toEqual(['asked call-1#1', 'asked call-2#1', 'over call-1#1']);
    expect(kinds?.slice(3)).toEqual([
      'over call-2#1',
      'asked call-3#1',
      'over call-3#1',
      'asked call-4#1',
      'over call-4#1',
    ]);
    const places = [1, 2, 3, 4].map((number) => `respond-1.call-${number}`);
    const runId = story.history?.run.runId ?? '';
    expect(toolCalls.map(({ callId }) => callId)).toEqual(places.map((place) => derivedId(runId, place)));
  });

  it('a tool that needs approval waits for a person; a refusal is a failure that the model reads', () => {
    const story = given({ pay: { needsApproval: true } });
    const respond = [asks(['pay', { order: 7 }]), done];
    expect(
      story.say('x', { ...only, respond, approval: { approved: true }, pay: { tool: 1 } }).toolCalls,
    ).toMatchObject([{ toolId: 'pay', status: 'completed' }]);
    const refused = story.say('x', { ...only, respond, approval: { approved: false, reason: 'no' } });
    expect(refused.toolCalls).toMatchObject([{ toolId: 'pay', status: 'failed' }]);
  });

  it('0.2-V4: arguments that a person changed are told to the model and in the record', () => {
    const story = given({ pay: { needsApproval: true } });
    const { toolCalls } = story.say('x', {
      ...only,
      respond: [asks(['pay', { order: 5 }]), done],
      approval: { approved: true, arguments: { order: 7 } },
      pay: { tool: 1 },
    });
    expect(toolCalls).toMatchObject([{ toolId: 'pay', arguments: { order: 7 }, argumentsChanged: true }]);
    expect(toolTexts(story)).toEqual([
      {
        success: true,
        message: 'ok; a person changed the arguments, and these were executed',
        arguments: { order: 7 },
        data: 1,
      },
    ]);
  });

  it('0.2-V11: of a result that directs the turn the model sees the data alone', () => {
    const data = (result: Json) => {
      const story = given();
      story.say('x', { ...only, respond: [asks(['find', {}]), done], find: { tool: result } });
      return toolTexts(story)[0];
    };
    const dataUpdate = { name: 'Ann' };
    expect(data({ data: { paid: 5 }, dataUpdate, directive: { reply: 'x' } })).toEqual({
      success: true,
      message: 'ok',
      data: { paid: 5 },
    });
    expect(data({ paid: 5, contextUpdate: { a: 1 } })).toMatchObject({ data: { paid: 5 } });
    expect(data({ dataUpdate })).toEqual({ success: true, message: 'ok' });
    expect(data({ success: false, error: 'sold out', dataUpdate })).toEqual({
      success: false,
      message: 'sold out',
    });
  });

  it('0.2-V5, 0.2-V6: a call has one id in events, prompts and the record, and no text is no arguments', () => {
    const story = given({ pay: { needsApproval: true } });
    const { toolCalls } = story.say('x', {
      ...only,
      respond: [{ calls: [['pay', { order: 1 }]] }, done],
      approval: { approved: true },
      pay: { tool: 1 },
    });
    const id = derivedId(story.history?.run.runId ?? '', 'respond-1.call-1');
    const named = story.history?.events.flatMap(({ data }) => {
      const { callId, prompt } = data as { callId?: string; prompt?: { callId: string } };
      return callId ?? prompt?.callId ?? [];
    });
    expect([...(named ?? []), toolCalls[0]?.callId]).toEqual([id, id, id]);
  });

  it('F-53: after the last loop tool calls are not made, and what the reply says is the message', () => {
    const story = given({}, { maxToolLoops: 1 });
    const calls = asks(['find', {}]);
    expect(story.say('x', { ...only, respond: [calls, calls], find: { tool: 1 } })).toMatchObject({
      message: '',
      toolCalls: [{ toolId: 'find' }],
    });
  });

  it('F-34, F-49: a tool may give data and a directive, which lead on in the next turn; its reply is the message', () => {
    const story = given();
    const result = { dataUpdate: { name: 'Ann' }, directive: { goTo: 'other', reply: 'Moving on.' } };
    const turn = story.say('x', { ...only, respond: [asks(['find', {}]), done], find: { tool: result } });
    expect(turn).toMatchObject({
      message: 'Moving on.',
      dataChanges: { name: { to: 'Ann' } },
      directiveChain: [{ source: 'tool find' }],
      position: { flowId: 'other', stepId: 'o' },
    });
  });

  it('F-35, F-38: of the directives of two calls of a tool, the one that counts is recorded', () => {
    const story = given();
    const find = [{ tool: { directive: { goTo: 'other' } } }, { tool: { directive: { reset: true } } }];
    const turn = story.say('x', { ...only, respond: [asks(['find', {}], ['find', {}]), done], find });
    expect(turn).toMatchObject({
      directiveChain: [{ source: 'tool find', directive: { goTo: 'other' } }],
      position: { flowId: 'other' },
    });
  });

  it('F-37, F-38: an abort also drops the directive that was to be applied next', () => {
    const story = given().dispatch({ complete: { next: { goTo: 'other' } } });
    const find = { tool: { directive: { abort: { reason: 'privacy', clearSession: true } } } };
    const turn = story.say('x', { respond: [asks(['find', {}]), done], find });
    expect(turn).toMatchObject({ status: 'aborted', isCleared: true });
    expect(story.conversation.pendingDirective).toBeUndefined();
  });

  it('F-14: data of a tool complete the flow after its last step too', () => {
    const story = conversationWith({
      schema,
      tools: ['find'],
      flows: [
        {
          id: 'only',
          title: 'Only',
          requiredFields: ['name', 'day'],
          steps: [{ id: 's', collect: ['name'] }],
        },
      ],
    });
    const turn = story.say('Ann', {
      ...only,
      extract: { name: 'Ann' },
      respond: [asks(['find', {}]), done],
      find: { tool: { dataUpdate: { day: 'Friday' } } },
    });
    expect(turn).toMatchObject({ stoppedReason: 'completed', status: 'completed' });
  });

  it('F-49: a tool may answer that it failed', () => {
    const story = given();
    const find = { tool: { success: false, error: 'No such order' } };
    const turn = story.say('x', { ...only, respond: [asks(['find', {}]), done], find });
    expect(turn.toolCalls).toMatchObject([{ status: 'failed' }]);
    expect(story.question('respond')).toContain('No such order');
    expect(story.question('respond')).not.toContain('"success\\":true');
    const bounded = given({ find: { maxResultChars: 40 } });
    const sold = { tool: { success: false, reason: 'sold out', more: 'x'.repeat(50) } };
    bounded.say('x', { ...only, respond: [asks(['find', {}]), done], find: sold });
    expect(bounded.question('respond')).toMatch(/success\\":false.*truncated.*sold out/);
    expect(bounded.question('respond')).not.toContain('x'.repeat(50));
  });

  it('F-33, F-35: a directive to an unknown flow is refused and recorded; data that do not fit are not applied at all', () => {
    const story = given();
    const say = (tool: JsonObject) =>
      story.say('x', { ...only, respond: [asks(['find', {}]), done], find: { tool } });
    expect(say({ directive: { goTo: 'nowhere' } })).toMatchObject({
      message: 'Done.',
      directiveChain: [{ source: 'tool find', refused: '/goTo names no flow: nowhere' }],
    });
    expect(say({ directive: { goTo: 5 } }).directiveChain).toMatchObject([{ refused: expect.any(String) }]);
    expect(say({ dataUpdate: { name: 'Ann', count: 0 } })).toMatchObject({
      message: 'Done.',
      stoppedReason: 'validation_error',
      dataChanges: {},
      directiveChain: [{ source: 'tool find', refused: '/count must be >= 1' }],
    });
  });
});

describe('a schema that is embedded in the schema of an answer', () => {
  const $defs = { part: { $anchor: 'part', type: 'integer' } };
  const text = { $ref: '#/$defs/part' };
  const own = { $id: 'https://example.org/own', $defs, $ref: '#/$defs/part' };
  it.each<[string, JsonObject, Json, Json]>([
    ['by a pointer', { $defs, ...text }, 1, 'x'],
    ['to itself', { properties: { next: { $ref: '#' } }, required: ['value'] }, { value: 1 }, {}],
    ['to itself, deeper', { type: 'array', items: { $ref: '#' } }, [[]], [1]],
    ['by an anchor', { $defs, $ref: '#part' }, 1, 'x'],
    ['in a subschema with an $id', { items: own }, [1], ['x']],
    ['in a schema with an $id', own, 1, 'x'],
    [
      'of a property with the name of a keyword',
      { $defs, properties: { const: text } },
      { const: 1 },
      { const: 'x' },
    ],
    ['of a property with the name $ref', { $defs, properties: { $ref: text } }, { $ref: 1 }, { $ref: 'x' }],
  ])('F-11: has the same references as alone: %s', (_, schema, right, wrong) => {
    const whole = { properties: { data: embedded(schema, '/properties/data') } };
    const fits = (data: Json) => [checkValue(schema, data).count, checkValue(whole, { data }).count];
    expect(fits(right)).toEqual([0, 0]);
    expect(Math.min(...fits(wrong))).toBeGreaterThan(0);
  });

  it.each(['const', 'enum', 'default', 'examples'])('F-11: has the same data as alone in %s', (keyword) => {
    const schema = { [keyword]: keyword === 'const' ? text : [text] };
    expect(embedded(schema, '/properties/data')).toEqual(schema);
  });
});
