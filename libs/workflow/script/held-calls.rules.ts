import type { Failure } from '../run-values.js';
import type { SignalReceived } from '../runtime.events.js';
import { APPROVAL } from '../people-wait.rules.js';
import type { Seen, Step } from '../workflow.js';

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

/** The wait for the approval of a call. @param ending of the wait's id, after the call's id */
export function heldCall(call: Call, ending: string): Extract<Step, { do: 'await' }> {
  const callee = calleeOf(call);
  const question = `May the fork call ${callee}?`;
  const prompt = { title: `Approve ${callee}`, question, reason: 'held', callee };
  return { do: 'await', id: `${call.id}${ending}`, signal: APPROVAL, schema, prompt };
}

export function isApproved(closed: { readonly event: Seen } | undefined): boolean {
  if (closed?.event.type !== 'SignalReceived') return false;
  const { payload } = closed.event.data as SignalReceived['data'];
  return (payload as { readonly approved?: boolean }).approved === true;
}

/** The failure of a run in which this call was refused. */
export function refusalOf(call: Call): Failure {
  return { kind: 'function', message: `The call of ${calleeOf(call)} in a fork was not approved.` };
}

function calleeOf({ activity, input }: Call): string {
  const { fnName, url } = input as { readonly fnName?: string; readonly url?: string };
  return `${activity} ${fnName ?? url ?? ''}`.trim();
}
