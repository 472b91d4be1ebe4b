import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { sandboxActivity } from '#lib/activities';
import { type SandboxMemory, wholeSlice } from '#lib/call-rules';
import type { JsonObject } from '#lib/kernel';
import { codeErrors } from './code-errors.rules.js';
import type { CodeInput } from './code.input.js';
import type { ToolFact } from '#lib/runs/tools';
import { KeptMap } from '#lib/workflow';
import {
  type Answer,
  given,
  openCalls,
  plays,
  replies,
  sandbox,
  stateOf,
  tool,
  toolOk,
} from './testing/code-history.js';

interface Setting {
  readonly input?: Partial<CodeInput>;
  readonly tools?: readonly ToolFact[];
  readonly answer?: Answer;
}

/** A run whose model replies with these programs, until it waits or ends. */
async function runOf(programs: readonly string[], { input, tools, answer }: Setting = {}) {
  const history = given(input, tools);
  for (const program of programs) await plays(replies(history, program), answer);
  const { iterations, messages } = stateOf(history);
  return {
    history,
    end: history.end,
    iterations,
    statuses: iterations.map(({ status }) => status),
    messages,
  };
}

const types = (statuses: readonly { readonly type: string }[]) => statuses.map(({ type }) => type);
const count = { name: 'count', description: 'How many', schema: { type: 'integer' }, aliases: ['total'] };

describe('the loop of code', () => {
  it('L-2 L-6: fails with `loop-exceeded` after as many iterations as `loop` says', async () => {
    const { end, statuses } = await runOf(['return 1', 'return 2'], { input: { loop: 2 } });
    expect(end).toMatchObject({
      status: 'failed',
      failure: { kind: 'loop-exceeded' },
      result: { iterations: 2 },
    });
    expect(types(statuses)).toEqual(['exit_error', 'exit_error']);
  });

  it.each([
    ['its name in any case', 'return { action: "COUNT", value: 3 }', { exit: 'count', value: 3 }],
    ['an alias', 'return { action: "Total", result: 3 }', { exit: 'count', value: 3 }],
    [
      'a result where the value does not fit',
      'return { action: "count", value: "x", result: 4 }',
      { exit: 'count', value: 4 },
    ],
  ])('L-11 L-13: takes an exit by %s', async (_, program, result) => {
    expect((await runOf([program], { input: { exits: [count] } })).end).toMatchObject({
      status: 'completed',
      result,
    });
  });

  it.each([
    ['no action', 'return 5', /valid actions are count, think/],
    ['an unknown action', 'return { action: "stop" }', /no action "stop"/],
    ['a value that does not fit', 'return { action: "count", value: "x" }', /does not fit the exit count/],
  ])('L-11 L-14 L-15: shows %s to the model, which goes on', async (_, program, message) => {
    const { statuses, messages } = await runOf([program], { input: { exits: [count] } });
    expect(statuses[0]).toMatchObject({ type: 'exit_error', message: expect.stringMatching(message) });
    expect(messages.at(-1)).toMatchObject({ role: 'user', content: expect.stringMatching(message) });
  });

  it('L-14 L-15: shows what failed with its line, and what is not a code', async () => {
    const failing = 'const a = 1;\nnull.x;';
    const { statuses, messages } = await runOf([failing, 'const = 1'], { input: { loop: 5 } });
    expect(types(statuses)).toEqual(['execution_error', 'invalid_code_error', 'pending']);
    const texts = messages.map((message) => (message as { content: string }).content);
    expect(texts[3]).toMatch(/TypeError: .*\(line 2\)\nLine 2: null\.x;/);
    expect(texts[5]).toMatch(/The code is invalid: .*\(line 1\)\nLine 1: const = 1/);
  });

  it.each([
    ['a declaration', 'const size = c.order.items;', 3],
    ['destructuring', 'const { x } = c.order;', 3],
    ['a list of a loop', 'for (const x of c.order);', 3],
    ['a condition', 'if (c.order.x) { }', 3],
    ['what is returned', 'switch (1) {\ndefault:\nreturn { action: c.order.x };\n}', 5],
    ['a field of a class', 'class A { static x = c.order.x; }', 3],
    ['a function', 'const f = () => {\nconst [x] = c.order;\n};\nf();', 4],
  ])('L-15 L-47: an error in %s has its line', async (_, statement, line) => {
    const { statuses } = await runOf([
      `interface Order { x: 1 }\nconst c: any = { name: String(1) };\n${statement}`,
    ]);
    const message = expect.stringMatching(`^TypeError: .*\\(line ${line}\\)$`);
    const stack = expect.stringMatching(`^at (program|f) \\(program.tsx:${line}\\)`);
    expect(statuses[0]).toMatchObject({ type: 'execution_error', message, stack });
  });

  it('L-15 L-47: a stack has the lines of the code as the model wrote it, even when the code reads it', async () => {
    const program = `const inner = (order: any) => {
  throw new Error(order);
};
const outer = () =>
  inner(1);
let seen;
try { outer(); } catch (error: any) { seen = error.stack; }
outer();`;
    const { statuses, history } = await runOf([program, 'return { action: "done", value: seen };']);
    const stack = ['at inner (program.tsx:2)', 'at outer (program.tsx:5)', 'at program (program.tsx:8)'];
    expect(statuses[0]).toMatchObject({ stack: stack.join('\n') });
    expect(history.end?.result).toMatchObject({
      value: expect.stringMatching(/inner \(.*:2:.*\n.*outer \(.*:5:.*\n.*program \(.*:7:/),
    });
  });

  it('L-17 L-40: keeps variables exactly, after errors and thinking: dates, maps, big integers, cycles', async () => {
    const first = `const when = new Date(5); const m = new Map([[1, { n: 7n }]]); const self: any = [NaN, -0];
self.push(self); let f = () => 1; throw new Error('again');`;
    const second = 'return { action: "think", reason: "look", size: m.size };';
    const third = `const m2 = m; const when = 1;
return { action: "done", value: [m2.get(1).n === 7n, self[2] === self, Object.is(self[1], -0), f, when] };`;
    const { end, statuses, messages } = await runOf([first, second, third]);
    expect(end).toMatchObject({ result: { value: [true, true, true, '[function f]', 1] } });
    expect(statuses[1]).toMatchObject({ type: 'thinking_requested', reason: 'look', variables: { size: 1 } });
    expect(JSON.stringify(messages.at(-2))).toContain('You asked to think: look');
  });

  it('ends with `budget` before a further call of the model', async () => {
    const { end } = await runOf(['return 1'], { input: { budget: { maxTokens: 15 } } });
    expect(end).toMatchObject({ failure: { kind: 'budget' }, result: { iterations: 1 } });
  });

  it('66: a backup replies when the model fails; the iteration says which one, its tokens and its cost', () => {
    const history = given({}, [], ['m', 'backup']);
    const failure = { kind: 'timeout', message: 'No first byte came within 60 ms.', retryable: true };
    history.answer('iteration-1#1', { failed: { failure: { ...failure, durationMs: 60 } } });
    replies(history, 'return { action: "done", value: 1 };');
    expect(stateOf(history).iterations[0]).toMatchObject({
      model: 'backup',
      usage: { promptTokens: 10, completionTokens: 5 },
    });
  });

  it('63: a critical error ends the run, all others are shown to the model', () => {
    const history = given({}, []);
    const failure = { kind: 'auth', message: 'no', retryable: false, durationMs: 1 };
    history.answer('iteration-1#1', { failed: { failure } });
    expect(history.end).toMatchObject({ status: 'failed', failure: { kind: 'critical' } });
    expect(stateOf(history).iterations[0]).toMatchObject({
      status: { type: 'generation_error', code: 'model-failed' },
    });
  });

  it('63: the page of code names each error', () => {
    const page = readFileSync('docs/code.md', 'utf8');
    for (const [code, { isCritical }] of Object.entries(codeErrors))
      expect(page).toMatch(new RegExp(`\\| \`${code}\` +\\| ${isCritical ? 'yes' : 'no'} `));
  });

  it('L-8: cancelled, it is `aborted`, and so is its iteration', async () => {
    const { history } = await runOf([]);
    history.cancel('enough');
    const call = openCalls(history, 'llm')[0] ?? '';
    history.answer(call, {
      failed: { failure: { kind: 'interrupted', message: 'x', retryable: true, durationMs: 1 } },
    });
    expect(history.end).toMatchObject({ status: 'cancelled', failure: { kind: 'aborted' } });
    expect(stateOf(history).iterations).toMatchObject([{ status: { type: 'aborted', reason: 'enough' } }]);
  });
});

it.each([
  ['replaces a built-in', 'Object.prototype.toJSON = () => 1; await find({ order: 1 });', /built-ins/],
  ['calls a tool without input', 'await find(() => 1);', /invalid input/],
])(
  'L-14 L-47: a program that %s comes to an error of the code, not of the run',
  async (_, program, message) => {
    expect((await runOf([program])).statuses[0]).toMatchObject({
      type: 'execution_error',
      message: expect.stringMatching(message),
    });
  },
);

describe('replay of slices', () => {
  const activity = sandboxActivity(sandbox);
  const limits = { ticks: 1_000, memoryBytes: 67_108_864, stackBytes: 262_144, timeMs: 1 };
  const clock = '2026-01-02T03:04:05.000Z';
  const program = {
    code: 'for (let i = 0; i < 1e6; i++); return 1;',
    tools: [],
    clock,
    seed: 'run 1',
    limits,
  };
  const memory: SandboxMemory = {
    slices: KeptMap.empty(),
    variables: KeptMap.empty(),
    results: KeptMap.empty(),
    objects: [],
  };
  const again = (completed: JsonObject, signal = new AbortController().signal) =>
    activity.recompute?.({ stepId: 's', program }, completed, memory, signal);

  it('L-48: does not depend on the speed of the machine: a slice may take longer than its `timeMs`', async () => {
    const relaxed = { ...program, limits: { ...limits, timeMs: 60_000 } };
    const result = await sandbox.run(wholeSlice({ program: relaxed }, memory));
    const completed = { stepId: 's', ...result, durationMs: 1 };
    expect(await again(completed)).toEqual(completed);
  });

  it('L-48: a program sees the time of its reply in UTC and numbers of its seed, and nothing of its process', async () => {
    const names = ['performance', 'setTimeout', 'fetch', 'process', 'require'];
    const code = `return [Date.now(), new Date().getTimezoneOffset(), [Math.random(), Math.random()],
${names.map((name) => `typeof ${name}`).join(', ')}];`;
    const shown = async (seed: string) => {
      const slice = { program: { ...program, code, seed, limits: { ...limits, timeMs: 60_000 } } };
      return sandbox.run(wholeSlice(slice, memory));
    };
    const numbers = [expect.any(Number), expect.any(Number)];
    const hidden = names.map(() => 'undefined');
    const [first, again, other] = [await shown('run 1'), await shown('run 1'), await shown('run 2')];
    expect(first.end).toEqual({ kind: 'returned', value: [Date.parse(clock), 0, numbers, ...hidden] });
    expect(again).toEqual(first);
    expect(other.end).not.toEqual(first.end);
  });

  it('has a thread of its own: runs go on beside replays that do not end', async () => {
    const endless = { ...program, code: 'for (;;);', limits: { ...limits, ticks: 1_000_000 } };
    const build = await sandbox.build();
    const stop = new AbortController();
    const slices = Array.from({ length: sandbox.threads + 1 }, async () =>
      activity.recompute?.(
        { stepId: 's', program: endless },
        { stepId: 's', build, durationMs: 1 },
        memory,
        stop.signal,
      ),
    );
    const relaxed = { ...program, limits: { ...limits, timeMs: 60_000 } };
    expect(await sandbox.run(wholeSlice({ program: relaxed }, memory))).toMatchObject({ end: { value: 1 } });
    stop.abort();
    expect(await Promise.all(slices)).toEqual(slices.map(() => undefined));
  });

  it('takes a slice of another build, and each one after the signal, as it is recorded', async () => {
    expect(await again({ stepId: 's', build: 'another', durationMs: 1 })).toBeUndefined();
    const build = await sandbox.build();
    expect(await again({ stepId: 's', build, durationMs: 1 }, AbortSignal.abort())).toBeUndefined();
  });
});

describe('tools in code', () => {
  const safe = { concurrencySafe: true };

  it('L-20: calls that allow it run at once, others one after another, and the code goes on where it waited', async () => {
    const program =
      'const all = await Promise.all([1, 2, 3].map((order) => find({ order })));\nreturn { action: "done", value: all };';
    for (const [policy, open] of [
      [safe, 3],
      [{}, 1],
    ] as const) {
      const history = replies(given({}, [tool('find', policy)]), program);
      await plays(history, () => {
        throw new Error('not yet');
      }).catch(() => undefined);
      expect(openCalls(history, 'tool')).toHaveLength(open);
      await plays(history);
      expect(history.end).toMatchObject({ result: { value: [1, 2, 3] } });
    }
  });

  it('L-23: a call that failed is made again as the policy of its tool says', async () => {
    const history = replies(given({}, [tool('find', { maxAttempts: 2 })]), 'await find({ order: 1 });');
    await plays(history, () => ({
      failed: { failure: { kind: 'network', message: 'lost', retryable: true, durationMs: 1 } },
    }));
    history.fire('iteration-1-code.call-1-retry#2');
    expect(openCalls(history, 'tool')).toEqual(['iteration-1-code.call-1#2']);
  });

  it('L-4: what may change is read by a tool, whose answer is recorded, and not by a getter', async () => {
    const program = 'await find({ order: 1 }); throw new Error(String(await find({ order: 2 })));';
    const { statuses } = await runOf([program], { answer: ({ order }) => toolOk(`order ${Number(order)}`) });
    expect(statuses[0]).toMatchObject({ message: 'Error: order 2 (line 1)' });
  });

  it('L-15: what a tool throws has the line of its call', async () => {
    const program = 'const all = [1];\nawait Promise.all(\n  all.map((order) => find({ order })));';
    const failure = { kind: 'tool', message: 'gone', retryable: false, durationMs: 1 };
    const { statuses, messages } = await runOf([program], { answer: () => ({ failed: { failure } }) });
    expect(statuses[0]).toMatchObject({ message: expect.stringMatching(/gone.* \(line 3\)$/) });
    expect(messages.at(-1)).toMatchObject({ content: expect.stringContaining('Line 3: all.map(') });
  });

  it('L-4 L-47: a call has its own outcome when making its error makes another call', async () => {
    const program = `let once = false;
Error.prepareStackTrace = () => {
  if (!once) { once = true; other({ order: 2 }); }
  return '';
};
return { action: 'done', value: await find({ order: 1 }) };`;
    const tools = [tool('find'), tool('other')];
    const answer: Answer = ({ order }, { toolId }) => toolOk(`${toolId} ${Number(order)}`);
    expect((await runOf([program], { tools, answer })).end).toMatchObject({ result: { value: 'find 1' } });
  });

  it('L-21: input that does not fit is an error in the code, and no call', async () => {
    const program =
      'try { await find({ order: "x" }); } catch (e) { return { action: "done", value: e.message }; }';
    const { end, history } = await runOf([program]);
    expect(end).toMatchObject({
      result: { value: expect.stringMatching(/^Tool find received invalid input/) },
    });
    expect(history.recorded.map(({ type }) => type)).not.toContain('ToolCallRequested');
  });

  it('L-22: output that does not fit the schema of its tool is an error in the code', async () => {
    const tools = [tool('find', {}, { type: 'string' })];
    const program =
      'try { await find({ order: 1 }); } catch (e) { return { action: "done", value: e.message }; }';
    const { end } = await runOf([program], { tools });
    expect(end).toMatchObject({
      result: { value: expect.stringMatching(/^Tool find returned invalid output/) },
    });
  });

  it('L-41 L-43: waits for a person with all its variables, and goes on at the same place', async () => {
    const program = `const before = new Map([['a', 1]]);
const both = await Promise.allSettled([pay({ order: 1 }), pay({ order: 2 })]);
return { action: 'done', value: [before.get('a'), both.map(({ status, reason }) => reason?.message ?? status)] };`;
    const { history } = await runOf([program], { tools: [tool('pay', { needsApproval: true })] });
    const awaits = [...history.open].flatMap(([id, { kind }]) => (kind === 'await' ? [id] : []));
    expect(awaits).toHaveLength(2);
    history.signal(awaits[1] ?? '', { approved: false, reason: 'too much' });
    history.signal(awaits[0] ?? '', { approved: true });
    await plays(history);
    const refused = 'A person refused this call: too much';
    expect(history.end).toMatchObject({ result: { value: [1, ['fulfilled', refused]] } });
  });

  it('makes calls that the code does not wait for before its iteration ends', async () => {
    const made: unknown[] = [];
    const answer: Answer = ({ order }) => {
      made.push(order);
      return toolOk(null);
    };
    const { end } = await runOf(
      ['find({ order: 1 }); find({ order: 2 }); return { action: "done", value: 0 }'],
      { answer },
    );
    expect([end?.status, made]).toEqual(['completed', [1, 2]]);
  });

  it('a wait for nothing is an error of the code', async () => {
    const { statuses } = await runOf(['await new Promise(() => 0)']);
    expect(statuses[0]).toMatchObject({
      type: 'execution_error',
      message: expect.stringContaining('waits for'),
    });
  });

  it.each([
    ['time-limit', 'for (;;);', 'The program ran for more than 5 ms.'],
    ['too-deep', '((1))', 'The code is nested too deeply.'],
  ])('a slice that failed as %s is an error of the code, and no other slice', async (kind, code, message) => {
    const { history } = await runOf([]);
    replies(history, code);
    const failure = { kind, message, retryable: false, durationMs: 5 };
    history.answer(openCalls(history, 'sandbox')[0] ?? '', { failed: { failure } });
    expect(stateOf(history).iterations[0]).toMatchObject({
      status: { type: 'execution_error', message: failure.message },
    });
    expect(openCalls(history, 'llm')).toHaveLength(1);
  });
});
