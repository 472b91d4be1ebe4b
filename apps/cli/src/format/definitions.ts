import { oneLine, type Problem, spaced } from '#lib/kernel';
import { dataAndReason } from '#lib/summaries';
import type { Gate, GateResult } from '#lib/decisions/gates';
import { problemLine } from '../input/read-machine-file.js';
import type { Paint } from '../io.js';
import { PROPOSALS } from './lists.js';
import { members, table } from './table.js';

/** Warnings, one a line. */
export function warningLines(warnings: readonly Problem[] | undefined, paint: Paint): readonly string[] {
  return (warnings ?? []).map((warning) => `${paint('yellow', 'warning')}: ${problemLine(warning)}`);
}

/** The tokens that were made for people in this call, by their id. */
export function tokenLines(tokens: { readonly [specialistId: string]: string } = {}): readonly string[] {
  return Object.entries(tokens).map(
    ([specialistId, token]) =>
      `token of ${specialistId}, given only now: it proves over HTTP who acts as that person: ${token}`,
  );
}

export function gateLines({ gateId, version, definition }: Gate, paint: Paint): readonly string[] {
  const { prompt, choices, specialists = [] } = definition;
  return [
    paint('bold', `gate ${gateId} version ${version}`),
    ...members({
      question: prompt || undefined,
      choices: names(choices),
      specialists: specialists.map(({ specialistId }) => specialistId).join(', ') || undefined,
    }),
  ];
}

/** A gate's decision, with its proposals. */
export function gateResultLines(result: GateResult, paint: Paint): readonly string[] {
  const { gateId, decision, sessionId, proposals, failures } = result;
  const decided =
    decision === undefined
      ? paint('yellow', 'not decided')
      : spaced(paint('green', oneLine(decision)), dataAndReason(result));
  return [
    `gate ${gateId}: ${decided}`,
    ...members({ session: sessionId, took: spent(result) }),
    ...failures.map(
      ({ specialistId, failure }) =>
        `  ${paint('red', `${specialistId} gave no proposal`)} (${failure.kind}): ${oneLine(failure.message, 140)}`,
    ),
    ...(proposals.length === 0 ? [] : table(PROPOSALS, proposals)),
  ];
}

function spent({ latencyMsec, costUSD, numInputTokens, numOutputTokens }: GateResult): string {
  return [
    `${Math.round(latencyMsec)} ms`,
    ...(costUSD === undefined ? [] : [`${costUSD.toFixed(6)} USD`]),
    ...(numInputTokens === undefined ? [] : [`${numInputTokens} tokens in`]),
    ...(numOutputTokens === undefined ? [] : [`${numOutputTokens} out`]),
  ].join(', ');
}

function names(choices: object): string {
  return Object.keys(choices).join(' | ');
}
