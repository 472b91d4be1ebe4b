import type { Gate, GateResult } from '#lib/gates/core';
import { jsonLine, oneLine } from './one-line.js';
import type { Paint } from './paint.js';
import { proposalLines } from './session-lines.js';
import { table } from './table.js';

/** A gate. */
export function gateLines({ gateId, version, definition }: Gate, paint: Paint): readonly string[] {
  const { prompt = '', choices, specialists = [] } = definition;
  return [
    paint('bold', `gate ${gateId} version ${version}`),
    ...(prompt === '' ? [] : [`  question     ${oneLine(prompt, 140)}`]),
    `  choices      ${names(choices)}`,
    ...(specialists.length === 0
      ? []
      : [`  specialists  ${specialists.map(({ specialistId }) => specialistId).join(', ')}`]),
  ];
}

const columns = [
  { title: 'gate' },
  { title: 'version', align: 'right' },
  { title: 'choices' },
  { title: 'question' },
] as const;

/** Gates, one a line. */
export function gateTable(gates: readonly Gate[]): readonly string[] {
  if (gates.length === 0) return ['there are no gates'];
  const rows = gates.map(({ gateId, version, definition: { choices, prompt = '' } }) => [
    gateId,
    String(version),
    oneLine(names(choices), 60),
    oneLine(prompt, 80),
  ]);
  return table(columns, rows);
}

/** A gate's decision, with its proposals. */
export function gateResultLines(result: GateResult, paint: Paint): readonly string[] {
  const { proposals, failures } = result;
  return [
    decided(result, paint),
    `  session  ${result.sessionId}`,
    `  took     ${spent(result)}`,
    ...failures.map(
      ({ specialistId, failure }) =>
        `  ${paint('red', `${specialistId} gave no proposal`)} (${failure.kind}): ${oneLine(failure.message, 140)}`,
    ),
    ...(proposals.length === 0 ? [] : proposalLines(proposals)),
  ];
}

function decided(result: GateResult, paint: Paint): string {
  const { gateId, decision, metaJson, reasoning } = result;
  if (decision === undefined) return `gate ${gateId}: ${paint('yellow', 'not decided')}`;
  const said = [metaJson && jsonLine(metaJson), reasoning && `"${oneLine(reasoning)}"`];
  return [`gate ${gateId}: ${paint('green', oneLine(decision))}`, ...said.filter(Boolean)].join('  ');
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
  return Object.keys(choices)
    .map((name) => oneLine(name))
    .join(' | ');
}
