import { oneLine, spaced } from '#lib/kernel';
import { type Choice, DEFAULT_SPECIALIST, type SessionEvent } from '#lib/decisions/session';
import { arrow, choiceText, dataAndReason, goesOn } from './text.js';

import type { Descriptions } from './descriptions.js';

/** The events of a session. */
export const sessionDescriptions: Descriptions<SessionEvent> = {
  SessionCreated: ({ machineName, machineVersion, initialState, metaJson }) => {
    const version = machineVersion === undefined ? '' : ` version ${machineVersion}`;
    return spaced(`${machineName}${version} starts in ${oneLine(initialState)}`, dataAndReason({ metaJson }));
  },
  ProposalSolicited: ({ specialistId }) => `${specialistId} is asked`,
  ProposalSubmitted: (data) => `${who(data)} proposes ${choice(data)}`,
  ProposalSetAside: (data) => `${who(data)} proposed ${choice(data)}: set aside as ${data.reason}`,
  ProposalFailed: ({ specialistId, failure }) =>
    `${specialistId} gave no proposal (${failure.kind}); the session stays where it is`,
  ArbitrationRequested: ({ arbiter, proposals: { length } }) =>
    `${arbiter.specialistId} is asked for a verdict on ${length === 1 ? '1 proposal' : `${length} proposals`}`,
  ConsensusReached: (data) => `${arbiterName(data)} sees consensus: ${oneLine(data.reasoning, 140)}`,
  ConsensusNotReached: (data) =>
    `${arbiterName(data)} ${data.leftToPeople === undefined ? 'sees no consensus' : 'leaves it to people'}: ${oneLine(data.reasoning, 140)}`,
  VerdictSetAside: ({ verdict, reason }) =>
    `the verdict "${oneLine(verdict.reasoning)}" is set aside as ${reason}`,
  ArbitrationFailed: ({ failure: { kind, message } }) =>
    `the arbiter gave no verdict (${kind}): ${oneLine(message, 140)}`,
  HumanInputRequested: ({ reason, detail }) => `a person is needed (${reason}): ${oneLine(detail, 140)}`,
  SessionClosed: ({ reason = '' }) => spaced('the session is closed', oneLine(reason, 140)),
  ClockStarted: () => 'the wait for people gets times',
  ClockEnded: ({ failure }) =>
    failure
      ? `a clock has ended (${failure.kind}): ${oneLine(failure.message, 140)}`
      : 'the wait for people has expired, and nothing is decided',
  ApprovalGiven: (data) => `${data.by} (a person) approves ${choice(data)}`,
  HumanOverrideAccepted: (data) => `${personText(data)} decides ${choice(data)}`,
  SessionForked: (data) => `${goesOn(data)}${data.freshRound ? '; its round begins again' : ''}`,
  TransitionExecuted: (data) =>
    spaced(
      arrow(data),
      data.decidedBy === 'operator' && '(an operator)',
      data.timedBy !== undefined && '(a timer)',
      dataAndReason({ metaJson: data.metaJson }),
    ),
};

/** The person who decides, and the human specialist as whom they decide. `by` is absent before 0.3. */
export function personText({
  specialistId,
  by = specialistId,
}: {
  specialistId: string;
  by?: string;
}): string {
  return by === specialistId ? `${specialistId} (a person)` : `${by} (a person) as ${specialistId}`;
}

function who({ specialistId, isHuman }: { specialistId: string; isHuman: boolean }): string {
  if (specialistId === DEFAULT_SPECIALIST) return 'the default proposer';
  return isHuman ? `${specialistId} (a person)` : specialistId;
}

function arbiterName({ arbiter }: { arbiter: { specialistId: string } }): string {
  return arbiter.specialistId === DEFAULT_SPECIALIST ? 'the default arbiter' : arbiter.specialistId;
}

function choice(chosen: Choice): string {
  return spaced(choiceText(chosen), dataAndReason(chosen));
}
