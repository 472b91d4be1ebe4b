import { describe, expect, it } from '@jest/globals';
import { EventCodec, EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { derivedId, Fingerprints, randomIds, reject, systemClock } from '#lib/kernel';
import { WrittenPosition } from '../read-side/written-position.js';
import { callEventDefinitions } from './call.events.js';
import { CallSubject } from './command-context.js';
import { KeyTarget } from './key-target.js';
import { SingleFlight } from './single-flight.js';
import type { Written } from './written.js';
import { RecordedAnswers } from './recorded-answers.js';
import { RejectionError } from './rejection-error.js';

function idOf(name: string): string {
  return derivedId('6f1a6a5e-3f64-4b5e-9f0b-0c5a3f6f7d11', name);
}

const prints = new Fingerprints('the key of the log');

function callOfKey(commandId = 'c', fingerprint = 'f') {
  return {
    commandId: idOf(commandId),
    fingerprint: prints.of(fingerprint),
    actor: 'operator',
    role: 'operator' as const,
    standing: 'trusted' as const,
    keyed: true,
    written: new WrittenPosition(),
    target: new KeyTarget(),
    about: new CallSubject(),
  };
}

function openGate(store = new InMemoryEventStore()): SingleFlight {
  const log = new EventLog(store, new EventCodec([callEventDefinitions]), new StreamNames());
  return new SingleFlight(new RecordedAnswers(log, systemClock, randomIds));
}

function granted(value: string, position?: string): Written<string> {
  return { value, position, created: false };
}

function later(): { readonly promise: Promise<Written<string>>; readonly answer: (text: string) => void } {
  let answer: (text: string) => void = () => undefined;
  const promise = new Promise<Written<string>>((resolve) => {
    answer = (text) => resolve(granted(text));
  });
  return { promise, answer };
}

describe('the command gate', () => {
  it('lets a repeat wait for the answer of the call that runs, and runs its work once', async () => {
    const gate = openGate();
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
    const gate = openGate();
    const { promise, answer } = later();
    const first = gate.once(callOfKey(), () => promise);
    const other = gate.once(callOfKey('c', 'other'), () => Promise.resolve(granted('')));
    await expect(other).rejects.toMatchObject({ rejection: { code: 'idempotency-key-reused' } });
    answer('done');
    expect(await first).toMatchObject({ value: 'done' });
  });

  it('settles with what ran when it was asked, failures included, and not with what came after', async () => {
    const gate = openGate();
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
    const answer = openGate().once(call, async () => {
      call.written.note('log.2');
      return granted('done', 'log.1');
    });
    expect(await answer).toMatchObject({ position: 'log.2' });
  });

  it('says with a refusal where the log stands, when something was written before it', async () => {
    const call = callOfKey();
    const text = { errorClass: 'E', what: 'w', why: 'y', fix: 'f' };
    const answer = openGate().once(call, async () => {
      call.written.note('log.2');
      throw new RejectionError(reject('refused', 'no', text));
    });
    await expect(answer).rejects.toMatchObject({ rejection: { code: 'no' }, position: 'log.2' });
  });

  it('records the answer of a keyed call that wrote nothing, and gives it again after a restart (X-S7)', async () => {
    const store = new InMemoryEventStore();
    const first = await openGate(store).once(callOfKey(), () => Promise.resolve(granted('no')));
    const again = await openGate(store).once(callOfKey(), () => Promise.resolve(granted('yes')));
    expect(first).toEqual({ ...granted('no'), position: await store.head() });
    expect(again).toEqual(first);
    const other = openGate(store).once(callOfKey('c', 'other'), () => Promise.resolve(granted('yes')));
    await expect(other).rejects.toMatchObject({ rejection: { code: 'idempotency-key-reused' } });
  });

  it('of two processes that answer one key at once, gives the first answer twice (X-S7)', async () => {
    const store = new InMemoryEventStore();
    const answers = await Promise.all(
      ['a', 'b'].map((value) => openGate(store).once(callOfKey(), () => Promise.resolve(granted(value)))),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(await store.readAll({ limit: 10 })).toHaveLength(1);
  });

  it('0.2-X2 reaches what a key was bound to, though the process ended before the answer was recorded', async () => {
    const store = new InMemoryEventStore();
    const reach = (turnId: string, isCut: boolean) => {
      const call = callOfKey();
      return openGate(store).once(call, async () => {
        const reached = await call.target.bind(async () => ({ turnId }));
        if (isCut) throw new Error('cut off');
        return { ...granted(reached?.turnId ?? ''), isFleeting: true };
      });
    };
    await expect(reach('first', true)).rejects.toThrow('cut off');
    expect(await reach('second', false)).toMatchObject({ value: 'first' });
    expect(await reach('third', false)).toMatchObject({ value: 'first' });
    expect(await store.readAll({ limit: 10 })).toHaveLength(2);
  });

  it('0.2-X2 judges a refusal anew on what it was judged on first, says where that is recorded, and repeats it without an event', async () => {
    const store = new InMemoryEventStore();
    const judged: string[] = [];
    const refused = (roundId: string) => {
      const call = callOfKey();
      return openGate(store).once<string>(call, async () => {
        judged.push(call.target.choose(() => ({ roundId })).roundId);
        throw new RejectionError(reject('refused', 'no', { errorClass: 'E', what: 'w', why: 'y', fix: 'f' }));
      });
    };
    await expect(refused('1')).rejects.toMatchObject({ position: expect.any(String) });
    const head = await store.head();
    await expect(refused('2')).rejects.toMatchObject({ rejection: { code: 'no' } });
    expect([judged, await store.head()]).toEqual([['1', '1'], head]);
  });

  it('records a fleeting answer though events were written, and nothing without a key or for a refusal (X-S7)', async () => {
    const store = new InMemoryEventStore();
    const fleeting = { ...granted('no', 'log.1'), isFleeting: true };
    await openGate(store).once(callOfKey('unkeyed'), () => Promise.resolve(granted('no', 'log.1')));
    await openGate(store).once({ ...callOfKey('free'), keyed: false }, () => Promise.resolve(granted('no')));
    const text = { errorClass: 'E', what: 'w', why: 'y', fix: 'f' };
    const refused = openGate(store).once(callOfKey('refused'), () =>
      Promise.reject(new RejectionError(reject('refused', 'no', text))),
    );
    await expect(refused).rejects.toThrow('[E]');
    await openGate(store).once(callOfKey('fleeting'), () => Promise.resolve(fleeting));
    const events = await store.readAll({ limit: 10 });
    expect(events.map(({ stream }) => stream)).toEqual([`redial_call-${idOf('fleeting')}`]);
  });
});
