import fc from 'fast-check';
import type { ActivityFailure } from '../activity/activity.js';
import type { StreamHistory } from '#lib/event-store';
import type { Json } from '#lib/kernel';
import type { Seen, Step, Workflow } from '../workflow.js';
import { LEDGER } from './ledger.js';

/** One step of a script. */
export type ScriptStep =
  | { readonly do: 'call'; readonly isSafe: boolean }
  | { readonly do: 'timer'; readonly afterMs: number }
  | { readonly do: 'await'; readonly timeoutMs: number | null }
  | { readonly do: 'child'; readonly script: Stages; readonly usesLedger: boolean };

/** Stages one after the other. The steps of a stage are opened together. A stage is over when one of its steps, or all of them, are closed. */
export type Stages = readonly { readonly over: 'one' | 'all'; readonly steps: readonly ScriptStep[] }[];

const afterMs = fc.constantFrom(0, 50, 4_000, 6_000, 60_000);

const leaf: fc.Arbitrary<ScriptStep> = fc.oneof(
  fc.record({ do: fc.constant('call' as const), isSafe: fc.boolean() }),
  fc.record({ do: fc.constant('timer' as const), afterMs }),
  fc.record({ do: fc.constant('await' as const), timeoutMs: fc.option(afterMs) }),
);

function scriptOf(step: fc.Arbitrary<ScriptStep>, maxLength: number): fc.Arbitrary<Stages> {
  const steps = fc.array(step, { minLength: 1, maxLength: 4 });
  return fc.array(fc.record({ over: fc.constantFrom('one' as const, 'all' as const), steps }), {
    minLength: 1,
    maxLength,
  });
}

const child = fc.record({
  do: fc.constant('child' as const),
  script: scriptOf(leaf, 2),
  usesLedger: fc.boolean(),
});

export const arbitraryScript = scriptOf(
  fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 1, arbitrary: child }),
  3,
);

interface State {
  /** The context that the rules derive from the stream that the run refers to. */
  readonly context: Json;
  /** The fact of its start. It differs each time that a process asks for it. */
  readonly build: Json;
  readonly script: Stages;
  readonly closed: ReadonlySet<string>;
  /** By step id. */
  readonly interrupted: ReadonlyMap<string, ActivityFailure>;
  readonly refused: ReadonlySet<string>;
  readonly stagesNoted: number;
}

/** Runs a script. An interrupted call is made again if that is safe, else after an approval, and at most three times. */
export const scripted: Workflow<State> = {
  name: 'scripted',
  events: { StageNoted: { version: 1 } },
  versions: { 1: { input: {}, facts: ['build'], contextOf, initialState, evolve, next } },
};

function contextOf({ events }: StreamHistory): Json {
  return events.map(({ type, data }) => ({ type, data: data as Json }));
}

function initialState({ data }: Seen, context: Json = null): State {
  const { input, facts } = data as { input: { script: Stages }; facts: { build: Json } };
  const { script } = input;
  const { build } = facts;
  const none = { closed: new Set<string>(), interrupted: new Map(), refused: new Set<string>() };
  return { context, build, script, ...none, stagesNoted: 0 };
}

function evolve(state: State, { type, data }: Seen): State {
  if (type === 'StageNoted') return { ...state, stagesNoted: state.stagesNoted + 1 };
  const { stepId, failure, payload } = data as { stepId?: string; failure?: ActivityFailure; payload?: Json };
  if (stepId === undefined || /Requested$|Started$|Awaited$/.test(type)) return state;
  if (type === 'StepCancelled' && stepId.includes('child')) return state;
  const closed = new Set(state.closed).add(stepId);
  const interrupted = new Map(state.interrupted);
  if (failure?.kind === 'interrupted') interrupted.set(stepId, failure);
  const refused = new Set(state.refused);
  if (stepId.endsWith('?') && payload !== 'yes') refused.add(stepId);
  return { ...state, closed, interrupted, refused };
}

function next(state: State): readonly Step[] {
  for (const [index, stage] of state.script.entries()) {
    const steps = stage.steps.map((step, n) => attempts(state, step, `${index}.${n}-${step.do}`));
    const over = steps.filter(({ isOver }) => isOver).length;
    if (over < (stage.over === 'one' ? 1 : steps.length)) return steps.flatMap(({ open }) => open);
    if (state.stagesNoted > index) continue;
    const left = steps.flatMap(({ open, isOver }) => (isOver ? [] : open));
    const cancels = left.flatMap((step): Step[] =>
      'id' in step && step.do !== 'call' ? [{ do: 'cancel', id: step.id }] : [],
    );
    return [...cancels, { do: 'record', event: { type: 'StageNoted', data: { index } } }];
  }
  return [{ do: 'end', result: { stages: state.stagesNoted, context: state.context, build: state.build } }];
}

/** The attempts that one script step has requested so far, and whether the step is over. */
function attempts({ build, closed, interrupted, refused }: State, step: ScriptStep, id: string) {
  if (step.do !== 'call') return { open: [stepOf(step, id)], isOver: closed.has(id) };
  const open: Step[] = [];
  for (let attempt = 1; ; attempt++) {
    const callId = `${id}#${attempt}`;
    const input = step.isSafe ? { id, build } : { id, build, unsafe: true };
    open.push({ do: 'call', id: callId, activity: 'echo', input });
    const failure = interrupted.get(callId);
    if (!failure || attempt === 3) return { open, isOver: closed.has(callId) };
    if (failure.retryable) continue;
    const approval = `${callId}?`;
    open.push({ do: 'await', id: approval, signal: 'approve' });
    if (!closed.has(approval) || refused.has(approval)) return { open, isOver: closed.has(approval) };
  }
}

function stepOf(step: Exclude<ScriptStep, { do: 'call' }>, id: string): Step {
  switch (step.do) {
    case 'timer':
      return { do: 'timer', id, afterMs: step.afterMs };
    case 'await': {
      const { timeoutMs } = step;
      return { do: 'await', id, signal: 'approve', ...(timeoutMs !== null && { timeoutMs }) };
    }
    case 'child': {
      const { script, usesLedger } = step;
      const used = { ...(usesLedger && { context: { stream: LEDGER, revision: 0 } }) };
      return { do: 'child', id, workflow: 'scripted', input: { script }, ...used };
    }
  }
}
