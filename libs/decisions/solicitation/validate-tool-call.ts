import { type Completion, parseReplyObject } from '#lib/call-rules';
import { type JsonObject, ownMember, unstorableValue } from '#lib/kernel';
import { takesNoArguments, type TransitionDefinition } from '#lib/decisions/machines';
import type { Choice } from '#lib/decisions/session';
import { transitionTools } from './build-tools.js';
import { splitReasoning } from './ask-reasoning.js';
import {
  type AskedVerdict,
  notOffered,
  type Offered,
  refusedArguments,
  wrongArguments,
} from './validate-choice.js';
import type { ArgumentFindings, CallRung, ProposerMode } from './solicitation.events.js';

type ToolVerdict = AskedVerdict | { readonly chosen: Choice & ArgumentFindings };

/** Validates the tool call of a reply: the first one counts, and `rung` shows whether the model was already asked again. */
export function validateToolCall(
  { context, version, proposer }: Offered & { readonly proposer: ProposerMode },
  { content, toolCall }: Completion,
  rung: CallRung,
): ToolVerdict {
  const { name: sent, argumentsText } = toolCall ?? { name: '', argumentsText: '' };
  const name = ownMember(transitionTools(context.transitions), sent) ?? sent;
  const transition = ownMember(context.transitions, name);
  if (!transition) return notOffered(context, `The tool call "${name}"`);
  const asked = proposer.kind === 'model' && proposer.askReasoning === true;
  const parsed = readArguments(transition, argumentsText);
  const { args, reasoning = content } =
    asked && parsed !== 'malformed' ? splitReasoning(transition, parsed) : { args: parsed };
  const wrong = wrongArguments(transition, args);
  if (wrong && transition.onInvalidArguments === 'reask' && rung === 'tools') return { reask: wrong };
  const refused = refusedArguments(transition, `the tool call "${name}"`, wrong, version);
  if (refused) return refused;
  const choice = { transitionName: name, toState: transition.target, reasoning };
  if (args === 'malformed') return { chosen: { ...choice, argumentsMalformed: true, argumentsText } };
  // Without arguments metaJson is absent, never `{}`.
  return { chosen: { ...choice, ...(Object.keys(args).length > 0 && { metaJson: args }), ...wrong } };
}

/** A call of a tool without parameters may have an empty text. Numbers that no event can hold are malformed. */
function readArguments(transition: TransitionDefinition, text: string): JsonObject | 'malformed' {
  if (text.trim() === '' && takesNoArguments(transition)) return {};
  const args = parseReplyObject(text);
  return args && unstorableValue(args) === undefined ? args : 'malformed';
}
