import { describe, expect, it } from '@jest/globals';
import { reject } from '#lib/kernel';
import { WrittenPosition } from '../read-side/written-position.js';
import { CommandGate } from './command-gate.js';
import type { Granted } from './granted.js';
import { RejectionError } from './rejection-error.js';

function callOfKey(commandId = 'c', fingerprint = 'f') {
  return { commandId, fingerprint, actor: 'operator', keyed: true, written: new WrittenPosition() };
}

function granted(value: string, position?: string): Granted<string> {
  return { value, position, created: false };
}

function later(): { readonly promise: Promise<Granted<string>>; readonly answer: (text: string) => void } {
  let answer: (text: string) => void = () => undefined;
  const promise = new Promise<Granted<string>>((resolve) => {
    answer = (text) => resolve(granted(text));
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
    const both = [gate.once(callOfKey(), work), gate.once(callOfKey(), work)];
    answer('done');
    expect(await Promise.all(both)).toMatchObject([{ value: 'done' }, { value: 'done' }]);
    expect(runs).toBe(1);
  });

  it('refuses the key of a call that runs with another input', async () => {
    const gate = new CommandGate();
    const { promise, answer } = later();
    const first = gate.once(callOfKey(), () => promise);
    const other = gate.once(callOfKey('c', 'other'), () => Promise.resolve(granted('')));
    await expect(other).rejects.toMatchObject({ rejection: { code: 'idempotency-key-reused' } });
    answer('done');
    expect(await first).toMatchObject({ value: 'done' });
  });

  it('settles with what ran when it was asked, failures included, and not with what came after', async () => {
    const gate = new CommandGate();
    const running = later();
    const never = later();
    const failing = gate.once(callOfKey(), () => running.promise.then(() => Promise.reject(new Error('no'))));
    const settled = gate.settled();
    void gate.once(callOfKey('d'), () => never.promise);
    running.answer('');
    await expect(failing).rejects.toThrow('no');
    await settled;
  });

  it('answers with the position of the last event written for the call, whichever part of it wrote that', async () => {
    const call = callOfKey();
    const answer = new CommandGate().once(call, async () => {
      call.written.note('log.2');
      return granted('done', 'log.1');
    });
    expect(await answer).toMatchObject({ position: 'log.2' });
  });

  it('says with a refusal where the log stands, when something was written before it', async () => {
    const call = callOfKey();
    const text = { errorClass: 'E', what: 'w', why: 'y', fix: 'f' };
    const answer = new CommandGate().once(call, async () => {
      call.written.note('log.2');
      throw new RejectionError(reject('refused', 'no', text));
    });
    await expect(answer).rejects.toMatchObject({ rejection: { code: 'no' }, position: 'log.2' });
  });
});
