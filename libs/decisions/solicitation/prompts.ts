import { type Json, type JsonObject, jsonText } from '#lib/kernel';
import { argumentsSchema, isEnriched } from '#lib/decisions/machines';
import type { ProposerContext } from '#lib/decisions/session';
import type { OfferedTransitions } from './build-tools.js';
import type { RefusedAnswer } from './solicitation.ask.js';
import type { Offered } from './validate-choice.js';

// The texts below are part of the workflow: a change alters replays. See `solicitation.workflow.ts`.

const TOOL_SYSTEM =
  'You decide the next step of a process. Choose exactly one of the tools and call it with the arguments it asks for. ' +
  'Say in a sentence why, in the content of your message.';

const TEXT_SYSTEM =
  'You decide the next step of a process. Answer with one JSON object and nothing else: no prose around it, no code fence.';

const REPLY_WITH_ARGUMENTS =
  '{"transitionName": "<name>", "toState": "<target>", "reasoning": "<why>", "metaJson": {<arguments>}}';

const REPLY_SHAPE = '{"transitionName": "<name>", "toState": "<target>", "reasoning": "<why>"}';

/** The messages of a request, in order. */
export type Messages = readonly JsonObject[];

/** @param system in place of the default text of the system message */
export function toolMessages(
  context: ProposerContext,
  contextText: string,
  system: string = TOOL_SYSTEM,
): Messages {
  return [
    { role: 'system', content: toolSystem(system, context.transitions) },
    { role: 'user', content: context.prompt === '' ? contextText : `${context.prompt}\n\n${contextText}` },
  ];
}

/** A transition without description and parameters is not a tool: the model may still choose it, as decision JSON. */
function toolSystem(system: string, transitions: OfferedTransitions): string {
  const plain = Object.entries(transitions).filter(([, to]) => typeof to === 'string' || !isEnriched(to));
  if (plain.length === 0) return system;
  return [
    system,
    '',
    'These steps have no tool. To choose one of them, call none, and answer with JSON of this shape only:',
    REPLY_SHAPE,
    ...listed(Object.fromEntries(plain)),
  ].join('\n');
}

/**
 * Version 1 does not show the arguments of transitions.
 * @param system in place of the default text of the system message
 */
export function textMessages(
  { context, version }: Offered,
  contextText: string,
  system: string = TEXT_SYSTEM,
): Messages {
  const wanted = version === 1 ? [] : wantedArguments(context.transitions);
  const parts = [
    `Current state: ${context.currentState}`,
    ...(context.prompt === '' ? [] : [context.prompt]),
    ['Transitions (name → target):', ...listed(context.transitions)].join('\n'),
    ...(contextText === '' ? [] : [contextText]),
    ...(wanted.length === 0
      ? [`Answer with JSON of this shape:\n${REPLY_SHAPE}`]
      : [
          ['Arguments of transitions, as JSON Schema:', ...wanted].join('\n'),
          `Answer with JSON of this shape; metaJson holds the arguments, and is left out for a transition without any:\n${REPLY_WITH_ARGUMENTS}`,
        ]),
  ];
  return [
    { role: 'system', content: system },
    { role: 'user', content: parts.join('\n\n') },
  ];
}

function listed(transitions: OfferedTransitions): string[] {
  return Object.entries(transitions).map(([name, to]) => {
    if (typeof to === 'string') return `- ${name} → ${to}`;
    return `- ${name} → ${to.target}${to.description ? `: ${to.description}` : ''}`;
  });
}

/** The arguments of each transition with parameters, in few characters. */
function wantedArguments(transitions: OfferedTransitions): string[] {
  return Object.entries(transitions).flatMap(([name, to]) =>
    typeof to === 'string' || !to.parameters
      ? []
      : [`- ${name}: ${jsonText(argumentsSchema(to.parameters))}`],
  );
}

/** The conversation, the refused answer, and its errors. */
export function reaskMessages(asked: Messages, { content, call, errors }: RefusedAnswer): Messages {
  const problems: Json = errors.map(({ path, keyword, params }) => ({ path, keyword, params }));
  if (!call)
    return [
      ...asked,
      { role: 'assistant', content },
      {
        role: 'user',
        content: `The arguments in metaJson do not fit. Answer again with arguments that do.\n${jsonText({ problems })}`,
      },
    ];
  const id = call.id ?? 'call_0';
  return [
    ...asked,
    {
      role: 'assistant',
      content,
      tool_calls: [{ id, type: 'function', function: { name: call.name, arguments: call.argumentsText } }],
    },
    {
      role: 'tool',
      tool_call_id: id,
      content: JSON.stringify({
        error: 'The arguments do not fit. Call the tool again with arguments that do.',
        problems,
      }),
    },
  ];
}
