import type { Gate, GateResult } from '#lib/gates/core';
import type { Problem } from '#lib/kernel';
import type { Machine } from '#lib/machines';
import type { SpecialistRecord, SpecialistVersionRecord } from '#lib/projections';
import { problemLine } from '../input/read-machine-file.js';
import type { Paint } from '../io.js';
import { proposalTable } from './sessions.js';
import { type Columns, members, table } from './table.js';
import { dataAndReason, oneLine, spaced } from './text.js';

/** Warnings, one a line. */
export function warningLines(warnings: readonly Problem[] | undefined, paint: Paint): readonly string[] {
  return (warnings ?? []).map((warning) => `${paint('yellow', 'warning')}: ${problemLine(warning)}`);
}

/** The tokens that were just made for people, by their id. */
export function tokenLines(tokens: { readonly [specialistId: string]: string } = {}): readonly string[] {
  return Object.entries(tokens).map(
    ([specialistId, token]) =>
      `token of ${specialistId}, given only now: it proves over HTTP who acts as that person: ${token}`,
  );
}

const MACHINES: Columns<Machine> = {
  machine: ({ machineName }) => machineName,
  version: ({ version }) => version,
  states: ({ definition }) => Object.keys(definition.states).join(', '),
};

export function machineTable(machines: readonly Machine[]): readonly string[] {
  return table(MACHINES, machines, 'no machine is defined');
}

const SPECIALISTS: Columns<SpecialistRecord> = {
  specialist: ({ specialistId }) => specialistId,
  role: ({ role }) => role,
  machine: ({ machineName }) => machineName,
  'decides by': decidesBy,
  '': ({ enabled }) => (enabled ? '' : 'disabled'),
};

export function specialistTable(specialists: readonly SpecialistRecord[]): readonly string[] {
  return table(SPECIALISTS, specialists, 'no specialist is registered');
}

const VERSIONS: Columns<SpecialistVersionRecord> = {
  version: ({ version }) => version,
  role: ({ role }) => role,
  'decides by': decidesBy,
  registered: ({ registeredAt }) => registeredAt,
  '': ({ current }) => (current ? 'current' : ''),
};

export function specialistVersionTable(versions: readonly SpecialistVersionRecord[]): readonly string[] {
  return table(VERSIONS, versions);
}

function decidesBy({ isHuman, modelId, ...specialist }: SpecialistRecord): string {
  const { strategyFnName, strategyWebhookUrl, workflow } = specialist;
  if (isHuman) return 'a person';
  if (modelId !== undefined) return oneLine(`model ${modelId}`, 80);
  if (strategyFnName !== undefined) return `strategy ${strategyFnName}`;
  return workflow ? `workflow ${workflow.name}` : oneLine(`webhook ${strategyWebhookUrl ?? '?'}`, 80);
}

const GATES: Columns<Gate> = {
  gate: ({ gateId }) => gateId,
  version: ({ version }) => version,
  choices: ({ definition }) => oneLine(names(definition.choices), 60),
  question: ({ definition }) => oneLine(definition.prompt ?? '', 80),
};

export function gateTable(gates: readonly Gate[]): readonly string[] {
  return table(GATES, gates, 'there are no gates');
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
    ...(proposals.length === 0 ? [] : proposalTable(proposals)),
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
