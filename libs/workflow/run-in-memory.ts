import { thrownText } from '#lib/kernel';
import { systemTime } from './time.js';
import type { Rules, Seen, Step } from './workflow.js';

/** A step that makes a call. */
export type CallStep = Extract<Step, { do: 'call' }>;
/** A step that ends a run. */
export type EndStep = Extract<Step, { do: 'end' } | { do: 'fail' }>;

/** An event of a run in memory, without its time. */
export interface Happened {
  readonly type: string;
  readonly data: object;
}

/** The functions that perform the calls of a run in memory. */
export interface InMemoryCalls {
  /** The type of the event that begins a call of an activity. */
  requested(activity: string): string;
  /** Never rejects. */
  perform(call: CallStep, signal: AbortSignal): Promise<Happened>;
  /** Called with every event, in order. */
  heard?(event: Seen): void;
}

/**
 * Runs rules without a log: records, calls and end stay in memory. If the signal aborts, the run is cancelled, as in a log.
 * @param state before the first step
 * @throws TypeError if the rules wait for a timer, a person or a child, which need a log, or ask again for a call that has ended
 */
export async function runInMemory<State>(
  { evolve, next }: Pick<Rules<State>, 'evolve' | 'next'>,
  state: State,
  calls: InMemoryCalls,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly state: State; readonly end: EndStep }> {
  const open = new Map<string, Promise<Happened>>();
  const made = new Set<string>();
  const stopping = new AbortController();
  const cancelled = cancellation(signal, stopping.signal);
  let now = state;
  const happened = ({ type, data }: Happened) => {
    const event: Seen = { type, data, occurredAt: systemTime.now().toISOString() };
    calls.heard?.(event);
    now = evolve(now, event);
  };
  try {
    for (;;) {
      const steps = next(now);
      const record = steps.find((step) => step.do === 'record');
      const end = steps.find((step) => step.do === 'end' || step.do === 'fail');
      const call = steps.find((step) => step.do === 'call' && !open.has(step.id));
      if (record) happened(record.event);
      else if (end) return { state: now, end };
      else if (call?.do === 'call') {
        if (made.has(call.id))
          throw new TypeError(`The rules do not take the outcome of the call ${call.id}.`);
        made.add(call.id);
        open.set(call.id, calls.perform(call, AbortSignal.any([signal, stopping.signal])));
        happened({
          type: calls.requested(call.activity),
          data: { ...(call.input as object), stepId: call.id },
        });
      } else {
        if (open.size === 0) throw new TypeError('The rules wait for a step that needs a log.');
        happened(await nextOutcome(open, cancelled));
      }
    }
  } finally {
    stopping.abort();
  }
}

async function nextOutcome(
  open: Map<string, Promise<Happened>>,
  cancelled: Promise<Happened>,
): Promise<Happened> {
  const outcome = await Promise.race([cancelled, ...open.values()]);
  open.delete((outcome.data as { stepId?: string }).stepId ?? '');
  return outcome;
}

/** Resolves when the first signal aborts, unless the run has ended before. */
function cancellation(signal: AbortSignal, ended: AbortSignal): Promise<Happened> {
  return new Promise((resolve) => {
    const cancel = () => {
      const { reason } = signal as { readonly reason: unknown };
      const why = thrownText(reason);
      resolve({ type: 'RunCancelRequested', data: { reason: why } });
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true, signal: ended });
  });
}
