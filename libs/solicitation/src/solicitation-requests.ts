import type { SessionEvent } from '#lib/session';
import type { RunRequests } from '#lib/workflow';

const TAKEN: readonly string[] = [
  'ProposalSubmitted',
  'ProposalSetAside',
  'ProposalFailed',
] satisfies SessionEvent['type'][];

/** How sessions ask for solicitations, and take in their ends. The id of the solicitation is that of its run. */
export const solicitationRequests: RunRequests = {
  category: 'session',
  workflow: 'solicitation',
  askedBy: (event) => (event.type === 'ProposalSolicited' ? solicitationId(event.data) : undefined),
  takenBy: (event) => (TAKEN.includes(event.type) ? solicitationId(event.data) : undefined),
};

function solicitationId(data: object): string | undefined {
  return 'solicitationId' in data && typeof data.solicitationId === 'string'
    ? data.solicitationId
    : undefined;
}
