import type { Event } from '#lib/kernel';
import type { FunctionCallCompleted, FunctionCallFailed } from './function-call.rules.js';

/** The result or failure of a call of a registered function. */
export type FunctionAnswer =
  | { readonly result: FunctionCallCompleted['data']['result'] }
  | { readonly failure: { readonly kind: string; readonly message: string } };

/** @returns undefined where the event is no outcome of this step */
export function functionAnswer(stepId: string, { type, data }: Event): FunctionAnswer | undefined {
  if ((data as { stepId?: string }).stepId !== stepId) return undefined;
  if (type === 'FunctionCallCompleted') return { result: (data as FunctionCallCompleted['data']).result };
  if (type !== 'FunctionCallFailed') return undefined;
  const { kind, message } = (data as FunctionCallFailed['data']).failure;
  return { failure: { kind, message } };
}
