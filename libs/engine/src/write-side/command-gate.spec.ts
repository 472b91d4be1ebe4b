import { describe, expect, it } from '@jest/globals';
import { CommandGate } from './command-gate.js';

const call = { commandId: 'c', fingerprint: 'f', actor: 'operator', keyed: true };

function later(): { readonly promise: Promise<string>; readonly answer: (text: string) => void } {
  let answer: (text: string) => void = () => undefined;
  const promise = new Promise<string>((resolve) => {
    answer = resolve;
  });
  return { promise, answer };
}

describe('the command gate', () => {
  it('lets a repeat wait for the answer of the call that runs, and runs its work once', async () => {
    const gate = new CommandGate();
    const { promise, answer } = later();
    let runs = 0;
    const work = () => {
      runs++;
      return promise;
    };
    const both = [gate.once(call, work), gate.once(call, work)];
    answer('done');
    expect(await Promise.all(both)).toEqual(['done', 'done']);
    expect(runs).toBe(1);
  });

  it('refuses the key of a call that runs with another input', async () => {
    const gate = new CommandGate();
    const { promise, answer } = later();
    const first = gate.once(call, () => promise);
    const other = gate.once({ ...call, fingerprint: 'other' }, () => Promise.resolve(''));
    await expect(other).rejects.toMatchObject({ rejection: { code: 'idempotency-key-reused' } });
    answer('done');
    expect(await first).toBe('done');
  });

  it('settles with what ran when it was asked, failures included, and not with what came after', async () => {
    const gate = new CommandGate();
    const running = later();
    const never = later();
    const failing = gate.once(call, () => running.promise.then(() => Promise.reject(new Error('no'))));
    const settled = gate.settled();
    void gate.once({ ...call, commandId: 'd' }, () => never.promise);
    running.answer('');
    await expect(failing).rejects.toThrow('no');
    await settled;
  });
});
