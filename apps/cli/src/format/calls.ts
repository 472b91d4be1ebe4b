import { oneLine } from '#lib/kernel';
import { callReading, type CallReading, conclusionOf } from '#lib/call-rules';
import type { LlmCallRecord } from '#lib/read-models';
import type { Paint } from '../io.js';
import type { AnswerOf } from '../operations/call-operation.js';
import { type Columns, part, table } from './table.js';
import { known, wholeMs } from './text.js';

const TOOLS: Columns<CallReading['tools'][number]> = {
  name: ({ name }) => oneLine(name, 64),
  arguments: ({ parameters }) => oneLine(parameters, 80),
  description: ({ description }) => oneLine(description, 60),
};

/** Of calls to models. */
export const CALLS: Columns<AnswerOf<'listLlmCalls'>['items'][number]> = {
  'asked by': ({ specialistId, workflow }) => specialistId ?? workflow,
  rung: ({ rung, round }) => rung ?? (round === undefined ? '' : `round ${round}`),
  model: ({ model }) => oneLine(model, 30),
  status: ({ responseStatus }) => responseStatus,
  outcome: ({ outcome }) => outcome,
  'tokens in': ({ usage }) => usage?.prompt_tokens,
  out: ({ usage }) => usage?.completion_tokens,
  ms: ({ durationMs }) => known(durationMs, wholeMs),
  error: ({ error }) => oneLine(error ?? '', 30),
  // The first characters name the call.
  call: ({ callId }) => callId.slice(0, 8),
};

/** One call to a model: request, reply, and conclusion. */
export function callPageLines(call: AnswerOf<'getLlmCall'>, paint: Paint): readonly string[] {
  const reading = callReading(call);
  return [
    ...headLines(call, paint),
    ...reading.messages.flatMap(({ role, text }) => ['', paint('bold', role), ...indented(text)]),
    ...part(paint('bold', 'tools'), reading.tools, table(TOOLS, reading.tools)),
    '',
    paint('bold', 'reply'),
    ...replyLines(reading),
    '',
    paint('bold', 'conclusion'),
    ...indented(call.conclusion),
  ];
}

/** A try: the call, and the choice in its answer. */
export function tryLines({ call, reading }: AnswerOf<'tryCall'>, paint: Paint): readonly string[] {
  const { transitionName, metaJson } = reading;
  const chosen = `${transitionName}${metaJson ? ` ${JSON.stringify(metaJson)}` : ''}`;
  return [
    ...callPageLines(Object.assign({ conclusion: conclusionOf(call) }, call), paint),
    ...(transitionName === undefined ? [] : ['', paint('bold', 'choice'), ...indented(chosen)]),
  ];
}

function headLines(call: LlmCallRecord, paint: Paint): readonly string[] {
  const { callId, model, resolvedModel } = call;
  const answeredBy =
    resolvedModel === undefined || resolvedModel === model ? '' : ` (answered by ${resolvedModel})`;
  return [
    paint('bold', `call ${callId}`),
    `  ${placeOf(call)}`,
    `  model ${oneLine(model, 60)}${answeredBy}`,
    `  status ${call.responseStatus ?? '-'}${call.responseIncomplete ? ' (incomplete)' : ''}, ${usageText(call)}`,
  ];
}

function placeOf({
  workflow,
  runId,
  sessionId,
  specialistId,
  rung,
  round,
  requestedAt,
}: LlmCallRecord): string {
  const asked =
    sessionId === undefined ? [`${workflow} ${runId}`] : [`session ${sessionId}`, specialistId ?? workflow];
  const step = rung === undefined ? round !== undefined && `round ${round}` : `rung ${rung}`;
  return [...asked, ...(step ? [step] : []), requestedAt].join(', ');
}

function usageText({ usage, durationMs }: LlmCallRecord): string {
  const { prompt_tokens: input = '-', completion_tokens: output = '-' } = usage ?? {};
  return `tokens in ${input}, out ${output}, ${known(durationMs, wholeMs)} ms`;
}

function replyLines({ replyText, reasoning, toolCall }: CallReading): readonly string[] {
  const called = toolCall && `${toolCall.name}(${argumentsText(toolCall.arguments)})`;
  const thought = reasoning === undefined ? '' : `(thinks) ${reasoning}`;
  const parts = [thought, replyText, called ?? ''].filter((part) => part !== '');
  return parts.length === 0 ? ['  (none)'] : parts.flatMap(indented);
}

function argumentsText(args: NonNullable<CallReading['toolCall']>['arguments']): string {
  return typeof args === 'string' ? args : JSON.stringify(args, null, 2);
}

function indented(text: string): string[] {
  return text.split(/\r?\n/).map((line) => `  ${line.replaceAll('\t', '  ')}`.trimEnd());
}
