import { describe, expect, it } from '@jest/globals';
import { type JsonObject, jsonText } from '#lib/kernel';
import type { CodeInput } from './code.input.js';
import type { CodeHooks } from './hook.script.js';
import {
  advances,
  given,
  type Hooks,
  openCalls,
  plays,
  replies,
  stateOf,
  tool,
  toolOk,
} from './testing/code-history.js';

const done = "return { action: 'done', value: await find({ order: 1 }) };";

const refuse = (message: string) => () => {
  throw new Error(message);
};

/** Refuses the code of these iterations. */
const refuseAt =
  (...refused: readonly number[]) =>
  ({ iteration }: JsonObject) => {
    if (refused.includes(Number(iteration))) throw new Error('no');
    return null;
  };

/** A run with hooks of these names, each a function of the same name. */
async function hooked(
  hooks: Hooks,
  programs: readonly string[] = [done],
  input: Partial<CodeInput> = { loop: 2 },
) {
  const named = Object.fromEntries(Object.keys(hooks).map((name) => [name, { fn: name }])) as CodeHooks;
  const history = given({ hooks: named, ...input }, [tool('find', {}, { type: ['integer', 'string'] })]);
  for (const program of programs)
    await plays(replies(history, program), ({ order }) => toolOk(order ?? null), hooks);
  return { history, end: history.end, iterations: stateOf(history).iterations };
}

describe('hooks of code', () => {
  it('L-35: are called in this order: traces, before the code, before and after a tool, the exit, the end', async () => {
    const called: string[] = [];
    const note = (name: string) => (input: JsonObject) => {
      called.push(`${name} ${Object.keys(input).join(' ')}`);
      return null;
    };
    const names = ['onBeforeExecution', 'onBeforeTool', 'onAfterTool', 'onExit', 'onIterationEnd', 'onTrace'];
    const hooks = Object.fromEntries(names.map((name) => [name, note(name)]));
    const { end } = await hooked(hooks, [`// plan\n${done}`]);
    expect(end).toMatchObject({ result: { exit: 'done', value: 1 } });
    expect(called).toEqual([
      'onBeforeExecution iteration code',
      'onTrace iteration traces',
      'onBeforeTool iteration callId tool input',
      'onAfterTool iteration callId tool input output',
      'onTrace iteration traces',
      'onExit iteration exit value',
      'onIterationEnd iteration status',
    ]);
  });

  it('L-30: the hook of traces is given those of each slice and each call, and the run goes on without its answer', async () => {
    const objects = [{ name: 'cart', properties: [{ name: 'total', value: 5, writable: true }] }];
    const history = given({ hooks: { onTrace: { fn: 'watch' } }, objects });
    const program =
      '// plan\nawait find({ order: 1 });\ncart.total = 6;\nreturn { action: "done", value: 1 };';
    const open = replies(history, program);
    for (const name of ['sandbox', 'tool', 'sandbox']) await advances(open, [name]);
    const asked = open.recorded.flatMap(({ type, data }) => (type === 'FunctionCallRequested' ? [data] : []));
    expect(openCalls(open, 'function')).toHaveLength(asked.length);
    const shown = [{ type: 'comment', text: 'plan' }, { type: 'tool_call' }, { type: 'property', after: 6 }];
    expect(asked).toMatchObject(shown.map((trace) => ({ input: { iteration: 1, traces: [trace] } })));
  });

  it.each([
    ['onBeforeExecution', { cod: done }, ['/cod']],
    ['onBeforeTool', { inptu: { order: 2 } }, ['/inptu']],
    ['onAfterTool', { outptu: 2, 'a/b': 1 }, ['/outptu', '/a~1b']],
    ['onExit', { refuse: true }, ['/refuse']],
    ['onIterationEnd', { abrot: 'no' }, ['/abrot']],
  ])(
    '0.2-V14: a misspelt member of the answer of %s is named in a trace, and the rest applies',
    async (hook, answer, members) => {
      const { end, iterations } = await hooked({ [hook]: () => answer });
      expect(end).toMatchObject({ result: { exit: 'done', value: 1 } });
      expect(iterations[0]?.traces.filter(({ type }) => type === 'hook_ignored')).toEqual([
        { type: 'hook_ignored', hook, members },
      ]);
    },
  );

  it('0.2-V14: a misspelt member of a thought is named, and at most twenty members are', async () => {
    const more = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, at]));
    const think = { resaon: 'look', context: 'orders' };
    const first = await hooked({ onBeforeTool: () => ({ think }) });
    expect(first.iterations[0]).toMatchObject({
      status: { type: 'thinking_requested', variables: 'orders' },
    });
    expect(first.iterations[0]?.traces).toContainEqual(
      expect.objectContaining({ members: ['/think/resaon'] }),
    );
    const second = await hooked({ onExit: () => more });
    const [named] = second.iterations[0]?.traces.filter(({ type }) => type === 'hook_ignored') ?? [];
    expect(named?.['members']).toHaveLength(20);
  });

  it('L-30: a hook of traces that throws changes nothing', async () => {
    const watched = await hooked({ onTrace: refuse('no') }, ['// one\nreturn { action: "done", value: 1 };']);
    expect(watched.end).toMatchObject({ result: { value: 1 } });
  });

  it('L-31: the hook before the code may replace it', async () => {
    const { end, iterations } = await hooked({ onBeforeExecution: () => ({ code: done }) }, ['return 1']);
    expect(end).toMatchObject({ result: { value: 1 } });
    expect(iterations[0]).toMatchObject({ code: done });
  });

  it('L-31 63: one that throws begins a new iteration, whose model reads why', async () => {
    const { history, iterations } = await hooked({ onBeforeExecution: refuse('no loops') });
    const status = { type: 'execution_error', code: 'hook-refused', message: 'no loops' };
    expect(iterations[0]).toMatchObject({ status });
    expect(openCalls(history, 'llm')).toEqual(['iteration-2#1']);
    expect(stateOf(history).messages.at(-1)).toMatchObject({ content: expect.stringContaining('no loops') });
  });

  it('L-31 L-40: one that asks to think shows the model its reason and its data', async () => {
    const think = { reason: 'look', context: { a: 1 } };
    const { iterations } = await hooked({ onBeforeExecution: () => ({ think }) });
    const status = { type: 'thinking_requested', reason: 'look', variables: { a: 1 } };
    expect(iterations[0]).toMatchObject({ status });
  });

  it('L-32: hooks around a tool may change its input and its output', async () => {
    const { end, history } = await hooked({
      onBeforeTool: () => ({ input: { order: 7 } }),
      onAfterTool: ({ output }) => ({ output: `${jsonText(output)} too` }),
    });
    expect(end).toMatchObject({ result: { value: '7 too' } });
    expect(history.recorded.find(({ type }) => type === 'ToolCallRequested')?.data).toMatchObject({
      arguments: { order: 7 },
    });
  });

  it.each([
    ['before', 'onBeforeTool', 0],
    ['after', 'onAfterTool', 1],
  ])(
    'L-32 63: one that throws %s a tool stops the call, as an error with its code',
    async (_, name, made) => {
      const program =
        'try { await find({ order: 1 }); } catch (e) { return { action: "done", value: [e.message, e.code] }; }';
      const { end, history } = await hooked({ [name]: refuse('not now') }, [program]);
      expect(end).toMatchObject({ result: { value: ['not now', 'hook-refused'] } });
      expect(history.recorded.filter(({ type }) => type === 'ToolCallCompleted')).toHaveLength(made);
    },
  );

  it('L-22 L-32: what a hook makes of input and output is checked like the original', async () => {
    const program =
      'try { await find({ order: 1 }); } catch (e) { return { action: "done", value: e.code }; }';
    const input = await hooked({ onBeforeTool: () => ({ input: { order: 'x' } }) }, [program]);
    expect(input.end).toMatchObject({ result: { value: 'invalid-input' } });
    const none = await hooked({ onBeforeTool: () => ({ input: null }) }, [program]);
    expect(none.end).toMatchObject({ result: { value: 'invalid-input' } });
    expect(none.history.recorded.map(({ type }) => type)).not.toContain('ToolCallRequested');
    const output = await hooked({ onAfterTool: () => ({ output: [] }) }, [program]);
    expect(output.end).toMatchObject({ result: { value: 'invalid-output' } });
  });

  it('L-40: a hook around a tool that asks to think stops the code, which keeps its variables', async () => {
    const think = { reason: 'too many', context: { found: 9 } };
    const hooks = { onAfterTool: () => ({ think }) };
    const program = 'const before = 5;\nawait find({ order: 1 });\nreturn { action: "done", value: 0 };';
    const { iterations, end } = await hooked(hooks, [program, 'return { action: "done", value: before };']);
    const status = { type: 'thinking_requested', reason: 'too many', variables: { found: 9 } };
    expect(iterations[0]).toMatchObject({ status });
    expect(end).toMatchObject({ result: { value: 5 } });
  });

  it('L-33: one that throws at an exit refuses it, and the loop goes on', async () => {
    const { iterations, history } = await hooked({ onExit: refuse('a person must look') });
    const status = { type: 'exit_error', code: 'hook-refused', exit: 'done', message: 'a person must look' };
    expect(iterations[0]).toMatchObject({ status });
    expect(openCalls(history, 'llm')).toEqual(['iteration-2#1']);
  });

  it('L-34: one at the end of an iteration may end the run; its own errors are recorded, and change nothing', async () => {
    const ended = await hooked({ onIterationEnd: () => ({ abort: 'enough' }) }, ['return 1']);
    expect(ended.end).toMatchObject({ status: 'failed', failure: { kind: 'aborted', message: 'enough' } });
    expect(ended.iterations[0]).toMatchObject({ status: { type: 'aborted', reason: 'enough' } });
    const failing = await hooked({ onIterationEnd: refuse('x') });
    expect(failing.end).toMatchObject({ status: 'completed' });
  });

  it('L-17 L-26 L-31: variables and objects are those of the last program, even when a hook refused one between', async () => {
    const refused = { onBeforeExecution: refuseAt(1, 3) };
    const objects = [{ name: 'cart', properties: [{ name: 'total', value: 5, writable: true }] }];
    const kept = 'return { action: "done", value: [kept, cart.total] };';
    const programs = ['return 1', 'const kept = 7; cart.total = 6; throw new Error("again");', kept, kept];
    const { end } = await hooked(refused, programs, { loop: 4, objects });
    expect(end).toMatchObject({ result: { value: [7, 6] } });
  });

  it('L-31: one that was in flight when its process ended is called again, three times at most', async () => {
    const history = given({ hooks: { onBeforeExecution: { fn: 'check' } } });
    replies(history, done);
    for (const attempt of [1, 2, 3]) {
      const [open] = openCalls(history, 'function');
      expect(open).toBe(`iteration-1-before#${attempt}`);
      const failure = { kind: 'interrupted', message: 'It stopped.', retryable: true, durationMs: 1 };
      history.answer(open ?? '', { failed: { failure } });
    }
    expect(stateOf(history).iterations[0]).toMatchObject({ status: { type: 'execution_error' } });
  });
});
