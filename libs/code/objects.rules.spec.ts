import { describe, expect, it } from '@jest/globals';
import { checkValue } from '#lib/json-schema';
import type { JsonObject } from '#lib/kernel';
import { type CodeInput, type CodeObject, codeInputSchema } from './code.input.js';
import { actionOf } from './exits.rules.js';
import { wholeResult } from './result.rules.js';
import { inputProblems } from './input-problems.rules.js';
import { type Answer, given, plays, replies, stateOf, tool, toolOk } from './testing/code-history.js';

const cart: CodeObject = {
  name: 'cart',
  properties: [
    { name: 'total', value: 5 },
    { name: 'lines', value: [{ sku: 'a' }], writable: true, schema: { type: 'array', maxItems: 2 } },
    { name: 'note', value: null, writable: true, schema: true },
  ],
  tools: ['find'],
};

async function played(programs: readonly string[], changes: Partial<CodeInput> = {}, answer?: Answer) {
  const history = given({ tools: [], objects: [cart], ...changes }, [tool('find')]);
  for (const program of programs) await plays(replies(history, program), answer);
  const result = wholeResult(stateOf(history), history.end?.result ?? {}) as JsonObject;
  return { history, result, iterations: stateOf(history).iterations };
}

describe('objects of code', () => {
  it('L-26: takes a write that fits, shows it as a trace and a mutation, and the next program reads it', async () => {
    const first = `cart.lines = [...cart.lines, { sku: 'b' }]; cart.note = { by: 'me' };
cart.note = { by: 'me' }; cart.total = 5; throw new Error('again');`;
    const second = 'return { action: "done", value: [cart.total, cart.lines, cart.note] };';
    const { result, iterations } = await played([first, second]);
    const lines = [{ sku: 'a' }, { sku: 'b' }];
    const mutations = [
      { object: 'cart', property: 'lines', before: [{ sku: 'a' }], after: lines },
      { object: 'cart', property: 'note', before: null, after: { by: 'me' } },
    ];
    expect(result).toMatchObject({ value: [5, lines, { by: 'me' }], mutations });
    expect(iterations[0]?.traces).toEqual(mutations.map((one) => ({ type: 'property', ...one })));
  });

  it('L-26: refuses a write that does not fit or is not allowed, with an error that says why', async () => {
    const refused: readonly (readonly [write: string, message: string | RegExp])[] = [
      ['cart.total = 6', 'AssignmentError: Property cart.total is read-only.'],
      [
        'cart.lines = [1, 2, 3]',
        'AssignmentError: Property cart.lines does not take this value: / maxItems {"limit":2}',
      ],
      ['cart.note = () => 1', 'AssignmentError: Property cart.note takes no function.'],
      ['cart.note = undefined', 'AssignmentError: Property cart.note takes no undefined.'],
      ['cart.lines[0].sku = "b"', /^TypeError: .*read-only/],
      ['cart.other = 1', /^TypeError: .*not extensible/],
      ['cart.find = 1', /^TypeError: .*read-only/],
      ['Object.defineProperty(cart, "total", { value: 1 })', /^TypeError/],
      ['for (let n = 0; n < 1_001; n++) cart.note = n;', /1000 times at most/],
    ];
    const tried = refused.map(
      ([write]) => `try { ${write}; all.push('none'); } catch (e) { all.push(e.name + ': ' + e.message); }`,
    );
    const program = ['const all = [];', ...tried, 'return { action: "done", value: all };'].join('\n');
    const messages = refused.map(([, message]) => expect.stringMatching(message));
    expect((await played([program])).result['value']).toEqual(messages);
  });

  it('L-26: writes before a wait are made once, and those of a program that goes over a limit stand', async () => {
    const program = 'cart.note = 1; await cart.find({ order: 1 }); cart.note = 2; for (;;);';
    const { result } = await played([program, 'return { action: "done", value: cart.note };']);
    const written = (before: unknown, after: number) => ({ object: 'cart', property: 'note', before, after });
    expect(result).toMatchObject({ value: 2, mutations: [written(null, 1), written(1, 2)] });
  });

  it('L-24: gives a tool its static inputs, whatever the program says, under each of its names', async () => {
    const made: JsonObject[] = [];
    const use = { toolId: 'find', name: 'search', aliases: ['look'], inputs: { order: 7 } };
    const program =
      'await search(); await look({ order: 1, x: 2 }); return { action: "done", value: typeof find };';
    const { result } = await played([program], { tools: [use], objects: [] }, (input) => {
      made.push(input);
      return toolOk(null);
    });
    expect([result['value'], made]).toEqual(['undefined', [{ order: 7 }, { order: 7, x: 2 }]]);
  });

  it('L-25 L-36: shows each call with its result', async () => {
    const { iterations } = await played(['await cart.find({ order: 3 }); await cart.find({ order: "x" });']);
    const named = { tool_name: 'find', object: 'cart' };
    expect(iterations[0]?.traces).toMatchObject([
      {
        type: 'tool_call',
        ...named,
        tool_call_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        input: { order: 3 },
        success: true,
        output: 3,
      },
      { type: 'tool_call', ...named, success: false, error: expect.stringMatching('received invalid input') },
    ]);
  });
});

describe('the input of code', () => {
  const exit = (name: string, ...aliases: string[]) => ({ name, description: 'x', aliases });
  const withProperty = (property: object) => ({
    objects: [{ name: 'o', properties: [{ name: 'p', value: 1, ...property }] }],
  });

  const withProperties = (count: number) => ({
    objects: [
      { name: 'o', properties: Array.from({ length: count }, (_, n) => ({ name: `p${n}`, value: n })) },
    ],
  });

  it.each<[string, Partial<CodeInput>, readonly string[]]>([
    ['two tools of one name', { tools: ['a', { toolId: 'b', aliases: ['a'] }] }, ['/tools/1']],
    ['an object with the name of a tool', { tools: ['cart'], objects: [cart] }, ['/objects/0']],
    ['two members of one name', { objects: [{ ...cart, tools: ['total'] }] }, ['/objects/0/tools/0']],
    [
      'words of programs',
      { tools: ['think', { toolId: 'b', name: 'await' }, 'Promise'] },
      ['/tools/0', '/tools/1', '/tools/2'],
    ],
    ['exits that differ in case', { exits: [exit('a'), exit('b', 'A')] }, ['/exits/1']],
    ['an exit named think', { exits: [exit('Think')] }, ['/exits/0']],
    [
      'an exit whose schema is none',
      { exits: [{ ...exit('a'), schema: { type: 'x' } }] },
      ['/exits/0/schema/type'],
    ],
    [
      'a value that does not fit',
      withProperty({ schema: { type: 'string' } }),
      ['/objects/0/properties/0/value'],
    ],
    [
      'a schema that is none',
      withProperty({ schema: { type: 'x' } }),
      ['/objects/0/properties/0/schema/type'],
    ],
  ])('L-5 L-26: refuses %s', (_, changes, paths) => {
    const problems = inputProblems({ instructions: '', model: 'm', tools: [], ...changes });
    expect(problems.map(({ path }) => path)).toEqual(paths);
  });

  it('L-5 L-26: a schema may be true, which everything fits, or false, which nothing does', () => {
    const [exits, plain] = [[{ ...exit('a'), schema: false }], { instructions: '', model: 'm', tools: [] }];
    expect(inputProblems({ ...plain, ...withProperty({ schema: true }), exits })).toEqual([]);
    const problems = inputProblems({ ...plain, ...withProperty({ schema: false }) });
    expect(problems.map(({ path }) => path)).toEqual(['/objects/0/properties/0/value']);
    const returned = { action: 'a', value: 1 };
    expect(actionOf(returned, [{ ...exit('a'), schema: true }])).toMatchObject({ kind: 'exit', value: 1 });
    expect(actionOf(returned, exits)).toMatchObject({ kind: 'error', code: 'invalid-value' });
  });

  it.each<[string, JsonObject]>([
    ['tools', { tools: Array.from({ length: 101 }, (_, n) => `t${n}`) }],
    ['exits', { exits: Array.from({ length: 101 }, (_, n) => exit(`e${n}`)) }],
    ['objects', { objects: Array.from({ length: 101 }, (_, n) => ({ name: `o${n}`, properties: [] })) }],
    ['properties', withProperties(101)],
    [
      'components',
      { components: Array.from({ length: 101 }, (_, n) => ({ name: `C${n}`, description: 'x' })) },
    ],
    ['messages', { transcript: Array.from({ length: 251 }, () => ({ role: 'user', text: 'x' })) }],
    ['sources', { citations: Array.from({ length: 1_001 }, (_, n) => n) }],
    ['iterations', { loop: 101 }],
    ['characters', { instructions: 'x'.repeat(1_000_001) }],
  ])('L-2 L-3: has at most so many %s', (_, changes) => {
    const input = { instructions: '', model: 'm', tools: [], ...changes };
    expect(checkValue(codeInputSchema, input).count).toBe(1);
  });

  it('L-5: takes a tool, an exit and a member of an object of the same name', () => {
    const input = {
      instructions: '',
      model: 'm',
      tools: ['find'],
      objects: [cart],
      exits: [exit('find', 'total')],
    };
    expect(inputProblems(input)).toEqual([]);
  });
});
