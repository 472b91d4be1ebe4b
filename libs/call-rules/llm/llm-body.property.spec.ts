import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ActivityEvent } from '#lib/workflow';
import { type Json, type JsonObject, jsonText, sha256 } from '#lib/kernel';
import { bodyOf, type LlmMemory, storedBody } from './llm-body.rules.js';
import type { LlmCallCompleted, LlmCallInput, LlmCallRequested } from './llm-call.events.js';
import { assistantMessage, emptyLlmMemory, evolveLlmMemory } from './llm-memory.rules.js';

type Body = LlmCallInput['body'];
type Stored = JsonObject & Pick<LlmCallRequested['data'], 'body' | 'bodySha256'>;

const long =
  'You decide the next step of a process. Call exactly one of the tools that you are given here. '.repeat(2);
const words = fc.constantFrom(
  '',
  'a',
  'yes',
  long,
  'a result of some length that is worth a reference, not a copy',
);
const arbitraryMessage: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user', 'developer'), content: words }),
  fc.record({ role: fc.constant('assistant'), content: words }),
  fc.record({ role: fc.constant('tool'), tool_call_id: fc.constantFrom('call_1', 'call_2'), content: words }),
  // Values that look like references.
  fc.constantFrom<Json>(
    { reply: 'c0' },
    { result: 'r0', tool_call_id: 'x' },
    { sha256: 'no hash' },
    { literal: 1 },
  ),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);
const tools = (description: string): Json => [
  { type: 'function', function: { name: 'refund', description } },
];
const arbitraryBody: fc.Arbitrary<Body> = fc
  .record(
    {
      model: fc.constantFrom('gpt-x', 'gpt-y'),
      messages: fc.array(arbitraryMessage, { maxLength: 6 }),
      temperature: fc.constant(0),
      tools: fc.constantFrom<Json>(tools(long), tools('short'), null, { sha256: 'no hash' }),
      response_format: fc.constantFrom<Json>({ type: 'json_object' }, { literal: long }, { schema: long }),
    },
    { requiredKeys: ['model', 'messages'] },
  )
  .map((body) => JSON.parse(jsonText(body)) as Body);
/** One call of a run: the messages that it keeps of the call before, those that it adds, and its reply. */
const arbitraryCall = fc.record({
  keep: fc.nat({ max: 10 }),
  body: arbitraryBody,
  reply: fc.option(words),
  result: fc.option(words),
});

function completed(stepId: string, content: string): ActivityEvent {
  const text = JSON.stringify({ choices: [{ message: { role: 'assistant', content, refusal: null } }] });
  const body = { encoding: 'utf8', content: text, sha256: sha256(text) };
  return { type: 'LlmCallCompleted', data: { stepId, status: 200, body } };
}

/** The event as it is read from the log. */
function requested(stepId: string, body: Body, memory: LlmMemory): ActivityEvent & { data: Stored } {
  const data = JSON.parse(jsonText({ stepId, ...storedBody(body, memory) })) as Stored & { stepId: string };
  return { type: 'LlmCallRequested', data };
}

describe('the body of a request, stored as what is new in it', () => {
  it('is rebuilt byte for byte after any earlier calls', () => {
    fc.assert(
      fc.property(fc.array(arbitraryCall, { maxLength: 24 }), (calls) => {
        let memory = emptyLlmMemory;
        let before: readonly Json[] = [];
        for (const [index, { keep, body, reply, result }] of calls.entries()) {
          const messages = [...before.slice(0, keep), ...body.messages];
          const sent = { ...body, messages };
          const request = requested(`c${index}`, sent, memory);
          memory = evolveLlmMemory(memory, request);
          const given = bodyOf(request.data, memory);
          expect(jsonText(given)).toBe(jsonText(sent));
          expect(request.data.bodySha256).toBe(sha256(jsonText(sent)));
          const outcome = reply === null ? undefined : completed(`c${index}`, reply);
          const outcomes: ActivityEvent[] = [
            outcome ?? { type: 'LlmCallFailed', data: { stepId: `c${index}` } },
            ...(result === null
              ? []
              : [{ type: 'FunctionCallCompleted', data: { stepId: `r${index}`, result } }]),
          ];
          memory = outcomes.reduce(evolveLlmMemory, memory);
          before = [...messages, { role: 'assistant', content: reply ?? '' }];
        }
      }),
    );
  });

  it('takes bytes linear in the rounds of a conversation with tools', () => {
    const bytesOf = (rounds: number) => {
      let memory = emptyLlmMemory;
      let messages: readonly Json[] = [
        { role: 'system', content: long },
        { role: 'user', content: 'Order 7?' },
      ];
      let bytes = 0;
      for (let round = 0; round < rounds; round++) {
        const stepId = `round${round}`;
        const body = { model: 'gpt-x', messages, tools: tools(long) };
        const request = requested(stepId, body, memory);
        const reply = completed(stepId, `I look at part ${round} of the order. ${long}`);
        const result = `part ${round}: ${long.repeat(4)}`;
        const called = { type: 'FunctionCallCompleted', data: { stepId: `tool${round}`, result } };
        memory = [request, reply, called].reduce(evolveLlmMemory, memory);
        bytes += jsonText(request.data).length;
        const answer = assistantMessage(reply.data as object as LlmCallCompleted['data']) as Json;
        messages = [...messages, answer, { role: 'tool', tool_call_id: `call_${round}`, content: result }];
      }
      return bytes;
    };
    const [ten, fifty] = [bytesOf(10), bytesOf(50)];
    expect((fifty - ten) / 40).toBeLessThan(350);
    expect((fifty - bytesOf(49)) / ((ten - bytesOf(1)) / 9)).toBeLessThan(1.05);
  });

  it('refers to the newest of the steps that ended with a text', () => {
    const outcomes = ['c0', 'c1', 'c2'].flatMap((stepId, index) => [
      completed(stepId, index < 2 ? long : 'another'),
      { type: 'FunctionCallCompleted', data: { stepId: `f-${stepId}`, result: index < 2 ? long : 'other' } },
    ]);
    const messages = [
      { role: 'assistant', content: long },
      { role: 'tool', tool_call_id: 'call_1', content: long },
    ];
    const stored = storedBody({ model: 'm', messages }, outcomes.reduce(evolveLlmMemory, emptyLlmMemory));
    expect(stored.body.messages.add).toEqual([{ reply: 'c1' }, { result: 'f-c1', tool_call_id: 'call_1' }]);
  });

  it('keeps the list of every request that is not answered', () => {
    const steps = Array.from({ length: 40 }, (_, index) => `c${index}`);
    const bodies = steps.map((stepId) => ({ model: 'm', messages: [{ role: 'user', content: stepId }] }));
    const requests: (ActivityEvent & { data: Stored })[] = [];
    const memory = bodies.reduce((before, body, index) => {
      const request = requested(steps[index] ?? '', body, before);
      requests.push(request);
      return evolveLlmMemory(before, request);
    }, emptyLlmMemory);
    expect(requests.map(({ data }) => bodyOf(data, memory))).toEqual(bodies);
    const answered = steps.reduce((all, stepId) => evolveLlmMemory(all, completed(stepId, 'ok')), memory);
    const next = requested('last', { model: 'm', messages: [] }, answered);
    expect(evolveLlmMemory(answered, next).lists.size).toBe(17);
  });
});
