import { type JsonObject, ownMember } from '#lib/kernel';
import { type ArgumentError, checkArguments, type TransitionDefinition } from '#lib/machine';
import type { Choice } from '#lib/session';
import { type FailedVerdict, notOffered } from './judge-choice.js';
import { type Completion, parseReplyObject, type ToolCall } from '#lib/calls';
import { splitReasoning } from './ask-reasoning.js';
import type { ArgumentFindings, CallRung, SolicitationStarted } from './solicitation.events.js';

type ToolVerdict =
  | FailedVerdict
  | { readonly chosen: Choice & ArgumentFindings }
  /** the errors to show the model */
  | { readonly reask: readonly ArgumentError[] };

/** Judges the tool call of a reply: the first one counts, and `rung` says whether the model was asked again already. */
export function judgeToolCall(
  { context, proposer }: Pick<SolicitationStarted['data'], 'context' | 'proposer'>,
  { content, toolCall }: Completion,
  rung: CallRung,
): ToolVerdict {
  const { name, argumentsText } = toolCall ?? { name: '', argumentsText: '' };
  const transition = ownMember(context.transitions, name);
  if (!transition) return notOffered(context, `The tool call "${name}"`);
  const parsed = parseReplyObject(argumentsText);
  const asksReasoning = proposer.kind === 'model' && proposer.askReasoning === true;
  const { args, reasoning = content } =
    parsed && asksReasoning ? splitReasoning(transition, parsed) : { args: parsed };
  const errors = argumentErrors(transition, args);
  const policy = transition.onInvalidArguments ?? 'accept';
  if (errors.length > 0 && policy === 'reask' && rung === 'tools') return { reask: errors };
  if (errors.length > 0 && policy !== 'accept') return invalidArguments(name, errors);
  const choice = { transitionName: name, toState: transition.target, reasoning };
  return { chosen: { ...choice, ...metaJsonOf(args), ...findings(argumentsText, args, errors) } };
}

/** Arguments that are not a JSON object count as one error, at the root. */
function argumentErrors(
  { parameters }: TransitionDefinition,
  args: JsonObject | undefined,
): readonly ArgumentError[] {
  if (!args) return [{ path: '', keyword: 'type', params: { type: 'object' } }];
  return parameters ? checkArguments(parameters, args) : [];
}

/** No arguments are no metaJson, never `{}`. */
function metaJsonOf(args: JsonObject | undefined): { metaJson?: JsonObject } {
  return args && Object.keys(args).length > 0 ? { metaJson: args } : {};
}

function findings(
  argumentsText: ToolCall['argumentsText'],
  args: JsonObject | undefined,
  errors: readonly ArgumentError[],
): ArgumentFindings {
  if (!args) return { argumentsMalformed: true, argumentsText };
  return errors.length > 0 ? { argumentErrors: errors } : {};
}

function invalidArguments(name: string, errors: readonly ArgumentError[]): FailedVerdict {
  const places = errors.map(({ path, keyword }) => `${path === '' ? '(root)' : path} ${keyword}`).join(', ');
  return {
    failure: {
      kind: 'invalid-arguments',
      message: `The arguments of the tool call "${name}" do not fit: ${places}.`,
    },
  };
}
