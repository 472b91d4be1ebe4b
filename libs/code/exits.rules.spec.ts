import { describe, expect, it } from '@jest/globals';
import type { Json } from '#lib/kernel';
import type { CodeInput } from './code.input.js';
import { actionOf, exitsOf } from './exits.rules.js';
import { given, plays, replies, stateOf } from './testing/code-history.js';

/** A run of the newest version without `exits`, whose model replies with this program. */
async function runOf(program: string) {
  const history = await plays(replies(given({ exits: [] }), program));
  return { end: history.end, status: stateOf(history).iterations[0]?.status, state: stateOf(history) };
}

describe('the exits of a run that declares none', () => {
  it.each([
    ['done with a value', { action: 'done', value: 'Sent.' }, { exit: 'done', value: 'Sent.' }],
    ['done with a result', { action: 'success', result: 'Sent.' }, { exit: 'done', value: 'Sent.' }],
    ['an error', { action: 'error', value: 'No stock.' }, { exit: 'error', value: 'No stock.' }],
  ])('0.2-V7 L-12: are taken by %s', async (_, returned, result) => {
    const { end } = await runOf(`return ${JSON.stringify(returned)};`);
    expect(end).toMatchObject({ status: 'completed', result });
  });

  it.each<[string, Json, string]>([
    ['an object', { action: 'done', value: { foo: 1 } }, 'done'],
    ['other members', { action: 'done', foo: 1 }, 'done'],
    ['a number', { action: 'done', value: 5 }, 'done'],
    ['nothing', { action: 'done' }, 'done'],
    ['an error that is no text', { action: 'error', value: { code: 7 } }, 'error'],
  ])('0.2-V7: send back %s: a value is a text', async (_, returned, exit) => {
    const { end, status, state } = await runOf(`return ${JSON.stringify(returned)};`);
    expect(end).toBeUndefined();
    expect(status).toMatchObject({ type: 'exit_error', code: 'invalid-value', exit });
    expect(state.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringContaining(`does not fit the exit ${exit}`),
    });
  });

  it('0.2-V7: tell the model that both values are texts', () => {
    const [system] = stateOf(given({ exits: [] })).messages as { readonly content: string }[];
    expect(system?.content).toMatch(
      /- `done` \(also success\): .*`value: string`\n- `error`: .*`value: string`/,
    );
  });

  it.each([
    ['a result', { success: true, result: 5 }],
    ['an error', { success: false, error: 'no' }],
    ['any value', [1]],
  ])('0.2-V7: take %s in version 1, whose runs continue as they began', (_, value) => {
    const exits = exitsOf({}, 1);
    const taken = { kind: 'exit', name: 'done', value };
    expect(actionOf({ action: 'done', value }, exits)).toEqual(taken);
    expect(actionOf({ action: 'error', value }, exits)).toEqual(taken);
  });

  it('are not there beside declared ones, nor in a conversation', () => {
    const bye = { name: 'bye', description: 'Over' };
    const names = (input: Pick<CodeInput, 'exits' | 'chat'>) => exitsOf(input, 2).map(({ name }) => name);
    expect(names({ exits: [bye] })).toEqual(['bye']);
    expect(names({ exits: [], chat: true })).toEqual(['listen']);
  });
});
