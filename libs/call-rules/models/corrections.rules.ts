import type { LlmCallCompleted, LlmCallInput } from '../llm/llm-call.events.js';
import type { ModelFallback } from './model-call.events.js';
import { type ModelCallState, routeOf } from './model-call.state.js';
import type { ModelRoute } from './model-route.js';
import { refusedMember } from './refused-member.rules.js';

/** The first member of a body that an earlier run saw refused; `undefined` if none is, or the call needs it. */
export function knownRefusal(
  call: ModelCallState,
  body: LlmCallInput['body'],
): ModelFallback['data'] | undefined {
  const { known = {}, corrected = {} } = routeOf(call);
  const member = Object.keys(body).find(
    (name) =>
      Object.hasOwn(known, name) && !Object.hasOwn(corrected, name) && !(name === 'tools' && call.needsTools),
  );
  if (member === undefined) return undefined;
  return { callId: call.callId, from: member, to: known[member] ?? 'none', reason: 'known-unsupported' };
}

/** The request is sent again without it. */
export function skipped(call: ModelCallState, { from, to }: ModelFallback['data']): ModelCallState {
  const [route, ...backups] = call.routes as readonly [ModelRoute, ...ModelRoute[]];
  const corrected = { ...route.corrected, [from]: to === 'none' ? null : to };
  return { ...call, routes: [{ ...route, corrected }, ...backups] };
}

/** One attempt without the part that the provider refused; `undefined` when it refused nothing, or was corrected before. */
export function corrected(call: ModelCallState, data: LlmCallCompleted['data']): ModelCallState | undefined {
  const route = routeOf(call);
  const correction = refusedMember(data, call.sent);
  if (!correction || route.refused || (correction.member === 'tools' && call.needsTools)) return undefined;
  const { member, name, reason, isLasting } = correction;
  const { callId, attempt } = call;
  const { provider, model } = route;
  const fallback = {
    callId,
    from: member,
    to: name ?? 'none',
    reason,
    upstreamStatus: data.status,
    ...(isLasting && { learned: { provider, model } }),
  };
  const asked = { ...route, refused: true, corrected: { ...route.corrected, [member]: name } } as const;
  const routes = [asked, ...call.routes.slice(1)];
  return { ...call, attempt: attempt + 1, phase: { at: 'falling-back', fallback, routes } };
}
