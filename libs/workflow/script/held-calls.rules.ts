import type { SignalReceived } from '../runtime.events.js';
import { APPROVAL } from '../people-wait.rules.js';
import type { Seen, Step } from '../workflow.js';
import { RunFails } from './failures.js';

type Call = Extract<Step, { do: 'call' }>;

/** Activities that call functions or servers of the application. */
const HELD: readonly string[] = ['function', 'webhook'];

export function isHeldCall(step: Step): step is Call {
  return step.do === 'call' && HELD.includes(step.activity);
}

const text = { type: 'string', maxLength: 4_096 };
const schema = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, by: text, reason: text },
  required: ['approved'],
  additionalProperties: false,
};

/** The wait for the approval of a call. */
export function heldCall(call: Call): Step {
  const callee = calleeOf(call);
  const question = `May the fork call ${callee}?`;
  const prompt = { title: `Approve ${callee}`, question, reason: 'held', callee };
  return { do: 'await', id: `${call.id}-approval`, signal: APPROVAL, schema, prompt };
}

export function isApproved({ event }: { readonly event: Seen }): boolean {
  if (event.type !== 'SignalReceived') return false;
  const { payload } = event.data as SignalReceived['data'];
  return (payload as { readonly approved?: boolean }).approved === true;
}

export function refusedCall(call: Call): RunFails {
  return new RunFails({
    kind: 'function',
    message: `The call of ${calleeOf(call)} in a fork was not approved.`,
  });
}

function calleeOf({ activity, input }: Call): string {
  const { fnName, url } = input as { readonly fnName?: string; readonly url?: string };
  return `${activity} ${fnName ?? url ?? ''}`.trim();
}
