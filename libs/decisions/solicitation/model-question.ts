import { type JsonObject, jsonText } from '#lib/kernel';
import { argumentsSchema, type TransitionDefinition } from '#lib/decisions/machines';
import { changedNames, modelBody, type ModelRequest, type ModelRoute, takesTools } from '#lib/call-rules';
import { askingReasoning } from './ask-reasoning.js';
import { buildToolsFromTransitions, transitionTools } from './build-tools.js';
import { type Messages, reaskMessages, textMessages, toolMessages } from './prompts.js';
import { templateRenderer } from '#lib/call-rules';
import type { CallRung, ProposerMode } from './solicitation.events.js';
import type { SolicitationAsk } from './solicitation.ask.js';

type ModelMode = Extract<ProposerMode, { kind: 'model' }>;

/** The request to a model on a rung. A backup without tools is asked for text. @throws TemplateTooLarge */
export function modelQuestion(state: SolicitationAsk, rung: CallRung, route: ModelRoute): ModelRequest {
  const mode = state.input.proposer as ModelMode;
  const { refused } = state;
  // A reask uses the rung of the refused answer.
  const way = rung === 'reask' && refused ? refused.rung : rung;
  const isText = way === 'text' || way === 'structured' || !takesTools(route);
  const asked = isText ? textQuestion(state, mode) : toolQuestion(state, mode);
  const messages = rung === 'reask' && refused ? reaskMessages(asked, refused) : asked;
  const { transitions } = state.context;
  const offered = mode.askReasoning ? askingReasoning(transitions) : transitions;
  const tools = isText ? null : buildToolsFromTransitions(offered);
  const parameters = { temperature: 0, ...(tools && { toolChoice: 'auto' }), ...mode.modelParameters };
  const format = way === 'structured' && {
    name: 'decision',
    schema: decisionSchema(transitions),
  };
  const question = { messages, ...(tools && { tools }), ...(format && { format }) };
  const body = modelBody(route, question, parameters);
  return { labels: { rung }, body, ...(tools && changedNames(transitionTools(transitions))) };
}

function textQuestion(state: SolicitationAsk, mode: ModelMode): Messages {
  const { text, system } = rendered(state, mode);
  return textMessages(state, text, system);
}

function toolQuestion(state: SolicitationAsk, mode: ModelMode): Messages {
  const { text, system } = rendered(state, mode);
  return toolMessages(state.context, text, system);
}

function rendered(
  { context, contextText = '' }: SolicitationAsk,
  { context: template, systemPrompt }: ModelMode,
): { readonly text: string; readonly system?: string } {
  const render = templateRenderer(context);
  const text = 'contextTemplate' in template ? render(template.contextTemplate) : contextText;
  return { text, ...(systemPrompt !== undefined && { system: render(systemPrompt) }) };
}

/** The JSON Schema of decision JSON for these transitions. The answer is checked in any case. */
function decisionSchema(transitions: { readonly [name: string]: TransitionDefinition }): JsonObject {
  const targets = new Set(Object.values(transitions).map(({ target }) => target));
  const [args, ...others] = Object.values(transitions).flatMap(({ parameters }) =>
    parameters ? [ofArguments(parameters)] : [],
  );
  return {
    type: 'object',
    properties: {
      transitionName: { enum: Object.keys(transitions) },
      toState: { enum: [...targets] },
      reasoning: { type: 'string' },
      ...(args && { metaJson: others.length === 0 ? args : { anyOf: [args, ...others] } }),
    },
    required: ['transitionName', 'toState', 'reasoning'],
    additionalProperties: false,
  };
}

/** References are relative to their own schema: a schema with references is not embedded in another. */
function ofArguments(parameters: JsonObject): JsonObject {
  const schema = argumentsSchema(parameters);
  return jsonText(schema).includes('"$ref"') ? { type: 'object' } : schema;
}
