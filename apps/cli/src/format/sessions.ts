import { jsonLine, oneLine, spaced } from '#lib/kernel';
import { arrow, choiceText, dataAndReason } from '#lib/summaries';
import type { ArbitrationResult, ConsensusView, SessionView } from '#lib/decisions/session';
import type { Tick } from '#lib/decisions/driving';
import type { Paint } from '../io.js';
import { members } from './table.js';
import { forkText } from './text.js';

export const STATUS_TEXT = {
  open: 'open',
  needs_human: 'waits for a person',
  done: 'at rest',
  closed: 'closed',
} as const;

/** The state of a session. */
export function sessionLines(session: SessionView, paint: Paint): readonly string[] {
  const { machineName, machineVersion, machineHash, currentState, status, metaJson, forkedFrom } = session;
  const version = machineVersion === undefined ? '' : ` version ${machineVersion}`;
  const goal = currentState === session.machine.goalState ? 'the goal, ' : '';
  return [
    paint('bold', `session ${session.sessionId}`),
    ...members({
      machine: `${machineName}${version} (hash ${machineHash.slice(0, 12)})`,
      state: `${oneLine(currentState)} (${goal}${STATUS_TEXT[status]})`,
      meta: metaJson && jsonLine(metaJson),
      fork:
        forkedFrom && forkText(`session ${forkedFrom.sessionId} revision ${forkedFrom.revision}`, forkedFrom),
      created: session.createdAt,
      updated: `${session.updatedAt} (revision ${session.revision})`,
    }),
  ];
}

/** The transitions that were executed, oldest first. */
export function historyLines(history: SessionView['history']): readonly string[] {
  return history.map((one) => `  ${spaced(arrow(one), dataAndReason(one))}`);
}

/** The result of an arbitration; empty if a guard refused it, which is an error of the command. */
export function arbitrationLines(result: ArbitrationResult, paint: Paint): readonly string[] {
  const { guardsPass, guardReason, executed, transitionName = '', toState = '' } = result;
  if (!guardsPass) return [];
  const guard = oneLine(guardReason, 140);
  if (!executed) return [`${paint('yellow', 'not decided')}: ${guard}`];
  const choice = `${paint('green', 'decided')}: ${choiceText({ transitionName, toState })}`;
  return [spaced(choice, dataAndReason(result), `(${guard})`)];
}

/** The arbiter's verdict on a round. */
export function consensusLines(view: ConsensusView, paint: Paint): readonly string[] {
  const { consensusReached, winningProposalId, quorum } = view;
  const verdict = consensusReached ? paint('green', 'consensus') : paint('yellow', 'no consensus');
  return [
    `${verdict}: ${oneLine(view.reasoning, 140)}`,
    ...members({
      winner: winningProposalId && `proposal ${winningProposalId}`,
      margin: view.margin?.toFixed(2),
      threshold: view.threshold?.toFixed(2),
      proposals: `${quorum.present}, ${quorum.needed} needed`,
    }),
  ];
}

/** The result of a step for each session, one a line. */
export function tickLines(results: readonly Tick[], paint: Paint): readonly string[] {
  if (results.length === 0) return ['every session is at rest'];
  return results.map(
    (result) => `session ${result.sessionId}  ${result.machineName}  ${stepText(result, paint)}`,
  );
}

function stepText(result: Tick, paint: Paint): string {
  const { status, specialistId = 'a person', reasoning = '', failure } = result;
  const state = oneLine(result.currentState);
  switch (status) {
    case 'solicited':
      return `${state}: ${specialistId} was asked`;
    case 'failed':
      return `${state}: ${specialistId} gave no proposal (${failure?.kind ?? 'unknown'}): ${oneLine(failure?.message ?? '', 140)}`;
    case 'needs_human':
      return `${state}: ${paint('yellow', 'a person is needed')}: ${oneLine(reasoning, 140)}`;
    case 'advanced': {
      const { previousState: fromState = '?', transitionName = '?' } = result;
      const executed = arrow({ fromState, transitionName, toState: result.currentState });
      return spaced(paint('green', executed), dataAndReason({ reasoning }));
    }
  }
}
