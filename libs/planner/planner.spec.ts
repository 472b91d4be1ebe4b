import { describe, expect, it } from '@jest/globals';
import { derivedId, type Json, jsonText } from '#lib/kernel';
import { callAt } from '#lib/runs/tools';
import type { PlannerInput } from './planner.input.js';
import {
  answer,
  ask,
  given,
  interrupted,
  messagesIn,
  resultIn,
  tool,
  toolFailed,
  toolOk,
  wholeOf,
} from './testing/planner-history.js';

describe('the planner loop', () => {
  it('P-3, P-5: one round without tool calls stops with the content as summary', () => {
    const history = given().answer('round-1#1', answer('Done.'));
    expect(resultIn(history)).toEqual({ rounds: 1, summary: 'Done.', stopReason: 'assistant-stop' });
    expect(history.end?.status).toBe('completed');
  });

  it.each(['length', 'content_filter', 'tool_calls', undefined])(
    'P-5: without tool calls and with finish_reason %j it stops as no-tool-calls',
    (reason) => {
      const history = given().answer('round-1#1', answer('Cut', [], { finishReason: reason }));
      expect(resultIn(history)).toMatchObject({ summary: 'Cut', stopReason: 'no-tool-calls' });
    },
  );

  it('P-2: maxRounds 0 calls nothing', () => {
    const history = given({ maxRounds: 0 });
    expect(history.recorded.map(({ type }) => type)).toEqual(['WorkflowEnded']);
    expect(resultIn(history)).toEqual({ rounds: 0, summary: null, stopReason: 'max-rounds' });
  });

  it('P-4, P-7: the next request holds the assistant message, then the results in the order of the model', () => {
    const history = given().answer('round-1#1', ask(['find', '{"order":1}'], ['find', '{"order":2}']));
    history.answer('round-1.call-1#1', toolOk({ id: 1 })).answer('round-1.call-2#1', toolFailed());
    history.answer('round-2#1', answer('Done.'));
    const messages = messagesIn(history);
    expect(messages.slice(2)).toEqual([
      { role: 'assistant', content: null, tool_calls: expect.any(Array) },
      { role: 'tool', tool_call_id: 'p-1', content: '{"success":true,"message":"ok","data":{"id":1}}' },
      { role: 'tool', tool_call_id: 'p-2', content: '{"success":false,"message":"broken"}' },
      { role: 'assistant', content: 'Done.' },
    ]);
  });

  it('P-6: calls run one after another, in the order of the model', () => {
    const history = given().answer('round-1#1', ask(['find', '{"order":1}'], ['find', '{"order":2}']));
    expect([...history.open.keys()]).toEqual(['round-1.call-1#1']);
    history.answer('round-1.call-1#1', toolOk(1));
    expect([...history.open.keys()]).toEqual(['round-1.call-2#1']);
  });

  it('P-8: the result holds every executed call and the whole transcript', () => {
    const history = given()
      .answer('round-1#1', ask(['find', '{"order":1}']))
      .answer('round-1.call-1#1', toolOk(7));
    history.answer('round-2#1', answer('Done.'));
    expect(wholeOf(history)).toEqual({
      rounds: 2,
      executedCalls: [
        {
          round: 1,
          callId: derivedId(history.run.runId, 'round-1.call-1'),
          toolId: 'find',
          arguments: { order: 1 },
          result: { success: true, message: 'ok', data: 7 },
        },
      ],
      summary: 'Done.',
      stopReason: 'assistant-stop',
      messages: expect.any(Array),
    });
    expect(messagesIn(history)).toHaveLength(5);
  });

  it('0.2-V4: the tool message and the list of calls hold the arguments that a person gave, and say so', () => {
    const history = given({}, [tool('find', { needsApproval: true })]);
    history.answer('round-1#1', ask(['find', '{"order":5}']));
    history.signal('round-1.call-1-approval#1', { approved: true, arguments: { order: 7 } });
    history.answer('round-1.call-1#1', toolOk(1)).answer('round-2#1', answer('Done.'));
    expect(wholeOf(history)).toMatchObject({
      executedCalls: [{ arguments: { order: 7 }, argumentsChanged: true }],
    });
    expect(messagesIn(history).at(3)).toMatchObject({
      content: jsonText({
        success: true,
        message: 'ok; a person changed the arguments, and these were executed',
        arguments: { order: 7 },
        data: 1,
      }),
    });
  });

  it('0.2-V4: approved as they are, or by the same arguments, they are not called changed', () => {
    const history = given({}, [tool('find', { needsApproval: true })]);
    history.answer('round-1#1', ask(['find', '{"order":5}']));
    history.signal('round-1.call-1-approval#1', { approved: true, arguments: { order: 5 } });
    history.answer('round-1.call-1#1', toolOk(1));
    expect(messagesIn(history).at(3)).toMatchObject({ content: '{"success":true,"message":"ok","data":1}' });
  });

  it('0.2-V6: no text is no arguments for a tool that requires none; other text is shown to the model as it came', () => {
    const free = { ...tool('ping'), parameters: { type: 'object', properties: { a: {} } } };
    const history = given({ tools: ['find', 'ping'] }, [tool('find'), free]);
    history.answer('round-1#1', ask(['ping', ''], ['find', ''], ['find', '{"order": 1']));
    history.answer('round-1.call-1#1', toolOk(1));
    const texts = messagesIn(history).map((message) => (message as { content: string }).content);
    const [ping, empty, broken] = texts.slice(3);
    expect(ping).toBe('{"success":true,"message":"ok","data":1}');
    expect(empty).toContain('The arguments are not a JSON object: ');
    expect(broken).toContain(jsonText('The arguments are not a JSON object: {"order": 1').slice(1, -1));
  });

  it('0.2-V5: two runs give a call at the same place two ids; version 1 gave it the place', () => {
    const at = (runId: string, version: number) => callAt({ runId, version }, 'round-1.call-1').callId;
    const [one, other] = ['6f5902ac-2377-4c86-9d5e-1f2f6d2a0c11', '1f5902ac-2377-4c86-9d5e-1f2f6d2a0c11'];
    expect(at(one, 2)).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(at(one, 2)).not.toBe(at(other, 2));
    expect(at(one, 1)).toBe('round-1.call-1');
  });

  it('P-5: the round budget stops it after the tools of the last round have run', () => {
    const history = given({ maxRounds: 1 }).answer('round-1#1', ask(['find', '{"order":1}']));
    history.answer('round-1.call-1#1', toolOk(1));
    expect(wholeOf(history)).toMatchObject({
      rounds: 1,
      stopReason: 'max-rounds',
      summary: null,
      executedCalls: [{ callId: derivedId(history.run.runId, 'round-1.call-1') }],
    });
  });

  it('P-5: an error of the model fails the run with llm-error, and the result holds the transcript', () => {
    const history = given().answer('round-1#1', answer('', [], { status: 400 }));
    expect(history.end).toMatchObject({
      status: 'failed',
      failure: { kind: 'llm-error', message: expect.stringContaining('400') },
    });
    expect(wholeOf(history)).toMatchObject({
      stopReason: 'llm-error',
      rounds: 1,
      messages: [{ role: 'system' }, { role: 'user' }],
    });
  });

  it('tries the model again after a timer when the provider fails for a while', () => {
    const history = given().answer('round-1#1', answer('', [], { status: 503 }));
    history.fire('round-1-retry#2').answer('round-1#2', answer('Done.'));
    expect(resultIn(history)).toMatchObject({ stopReason: 'assistant-stop', rounds: 1 });
  });

  it('asks an interrupted model again in the same round as a new call, three times at most', () => {
    const history = given().answer('round-1#1', interrupted(true)).answer('round-1#2', interrupted(true));
    history.answer('round-1#3', interrupted(true));
    expect(resultIn(history)).toMatchObject({ stopReason: 'llm-error', rounds: 1 });
  });

  it.each([
    ['unknown tools', ['none', '{}'], 'There is no tool "none".'],
    ['arguments that do not fit', ['find', '{"order":"x"}'], 'do not fit'],
    ['text that is no JSON object', ['find', '{"order"'], 'not a JSON object'],
  ] as const)('tells the model of %s, and calls nothing', (_, call, message) => {
    const history = given()
      .answer('round-1#1', ask([...call]))
      .answer('round-2#1', answer('Done.'));
    expect(history.recorded.map(({ type }) => type)).not.toContain('ToolCallRequested');
    expect(jsonText(messagesIn(history)[3] as Json)).toContain(message.replaceAll('"', String.raw`\\\"`));
  });

  it('sends argument text that is not a JSON object back as {}, and all else verbatim', () => {
    const history = given().answer('round-1#1', ask(['find', '{"order"'], ['find', '{ "order": 1 }']));
    history.answer('round-1.call-2#1', toolOk(1));
    const sent = messagesIn(history)[2] as { tool_calls: { function: { arguments: string } }[] };
    expect(sent.tool_calls.map((call) => call.function.arguments)).toEqual(['{}', '{ "order": 1 }']);
  });

  it('runs neighbours that allow it together, up to the concurrency, and any other call alone', () => {
    const beside = { concurrencySafe: true };
    const tools = [tool('find', beside), tool('change')];
    const history = given({ tools: ['find', 'change'], concurrency: 2 }, tools);
    const calls = ['find', 'find', 'find', 'change', 'find'].map((name): [string, string] => [
      name,
      '{"order":1}',
    ]);
    history.answer('round-1#1', ask(...calls));
    const open = () => [...history.open.keys()].map((id) => Number(/call-(\d)/.exec(id)?.[1]));
    expect(open()).toEqual([1, 2]);
    history.answer('round-1.call-2#1', toolOk(2));
    expect(open()).toEqual([1, 3]);
    history.answer('round-1.call-3#1', toolOk(3)).answer('round-1.call-1#1', toolOk(1));
    expect(open()).toEqual([4]);
    history.answer('round-1.call-4#1', toolOk(4));
    expect(open()).toEqual([5]);
    history.answer('round-1.call-5#1', toolOk(5)).answer('round-2#1', answer('Done.'));
    const executedCalls = [1, 2, 3, 4, 5].map((data) =>
      expect.objectContaining({ result: expect.objectContaining({ data }) }),
    );
    expect(wholeOf(history)).toMatchObject({ executedCalls });
  });

  it('with concurrency 1 approvals are asked one at a time', () => {
    const history = given({}, [tool('find', { needsApproval: true, concurrencySafe: true })]);
    history.answer('round-1#1', ask(['find', '{"order":1}'], ['find', '{"order":2}']));
    expect([...history.open.keys()]).toEqual(['round-1.call-1-approval#1']);
    history.signal('round-1.call-1-approval#1', { approved: false });
    expect([...history.open.keys()]).toEqual(['round-1.call-2-approval#1']);
  });

  const decide = {
    name: 'decide',
    description: 'Decide',
    parameters: { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] },
  };

  it('an inline exit executes nothing and ends the loop with its arguments; later calls do not run', () => {
    const history = given({ exits: [decide] });
    history.answer(
      'round-1#1',
      ask(['find', '{"order":1}'], ['decide', '{"yes":true}'], ['find', '{"order":2}']),
    );
    history.answer('round-1.call-1#1', toolOk(1));
    expect(wholeOf(history)).toMatchObject({
      stopReason: 'exit',
      exit: 'decide',
      arguments: { yes: true },
      executedCalls: [{ callId: derivedId(history.run.runId, 'round-1.call-1') }],
    });
  });

  it('an inline exit with arguments that do not fit is fed back', () => {
    const history = given({ exits: [decide] }).answer('round-1#1', ask(['decide', '{}']));
    expect([...history.open.keys()]).toEqual(['round-2#1']);
  });

  it('an exit that is a tool is executed: its success ends the loop, its failure is fed back', () => {
    const history = given({ tools: [], exits: ['find'] }).answer('round-1#1', ask(['find', '{"order":1}']));
    history.answer('round-1.call-1#1', toolFailed()).answer('round-2#1', ask(['find', '{"order":2}']));
    history.answer('round-2.call-1#1', toolOk(2));
    expect(wholeOf(history)).toMatchObject({
      rounds: 2,
      stopReason: 'exit',
      exit: 'find',
      arguments: { order: 2 },
      executedCalls: [{}, {}],
    });
  });

  it('offers tools, then exits, and no member tools when there are none', () => {
    const offered = (input: Partial<PlannerInput>) => {
      const [first] = given(input).recorded;
      const request = first?.data as { body: { tools?: { function: { name: string } }[] } } | undefined;
      return request?.body.tools?.map((one) => one.function.name);
    };
    expect(offered({ exits: [decide] })).toEqual(['find', 'decide']);
    expect(offered({ exits: [decide, 'find'] })).toEqual(['decide', 'find']);
    expect(offered({ tools: [] })).toBeUndefined();
  });

  it('stops before the next call of the model when the budget is spent; the tools of the round have run', () => {
    const usage = { prompt_tokens: 90, completion_tokens: 10 };
    const history = given({ budget: { maxTokens: 100 } });
    history
      .answer('round-1#1', ask(['find', '{"order":1}'], { usage }))
      .answer('round-1.call-1#1', toolOk(1));
    expect(wholeOf(history)).toMatchObject({
      stopReason: 'budget',
      rounds: 1,
      summary: null,
      executedCalls: [{}],
    });
    const priced = given({ budget: { maxUSD: 0.5 } }, undefined, {
      version: '1',
      inputPerMillion: 10_000,
      outputPerMillion: 0,
    });
    priced.answer('round-1#1', ask(['find', '{"order":1}'], { usage })).answer('round-1.call-1#1', toolOk(1));
    expect(resultIn(priced)).toMatchObject({ stopReason: 'budget' });
  });

  it('counts usage that is not reported as nothing', () => {
    const history = given({ budget: { maxTokens: 1 } });
    history.answer('round-1#1', ask(['find', '{"order":1}'])).answer('round-1.call-1#1', toolOk(1));
    expect([...history.open.keys()]).toEqual(['round-2#1']);
  });

  it('keeps the transcript when it is cancelled', () => {
    const history = given()
      .answer('round-1#1', ask(['find', '{"order":1}']))
      .cancel('enough');
    history.answer('round-1.call-1#1', interrupted(false));
    expect(history.end?.status).toBe('cancelled');
    expect(wholeOf(history)).toMatchObject({
      stopReason: 'cancelled',
      rounds: 1,
      messages: [{}, {}, { role: 'assistant' }],
    });
  });
});
