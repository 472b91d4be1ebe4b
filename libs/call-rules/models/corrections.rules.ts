import type { LlmCallCompleted, LlmCallInput } from '../llm/llm-call.events.js';
import type { ModelFallback } from './model-call.events.js';
import type { ModelRoute } from './model-route.js';
import { refusedMember } from './refused-member.rules.js';
import type { ModelAsk } from './spent.js';

type Routes = readonly ModelRoute[];
type AskedRoutes = Pick<ModelAsk, 'callId' | 'routes' | 'needsTools'>;

/** The first member of a body that a provider refused in an earlier run; `undefined` if there is none, or if the call needs it. */
export function knownRefusal(
  { callId, routes: [route], needsTools }: AskedRoutes,
  body: LlmCallInput['body'],
): ModelFallback['data'] | undefined {
  const { known = {}, corrected = {} } = route ?? {};
  const member = Object.keys(body).find(
    (name) =>
      Object.hasOwn(known, name) && !Object.hasOwn(corrected, name) && !(name === 'tools' && needsTools),
  );
  if (member === undefined) return undefined;
  return { callId, from: member, to: known[member] ?? 'none', reason: 'known-unsupported' };
}

/** The routes without the member that the first model is known to refuse. */
export function withoutMember(routes: Routes, { from, to }: ModelFallback['data']): Routes {
  const [route, ...backups] = routes as readonly [ModelRoute, ...ModelRoute[]];
  const corrected = { ...route.corrected, [from]: to === 'none' ? null : to };
  return [{ ...route, corrected }, ...backups];
}

/** The member that the provider refused, and the models to ask without it; `undefined` if it refused none, or was corrected before. */
export function correctionOf(
  { callId, routes: [route, ...backups], needsTools }: AskedRoutes,
  sent: readonly string[],
  data: LlmCallCompleted['data'],
): { readonly fallback: ModelFallback['data']; readonly routes: Routes } | undefined {
  const correction = refusedMember(data, sent);
  if (!correction || !route || route.refused || (correction.member === 'tools' && needsTools))
    return undefined;
  const { member, name, reason, isLasting } = correction;
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
  return { fallback, routes: [asked, ...backups] };
}

/** The routes of the start, each in its last used form with its corrections. */
export function withCorrections(first: Routes, used: Routes): Routes {
  return first.map((route) => used.find(({ modelId }) => modelId === route.modelId) ?? route);
}
