import { describe, expect, it } from '@jest/globals';
import type { Json } from '#lib/kernel';
import { echoActivity, echoed } from './testing/echo.activity.js';
import { RunHistory } from './testing/run-history.js';
import type { Rules, Step, Workflow } from './workflow.js';

interface Asked {
  readonly types: readonly string[];
  readonly result?: Json;
}

const call = { do: 'call', id: 'pay', activity: 'function', input: { fnName: 'pay', input: 5 } } as const;

/** Rules without a script: they give these steps, and end with the result of the call. */
function rulesWith(steps: readonly Step[]): Workflow<Asked> {
  const rules: Rules<Asked> = {
    input: {},
    initialState: () => ({ types: [] }),
    evolve: ({ types, ...known }, { type, data }) => ({
      types: [...types, type],
      ...known,
      ...('output' in data && { result: data.output }),
    }),
    next: ({ result, types }) => (result === undefined ? steps : [{ do: 'end', result: [result, ...types] }]),
  };
  return { name: 'paying', versions: { 1: rules } };
}

const begun = (fork: 'hold' | 'allow' | undefined, steps: readonly Step[] = [call]) =>
  RunHistory.of(rulesWith(steps), {
    input: {},
    activities: [echoActivity(undefined, 'function')],
    ...(fork && { fork }),
  });
const types = ({ recorded }: RunHistory) => recorded.map(({ type }) => type);
const paid = echoed({ input: 'paid' });

describe('a call of a function by rules that are no script', () => {
  it('waits for an approval in a fork that holds, of which the rules are not told', () => {
    const history = begun('hold');
    expect(history.recorded).toMatchObject([
      { type: 'SignalAwaited', data: { signal: 'approval', prompt: { title: 'Approve function pay' } } },
    ]);
    history.signal('pay#hold', { approved: true }).answer('pay', paid);
    expect(history.end).toMatchObject({
      status: 'completed',
      result: ['paid', 'FunctionRequested', 'FunctionCompleted'],
    });
  });

  it('fails the run when it is refused, and is not made', () => {
    const history = begun('hold').signal('pay#hold', { approved: false });
    expect(types(history)).toEqual(['SignalAwaited', 'SignalReceived', 'WorkflowEnded']);
    expect(history.end).toMatchObject({ status: 'failed', failure: { kind: 'function' } });
  });

  it('is made at once in a fork that allows effects, and in no fork', () => {
    for (const fork of ['allow', undefined] as const)
      expect(types(begun(fork))).toEqual(['FunctionRequested']);
  });

  it('is waited for by an end that follows it', () => {
    const history = begun('hold', [call, { do: 'end', result: {} }]);
    expect(types(history)).toEqual(['SignalAwaited']);
    history.signal('pay#hold', { approved: true });
    expect([...history.open.keys()]).toEqual(['pay']);
  });

  it('is not made in a run that is cancelled before it is approved', () => {
    const history = begun('hold').cancel();
    expect(types(history)).not.toContain('FunctionRequested');
    expect(history.end).toMatchObject({ status: 'cancelled' });
  });
});
