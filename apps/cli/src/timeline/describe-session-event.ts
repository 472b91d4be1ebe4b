import type { RecordedEvent } from '#lib/kernel';
import { type Choice, DEFAULT_SPECIALIST, type SessionEvent } from '#lib/session';
import { jsonLine, oneLine } from '../format/one-line.js';
import { arrow } from '../format/session-lines.js';

/** An event as one line of plain language. */
export function describeSessionEvent({ type, data }: RecordedEvent<SessionEvent>): string {
  switch (type) {
    case 'SessionCreated': {
      const version = data.machineVersion === undefined ? '' : ` version ${data.machineVersion}`;
      return spaced(`${data.machineName}${version} starts in ${oneLine(data.initialState)}`, meta(data));
    }
    case 'ProposalSolicited':
      return `${data.specialistId} is asked`;
    case 'ProposalSubmitted':
      return `${who(data)} proposes ${choice(data)}`;
    case 'ProposalSetAside':
      return `${who(data)} proposed ${choice(data)}: set aside as ${data.reason}`;
    case 'ProposalFailed':
      return `${data.specialistId} gave no proposal (${data.failure.kind}); the session stays where it is`;
    case 'ArbitrationRequested':
      return `${data.arbiter.specialistId} is asked for a verdict on ${count(data.proposals.length)}`;
    case 'ConsensusReached':
      return `${arbiterName(data)} sees consensus: ${oneLine(data.reasoning, 140)}`;
    case 'ConsensusNotReached':
      return `${arbiterName(data)} sees no consensus: ${oneLine(data.reasoning, 140)}`;
    case 'VerdictSetAside':
      return `the verdict "${oneLine(data.verdict.reasoning)}" is set aside as ${data.reason}`;
    case 'ArbitrationFailed':
      return `the arbiter gave no verdict (${data.failure.kind}): ${oneLine(data.failure.message, 140)}`;
    case 'HumanInputRequested':
      return `a person is needed (${data.reason}): ${oneLine(data.detail, 140)}`;
    case 'HumanOverrideAccepted':
      return `${data.specialistId} (a person) decides ${choice(data)}`;
    case 'TransitionExecuted':
      return spaced(arrow(data), data.decidedBy === 'operator' ? '(an operator)' : '', meta(data));
  }
}

function who({
  specialistId,
  isHuman,
}: {
  readonly specialistId: string;
  readonly isHuman: boolean;
}): string {
  if (specialistId === DEFAULT_SPECIALIST) return 'the default proposer';
  return isHuman ? `${specialistId} (a person)` : specialistId;
}

function arbiterName({ arbiter }: { readonly arbiter: { readonly specialistId: string } }): string {
  return arbiter.specialistId === DEFAULT_SPECIALIST ? 'the default arbiter' : arbiter.specialistId;
}

function count(proposals: number): string {
  return proposals === 1 ? '1 proposal' : `${proposals} proposals`;
}

function choice(said: Choice): string {
  const reasoning = said.reasoning === '' ? '' : `"${oneLine(said.reasoning)}"`;
  return spaced(`${oneLine(said.transitionName)} → ${oneLine(said.toState)}`, meta(said), reasoning);
}

function meta({ metaJson }: { readonly metaJson?: unknown }): string {
  return metaJson === undefined ? '' : jsonLine(metaJson);
}

function spaced(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('  ');
}
