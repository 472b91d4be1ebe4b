import { parseReplyObject } from '#lib/call-rules';
import { escapePointerToken, isJsonObject, type JsonObject, jsonText } from '#lib/kernel';
import { type Predicate, toolIdOf, type ToolGates } from '../agent/hook-definition.js';
import { askHook } from './hooks.rules.js';
import type { Steps } from '#lib/workflow';
import type { TurnDraft } from './turn-draft.rules.js';
import type { TurnFailure } from './turn-result.js';

/** A refused call, or a call with its corrected arguments if a gate changed them. */
type Gated = { readonly refused: TurnFailure } | { readonly corrected?: string };

/**
 * Asks the gates of a tool, also for a call without arguments: `validateInput`, which may correct them, then `checkPermissions`.
 * A failed gate refuses.
 */
export function* passGates(turn: TurnDraft, toolId: string, argumentsText: string): Steps<Gated> {
  const { validateInput, checkPermissions } = gatesOf(turn, toolId);
  let args = parseReplyObject(argumentsText) ?? {};
  let corrected: string | undefined;
  if (validateInput) {
    const found = yield* verdictOf(turn, 'validateInput', validateInput, { toolId, args });
    if (!found.passes) return refusal('invalid-input', `Validation failed${found.why}`);
    if (found.correctedInput) {
      args = found.correctedInput;
      corrected = jsonText(args);
    }
  }
  if (checkPermissions) {
    const found = yield* verdictOf(turn, 'checkPermissions', checkPermissions, { toolId, args });
    const override = found.canOverride ? ' (canOverride)' : '';
    if (!found.passes) return refusal('permission-denied', `Permission denied${found.why}${override}`);
  }
  return corrected === undefined ? {} : { corrected };
}

function refusal(kind: string, message: string): Gated {
  return { refused: { kind, message } };
}

/** The gates in the innermost scope that names the tool. An injected tool has those of the first place that names it. */
function gatesOf({ agent, flow, step }: TurnDraft, toolId: string): ToolGates {
  const elsewhere = agent.flows.flatMap((one) => [one.tools, ...one.steps.map(({ tools }) => tools)]);
  const scopes = [step?.tools, flow?.tools, agent.tools, ...elsewhere];
  const use = scopes.flatMap((tools) => tools ?? []).find((one) => toolIdOf(one) === toolId);
  return typeof use === 'object' ? use : {};
}

interface Verdict {
  readonly passes: boolean;
  /** `: reason`, or empty. */
  readonly why: string;
  readonly correctedInput?: JsonObject;
  readonly canOverride?: boolean;
}

const MEMBERS: readonly string[] = ['valid', 'allowed', 'reason', 'error', 'correctedInput', 'canOverride'];

/** Unknown members of a verdict are recorded by name, and the others count; version 1 ignores them. */
function* verdictOf(
  turn: TurnDraft,
  name: keyof ToolGates,
  gate: Predicate,
  asked: { readonly toolId: string; readonly args: JsonObject },
): Steps<Verdict> {
  if ('expr' in gate) return { passes: turn.isTrue(gate.expr, { args: asked.args }), why: '' };
  const answer = yield* askHook(turn, gate, asked);
  if ('failure' in answer) return { passes: false, why: `: ${answer.failure.message}` };
  const { result } = answer;
  if (!isJsonObject(result)) return { passes: result === true, why: '' };
  const unknown = Object.keys(result).filter((member) => !MEMBERS.includes(member));
  if (turn.version > 1 && unknown.length > 0) {
    const pointers = unknown.map((member) => `/${escapePointerToken(member)}`).join(', ');
    turn.refuse(`${name} of ${asked.toolId}`, `no verdict has ${pointers}: the rest counts`);
  }
  const { valid, allowed, reason, error, correctedInput, canOverride } = result;
  const why = [reason, error].find((one) => typeof one === 'string');
  return {
    passes: (valid ?? allowed) === true,
    why: why === undefined ? '' : `: ${why}`,
    ...(isJsonObject(correctedInput) && { correctedInput }),
    canOverride: canOverride === true,
  };
}
