import { derivedId, type Event, type JsonObject, present, RedialError } from '#lib/kernel';
import { memoryOf, type Run, stepsOf } from './run.rules.js';
import type { RunEnd, RuntimeEvent } from './runtime.events.js';
import type { Step } from './workflow.js';

/** Rules or an activity broke their contract. The run does not continue until they are repaired. */
export class WorkflowBug extends RedialError {}

/** An event that follows from the history, and the step that it comes from. A cancellation before an end has no step. */
export type Derived = CallRequest | { readonly event: Event; readonly step?: Exclude<Step, CallStep> };

export interface CallRequest {
  readonly event: Event<string, JsonObject>;
  readonly step: CallStep;
}

type CallStep = Extract<Step, { do: 'call' }>;

/** The most events of a run, and the most bytes of its events. */
export const LIMITS = { events: 20_000, bytes: 64 * 1024 * 1024 };

/** Rules are asked once after each event, because an answer may hold the whole prompt of a model. */
const answers = new WeakMap<Run, readonly Step[]>();

/** `askRules`, computed once for each run. */
export function answerOf(run: Run): readonly Step[] {
  const known = answers.get(run);
  if (known) return known;
  const answer = askRules(run);
  answers.set(run, answer);
  return answer;
}

/** The steps that the rules give after the last event: none for a run that has ended; the step that ends it for a run over its limits. */
export function askRules(run: Run): readonly Step[] {
  return run.steps.end ? [] : (overLimits(run) ?? stepsOf(run));
}

function overLimits({ steps: { revision }, bytes }: Run): readonly Step[] | undefined {
  if (revision + 1 < LIMITS.events && bytes < LIMITS.bytes) return undefined;
  const message = `The run has ${revision + 1} events and ${bytes} bytes`;
  return [{ do: 'fail', failure: { kind: 'history-limit', message } }];
}

/**
 * The candidates for the next event, unless one from outside comes first. Usually one: that of the first step of the answer that is neither open
 * nor closed. While a call waits for its slot, later calls and the next timer, child or await may pass it, and no other step may: then there are
 * several, in the order in which they are tried. If there are none, the run waits for its open steps.
 */
export function derivable(run: Run, answer: readonly Step[]): readonly Derived[] {
  const { steps } = run;
  if (steps.end) return [];
  if (steps.cancelRequested) return whileCancelling(run, answer);
  const found: Derived[] = [];
  for (const step of answer) {
    if (isDone(run, step)) continue;
    if (found.length > 0 && !opens(step)) break;
    const derived = derivedOf(run, step);
    if (derived) found.push(derived);
    if (step.do !== 'call') break;
  }
  return found;
}

/** Opens no step: closes timers and awaits, asks children to end, waits for calls and children, then takes records and the end. */
function whileCancelling(run: Run, answer: readonly Step[]): readonly Derived[] {
  if (run.steps.open.size > 0) {
    const closing = cancellation(run);
    return closing ? [closing] : [];
  }
  const step = answer.find((one) => one.do === 'record' || one.do === 'end' || one.do === 'fail');
  if (step?.do === 'record') return [{ event: step.event, step }];
  const given = step ? endOf(step) : {};
  return [{ event: { type: 'WorkflowEnded', data: { ...given, status: 'cancelled' } } }];
}

function opens(step: Step): boolean {
  return step.do === 'call' || step.do === 'timer' || step.do === 'child' || step.do === 'await';
}

function isDone({ steps: { open, closed } }: Run, step: Step): boolean {
  if (step.do === 'cancel') {
    const target = open.get(step.id);
    if (target?.kind === 'call')
      throw brokenRule(`a step cancels the call ${step.id}`, 'Cancel the run instead');
    return target === undefined || (target.kind === 'child' && target.cancelled);
  }
  return 'id' in step && (open.has(step.id) || closed.has(step.id));
}

function derivedOf(run: Run, step: Step): Derived | undefined {
  switch (step.do) {
    case 'record':
      return { event: step.event, step };
    case 'call':
      return { event: requestOf(run, step), step };
    case 'end':
    case 'fail':
      if (run.steps.open.size > 0) return cancellation(run);
      return { event: { type: 'WorkflowEnded', data: endOf(step) }, step };
    default:
      return { event: openingOf(run, step), step };
  }
}

function requestOf(run: Run, { id, activity: name, input }: CallStep): CallRequest['event'] {
  const activity = run.activities.named(name);
  if (!activity) throw brokenRule(`step ${id} calls the activity ${name}`, 'Name an activity that exists');
  return {
    type: activity.events.requested,
    data: { stepId: id, ...activity.request(input, memoryOf(run, name)) },
  };
}

function openingOf(
  { runId }: Run,
  step: Extract<Step, { do: 'timer' | 'child' | 'await' | 'cancel' }>,
): RuntimeEvent {
  const { id: stepId } = step;
  switch (step.do) {
    case 'timer': {
      const { afterMs, until } = step;
      return { type: 'TimerStarted', data: present({ stepId, afterMs, until }) };
    }
    case 'child': {
      const { workflow, input, context } = step;
      const childId = derivedId(runId, stepId);
      return {
        type: 'ChildStarted',
        data: { stepId, runId: childId, workflow, input, ...(context && { context }) },
      };
    }
    case 'await': {
      const { signal, schema, prompt, timeoutMs: afterMs, people } = step;
      return { type: 'SignalAwaited', data: present({ stepId, signal, schema, prompt, afterMs, people }) };
    }
    case 'cancel':
      return { type: 'StepCancelled', data: { stepId } };
  }
}

/** The event that closes the next timer or await, or asks the next child to end: before an end no step may be open. */
function cancellation({ steps }: Run): Derived | undefined {
  for (const [stepId, step] of steps.open) {
    if (step.kind === 'call' || (step.kind === 'child' && step.cancelled)) continue;
    return { event: { type: 'StepCancelled', data: { stepId } } };
  }
  return undefined;
}

function endOf(step: Step): RunEnd {
  if (step.do === 'end') return { status: 'completed', result: step.result };
  if (step.do !== 'fail') throw brokenRule(`the step ${step.do} ends nothing`, 'End with `end` or `fail`');
  return { status: 'failed', failure: step.failure, ...('result' in step && { result: step.result }) };
}

export function brokenRule(why: string, fix: string): WorkflowBug {
  return new WorkflowBug('the rules of a workflow', why, fix);
}
