import { closedSchema } from '#lib/json-schema';
import type { JsonObject } from '#lib/kernel';
import { type AskedCall, chatTool } from '#lib/call-rules';
import { callAt, type ToolFact } from '#lib/runs/tools/core';
import { toolIdOf } from '../agent/hook-definition.js';
import { allHold, those } from './conditions.rules.js';
import type { Emitted } from './directive.rules.js';
import { embedded, fitting } from './embedded-schema.rules.js';
import { passGates } from './gates.rules.js';
import {
  instructionLine,
  positionSections,
  purposeMessages,
  scopedInstructions,
  type ScopedInstruction,
  type Section,
} from './prompts.rules.js';
import { readMessage, readObject } from './reply.rules.js';
import type { Steps } from '#lib/workflow';
import type { ToolAnswer } from './asks.js';
import { together } from './together.script.js';
import { type CalledOne, calledTool, emittedBy, toolMessage } from './tool-answer.rules.js';
import { toolConversation } from './tool-conversation.rules.js';
import { type TurnDraft, TurnFailed } from './turn-draft.rules.js';

/** The model's message, and the directives of the tools it called. */
export interface Answered {
  readonly message: string;
  readonly emitted: readonly Emitted[];
}

/**
 * Asks the model for the answer. Its tool calls are made, and it is asked again with their results, at most as often as the agent
 * allows; calls in the reply after that are not made.
 * @throws TurnFailed if the model gives no message, or a text cut off at a limit: from version 2 on with the reason of the cut
 */
export function* respond(turn: TurnDraft, bullets: readonly string[]): Steps<Answered> {
  const sections = yield* answerSections(turn, bullets);
  const offered = offeredTools(turn);
  const output = turn.flow?.responseOutputSchema;
  const emitted: Emitted[] = [];
  let messages = purposeMessages(turn, sections);
  for (let loop = 0; ; loop += 1) {
    const id = turn.id('respond');
    const answer = yield* turn.asks.model({
      id,
      purpose: 'respond',
      schema: respondSchema(output),
      messages,
      tools: offered.map(chatTool),
    });
    if ('failure' in answer) throw new TurnFailed(answer.failure);
    if (answer.calls.length === 0 || loop >= turn.agent.maxToolLoops) {
      if (turn.version > 1 && answer.stopped && !readObject(answer)) throw new TurnFailed(answer.stopped);
      const message = readMessage(answer);
      turn.output = fitting(turn, output, readObject(answer)?.['data']);
      if (message !== undefined || answer.calls.length > 0) return { message: message ?? '', emitted };
      throw new TurnFailed({ kind: 'unusable-reply', message: 'The model answered without a message.' });
    }
    const called = yield* callTools(turn, id, answer.reply, answer.calls);
    emitted.push(...called.flatMap((one) => emittedBy(turn, one)));
    messages = [...messages, answer.message, ...called.map((one) => toolMessage(turn, one))];
  }
}

function respondSchema(output: JsonObject | undefined): JsonObject {
  const message = { type: 'string' };
  if (!output) return closedSchema({ message }, ['message']);
  return closedSchema({ message, data: embedded(output, '/properties/data') }, ['message', 'data']);
}

function* answerSections(turn: TurnDraft, routed: readonly string[]): Steps<readonly Section[]> {
  const bullets = [...routed, ...turn.appendPrompt];
  const lines = (yield* appliedInstructions(turn)).map((one) => instructionLine(turn, one));
  return [
    ...(lines.length > 0 ? [{ name: 'Instructions', text: lines.join('\n') }] : []),
    ...positionSections(turn),
    ...(bullets.length > 0
      ? [{ name: 'Directives', text: bullets.map((one) => `- ${one}`).join('\n') }]
      : []),
    {
      name: 'Answer',
      text: turn.flow?.responseOutputSchema
        ? 'Answer the user as JSON: {"message": "…", "data": …}.'
        : 'Answer the user as JSON: {"message": "…"}.',
    },
  ];
}

/** The tools of the agent, the flow, the step and this turn, without repetitions. */
function offeredTools({ agent, flow, step, given, injectTools }: TurnDraft): readonly ToolFact[] {
  const uses = [...(agent.tools ?? []), ...(flow?.tools ?? []), ...(step?.tools ?? [])];
  const ids = [...uses.map(toolIdOf), ...injectTools];
  return given.tools.filter(({ toolId }) => ids.includes(toolId));
}

/** Neighbouring calls run at the same time if their tools allow it, every other call alone. Results keep the order of the calls. */
function* callTools(
  turn: TurnDraft,
  id: string,
  reply: string,
  calls: readonly AskedCall[],
): Steps<readonly CalledOne[]> {
  const offered = offeredTools(turn);
  const asks = yield* together(
    calls.map((asked, index) => {
      const tool = offered.find((one) => one.toolId === asked.name);
      return gatedAsk(turn, { asked, place: `${id}.call-${index + 1}`, reply, call: index + 1, tool });
    }),
  );
  const called: CalledOne[] = [];
  for (const group of groups(asks)) {
    const answers = yield* together(group.map(({ ask }) => turn.asks.tool(ask)));
    for (const [index, one] of group.entries()) called.push({ ...one, answer: answers[index] as ToolAnswer });
  }
  turn.toolCalls.push(...called.map(calledTool));
  return called;
}

type AskedOne = Omit<CalledOne, 'answer'>;

interface Call {
  readonly asked: AskedCall;
  readonly place: string;
  readonly reply: string;
  /** Its number in the reply, from 1. */
  readonly call: number;
  readonly tool: ToolFact | undefined;
}

/** A call after its gates, with corrected arguments or a refusal. */
function* gatedAsk(turn: TurnDraft, { asked, place, reply, call, tool }: Call): Steps<AskedOne> {
  const { name: toolId, argumentsText } = asked;
  const at = callAt(turn.given, place);
  const gated = tool ? yield* passGates(turn, toolId, argumentsText) : {};
  const ask = { ...at, toolId, ...(tool && { tool }), ...toolConversation(turn) };
  if ('corrected' in gated && gated.corrected !== undefined)
    return { asked, ask: { ...ask, argumentsText: gated.corrected } };
  const argumentsFrom = { reply, call };
  const refused = 'refused' in gated && { refused: gated.refused };
  return { asked, ask: { ...ask, argumentsText, argumentsFrom, ...refused } };
}

function groups(asks: readonly AskedOne[]): readonly (readonly AskedOne[])[] {
  return asks.reduce<AskedOne[][]>((all, one) => {
    const last = all.at(-1);
    if (last?.every(isSafe) && isSafe(one)) last.push(one);
    else all.push([one]);
    return all;
  }, []);
}

function isSafe({ ask }: AskedOne): boolean {
  return ask.tool?.policy.concurrencySafe === true;
}

/** The instructions whose predicates hold. Their `when` is text for the model. */
function* appliedInstructions(turn: TurnDraft): Steps<readonly ScopedInstruction[]> {
  const applied = yield* those(scopedInstructions(turn), (one) => allHold(turn, one.instruction.if));
  turn.appliedInstructions.push(
    ...applied.map(({ instruction, scope, scopeRef }) => ({
      id: instruction.id,
      scope,
      ...(scopeRef !== undefined && { scopeRef }),
    })),
  );
  return applied;
}
