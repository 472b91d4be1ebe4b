import { jsonLine, oneLine } from '#lib/kernel';
import type { ConversationView, TurnView } from '#lib/flows';
import type { Paint } from '../io.js';
import { members } from './table.js';
import { forkText } from './text.js';

/** A conversation with its turns, oldest first. */
export interface ConversationInspection {
  readonly conversation: ConversationView;
  readonly turns: readonly TurnView[];
}

/** A conversation, then each turn: its messages, and its course. */
export function inspectedConversationLines(
  { conversation, turns }: ConversationInspection,
  paint: Paint,
): readonly string[] {
  return [...conversationLines(conversation, paint), ...turns.flatMap((turn) => ['', ...turnLines(turn)])];
}

/** The position of a conversation. */
export function conversationLines(conversation: ConversationView, paint: Paint): readonly string[] {
  const { agentName, agentVersion, status, currentFlow, currentStep, data, usage, forkedFrom } = conversation;
  const position = [currentFlow?.id, currentStep?.id].filter(Boolean).join('/');
  return [
    paint('bold', `conversation ${conversation.conversationId}`),
    ...members({
      agent: `${agentName} version ${agentVersion}`,
      status: position === '' ? status : `${status} in ${position}`,
      data: jsonLine(data),
      fork:
        forkedFrom &&
        forkText(`conversation ${forkedFrom.conversationId} turn ${forkedFrom.turnId}`, forkedFrom),
      models: `${usage.calls} calls, ${usage.inputTokens} tokens in, ${usage.outputTokens} out`,
    }),
  ];
}

/** The messages and the events of a turn, as lines. */
export function turnLines(turn: TurnView): readonly string[] {
  const { text, status, message, failure } = turn;
  const said = status === 'completed' ? oneLine(message) : `(${status})`;
  const end = failure ? `${said} ${oneLine(failure.message)}` : said;
  return [`> ${oneLine(text)}`, ...chatLines(turn), `< ${end}`];
}

/** The flow, step, data, tools and signals of a turn, without its message. */
export function chatLines(turn: TurnView): readonly string[] {
  const { executedSteps, dataChanges, toolCalls, triggeredSignals, stoppedReason, awaiting = [] } = turn;
  const did = [
    executedSteps.map(({ flowId, stepId }) => `${flowId}/${stepId}`).join(' → '),
    ...Object.entries(dataChanges).map(([name, { to }]) => `${name}=${JSON.stringify(to ?? null)}`),
    ...toolCalls.map(({ toolId, status }) => `${toolId} ${status}`),
    ...triggeredSignals.map(({ signalId }) => `signal ${signalId}`),
    stoppedReason,
  ].filter(Boolean);
  return [
    ...(did.length > 0 ? [`  ${oneLine(did.join(' · '))}`] : []),
    ...awaiting.map(({ signal, prompt }) => `  waits for ${signal} of ${jsonLine(prompt)}: y or n`),
  ];
}
