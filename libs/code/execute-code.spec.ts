import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import type { LlmClient } from '#lib/workflow';
import {
  type CodeExecution,
  type CodeTool,
  executeCode,
  getTypings,
  InvalidCodeExecution,
} from './execute-code.js';
import { ThinkSignal } from './think-signal.js';
import { fenced } from './testing/code-history.js';

/** Answers with these programs in turn, and fails at any further call. */
function writing(...programs: readonly string[]): LlmClient & { readonly bodies: JsonObject[] } {
  const bodies: JsonObject[] = [];
  const complete: LlmClient['complete'] = (body) => {
    const program = programs[bodies.push(body) - 1];
    if (program === undefined) return Promise.reject(new Error('The script is over.'));
    const message = { role: 'assistant', content: fenced(program) };
    return Promise.resolve({
      choices: [{ index: 0, message }],
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    });
  };
  return { bodies, complete };
}

const find: CodeTool = {
  name: 'find',
  description: 'Finds an order',
  parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
  concurrencySafe: true,
  handler: ({ order }) => ({ order, at: new Date(0) }),
};
const done = { name: 'done', description: 'Done' };
const execute = (llm: LlmClient, more: Partial<CodeExecution> = {}) =>
  executeCode({ llm, model: 'm', instructions: 'Help.', tools: [find], exits: [done], ...more });

describe('executeCode', () => {
  it('L-1 L-13 L-37: gives the exit that was taken, its output, and the iterations with their variables', async () => {
    const llm = writing(
      'const x = await Promise.all([find({ order: 1 }), find({ order: 2 })]); cart.note = "n"; throw new Error("again")',
      'return { action: "done", value: x.map(({ order }) => order) };',
    );
    const objects = [{ name: 'cart', properties: [{ name: 'note', value: null, writable: true }] }];
    const result = await execute(llm, { objects });
    expect([result.is(done), result.is({ ...done }), result.isSuccess(), result.output]).toEqual([
      true,
      false,
      true,
      [1, 2],
    ]);
    expect(result.iterations).toMatchObject([
      {
        status: { type: 'execution_error' },
        variables: { x: [{ order: 1, at: '1970-01-01T00:00:00.000Z' }, {}] },
      },
      { status: { type: 'exit_success' } },
    ]);
    expect(result.iteration).toBe(result.iterations[1]);
    expect(result.mutations).toMatchObject([{ property: 'note', after: 'n' }]);
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({ exit: 'done', usage: { promptTokens: 20 } });
    expect(llm.bodies).toHaveLength(2);
  });

  it('L-20: gives the declarations of TypeScript that the model is shown', async () => {
    const objects = [{ name: 'cart', properties: [{ name: 'note', value: 'x' }], tools: [find] }];
    const llm = writing('return { action: "done" };');
    await execute(llm, { objects });
    const typings = getTypings({ tools: [find], objects });
    expect(typings).toContain('declare function find(input: {');
    expect(typings).toContain('declare const cart: {');
    expect(JSON.stringify(llm.bodies[0])).toContain(JSON.stringify(typings).slice(1, -1));
    expect(getTypings({})).toBe('');
  });

  it('L-20 L-26: gives what tools of objects throw to the program, and input that does not fit', async () => {
    const failing: CodeTool = { ...find, handler: () => Promise.reject(new Error('not there')) };
    const objects = [{ name: 'shop', properties: [], tools: [failing] }];
    const program = `const all = await Promise.allSettled([shop.find({ order: 1 }), shop.find({})]);
return { action: 'done', value: all.map(({ reason }) => reason.message) };`;
    const { output } = await execute(writing(program), { objects });
    expect(output).toEqual(['not there', expect.stringMatching(/^Tool shop.find received invalid input/)]);
  });

  it('L-37: gives the failure when the loop took no exit, or the model failed', async () => {
    const over = await execute(writing('return 1'), { loop: 1 });
    expect([over.isError(), over.failure?.kind, over.output]).toEqual([true, 'loop-exceeded', undefined]);
    const broken = await execute(writing());
    expect(broken.failure).toEqual({
      kind: 'critical',
      message: expect.stringContaining('The script is over.'),
    });
  });

  it('L-8: ends as aborted after its signal, with the call that it waits for', async () => {
    const stop = new AbortController();
    let given: AbortSignal | undefined;
    const waiting: CodeTool = {
      ...find,
      handler: (_, { signal }) => {
        given = signal;
        stop.abort(new Error('enough'));
        return new Promise(() => undefined);
      },
    };
    const result = await execute(writing('await find({ order: 1 })'), {
      tools: [waiting],
      signal: stop.signal,
    });
    expect(result.failure).toEqual({ kind: 'aborted', message: 'enough' });
    expect(result.iterations[0]?.status).toEqual({ type: 'aborted', reason: 'enough' });
    expect(given?.aborted).toBe(true);
  });

  it.each(['hooks', 'chat'])(
    '0.2-V10: refuses %s, which are for runs, before the model is asked',
    async (name) => {
      const llm = writing();
      const members = { hooks: { onExit: { fn: 'review' } }, chat: true }[name];
      await expect(execute(llm, { [name]: members })).rejects.toThrow(
        `${name} is for runs of the workflow \`code\`, and executeCode has none. Leave ${name} out`,
      );
      expect(llm.bodies).toEqual([]);
    },
  );

  it('0.2-V8, L-40: a tool that throws ThinkSignal stops the program, and the model reads its reason and context', async () => {
    const asking: CodeTool = {
      ...find,
      handler: () => {
        throw new ThinkSignal('look first', 'seven orders');
      },
    };
    const llm = writing('await find({ order: 1 });', 'return { action: "done", value: "ok" };');
    const { iterations, output } = await execute(llm, { tools: [asking] });
    expect(output).toBe('ok');
    expect(iterations[0]?.status).toEqual({
      type: 'thinking_requested',
      reason: 'look first',
      variables: 'seven orders',
    });
    expect(JSON.stringify(llm.bodies[1])).toContain('seven orders');
  });

  it('0.2-V10, L-44: gives the sources that the value cites', async () => {
    const llm = writing('return { action: "done", value: { why: "It rains【0】." } };');
    const result = await execute(llm, { citations: ['the forecast'] });
    expect(result.output).toEqual({ why: 'It rains.' });
    expect(result.citations).toMatchObject([{ path: '/why', id: 0, source: 'the forecast' }]);
  });

  it('0.2-V8, L-44: a tool registers the sources of its result, and the program gets their tags', async () => {
    const sources = [{ page: 1 }, 'a letter'];
    const looking: CodeTool = { ...find, handler: () => ({ text: 'It rains', sources }) };
    const program = `const own = cite('own');
const { text, sources } = await find({ order: 1 });
return { action: 'done', value: text + sources[1] + cite('later') + sources[0] + own };`;
    const { output, citations } = await execute(writing(program), { tools: [looking], citations: ['given'] });
    expect(output).toBe('It rains');
    expect(citations.map(({ id, source }) => [id, source])).toEqual([
      [3, 'a letter'],
      [4, 'later'],
      [2, { page: 1 }],
      [1, 'own'],
    ]);
  });

  it('0.2-V8: a program cannot change what a tool registers', async () => {
    const looking: CodeTool = { ...find, handler: () => ({ sources: [{ page: 1 }] }) };
    const program = `Object.defineProperty(globalThis, 'cite', { value: () => 'mine' });
const found = find({ order: 1 });
Object.prototype.toJSON = () => 'forged';
JSON.stringify = () => '"forged"';
const { sources } = await found;
delete Object.prototype.toJSON;
return { action: 'done', value: sources[0] };`;
    const { citations } = await execute(writing(program), { tools: [looking], citations: [] });
    expect(citations).toMatchObject([{ id: 0, source: { page: 1 } }]);
  });

  it('0.2-V8: sources count as output of the program', async () => {
    const looking: CodeTool = { ...find, handler: () => ({ sources: ['x'.repeat(900_000)] }) };
    const program = `for (let at = 0; at < 9; at++) await find({ order: at });`;
    const llm = writing(program, 'return { action: "done", value: 1 };');
    const { iterations } = await execute(llm, { tools: [looking], citations: [] });
    expect(iterations[0]?.status).toMatchObject({ type: 'execution_error', code: 'limit' });
  });

  it('0.2-V8: without citations, and where it is no list, the member is one like any other', async () => {
    const [list, text]: [CodeTool, CodeTool] = [
      { ...find, name: 'list', handler: () => ({ sources: ['a'] }) },
      { ...find, name: 'text', handler: () => ({ sources: 'a' }) },
    ];
    const program = `return { action: 'done', value: [(await list({ order: 1 })).sources, (await text({ order: 1 })).sources] };`;
    const without = await execute(writing(program), { tools: [list, text] });
    expect(without.output).toEqual([['a'], 'a']);
    const citing = await execute(writing(program), { tools: [list, text], citations: [] });
    expect(citing.output).toEqual([[''], 'a']);
  });

  it('L-2 L-20: refuses arguments that cannot be used, before the model is asked', async () => {
    const llm = writing();
    await expect(execute(llm, { loop: 101 })).rejects.toBeInstanceOf(InvalidCodeExecution);
    await expect(execute(llm, { tools: [find, find] })).rejects.toThrow(
      '/tools/1: must not be named find again',
    );
    expect(llm.bodies).toEqual([]);
  });
});
