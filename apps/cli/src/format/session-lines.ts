import type { SessionSummary } from '#lib/projections';
import type { ProposalView, SessionView, TransitionRecord } from '#lib/session';
import { jsonLine, oneLine } from './one-line.js';
import type { Paint } from './paint.js';
import { table } from './table.js';

const STATUS_TEXT = { open: 'open', needs_human: 'waits for a person', done: 'at rest' } as const;

/** The state of a session. */
export function sessionLines(session: SessionView, paint: Paint): readonly string[] {
  const { machineName, machineVersion, machineHash, currentState, metaJson, createdAt, updatedAt } = session;
  const version = machineVersion === undefined ? '' : ` version ${machineVersion}`;
  return [
    paint('bold', `session ${session.sessionId}`),
    `  machine  ${machineName}${version} (hash ${machineHash.slice(0, 12)})`,
    `  state    ${stateText(session.machine.goalState, currentState, session.status)}`,
    ...(metaJson === undefined ? [] : [`  meta     ${jsonLine(metaJson)}`]),
    `  created  ${createdAt}`,
    `  updated  ${updatedAt} (revision ${session.revision})`,
  ];
}

function stateText(goalState: string, state: string, status: SessionView['status']): string {
  return `${oneLine(state)} (${state === goalState ? 'the goal, ' : ''}${STATUS_TEXT[status]})`;
}

const sessionColumns = [
  { title: 'session' },
  { title: 'machine' },
  { title: 'state' },
  { title: 'status' },
  { title: 'updated' },
] as const;

/** Sessions, one a line. */
export function sessionTable(sessions: readonly SessionSummary[]): readonly string[] {
  if (sessions.length === 0) return ['there are no sessions'];
  const rows = sessions.map(({ sessionId, machineName, currentState, status, updatedAt }) => [
    sessionId,
    machineName,
    oneLine(currentState, 40),
    STATUS_TEXT[status],
    updatedAt,
  ]);
  return table(sessionColumns, rows);
}

/** The transitions that were executed, oldest first. */
export function historyLines(history: readonly TransitionRecord[]): readonly string[] {
  return history.map((one) => {
    const said = [one.metaJson && jsonLine(one.metaJson), one.reasoning && `"${oneLine(one.reasoning)}"`];
    return ['  ' + arrow(one), ...said.filter(Boolean)].join('  ');
  });
}

/** `triage ── approve ──▶ payout` */
export function arrow(
  transition: Pick<TransitionRecord, 'fromState' | 'transitionName' | 'toState'>,
): string {
  const { fromState, transitionName, toState } = transition;
  return `${oneLine(fromState)} ── ${oneLine(transitionName)} ──▶ ${oneLine(toState)}`;
}

const proposalColumns = [
  { title: 'specialist' },
  { title: 'proposes' },
  { title: 'status' },
  { title: 'said' },
];

/** Proposals, one a line. */
export function proposalLines(proposals: readonly ProposalView[]): readonly string[] {
  const rows = proposals.map(({ specialistId, transitionName, toState, status, metaJson, reasoning }) => [
    specialistId,
    `${oneLine(transitionName)} → ${oneLine(toState)}`,
    status,
    [metaJson && jsonLine(metaJson, 60), reasoning && `"${oneLine(reasoning, 60)}"`]
      .filter(Boolean)
      .join(' '),
  ]);
  return table(proposalColumns, rows);
}
