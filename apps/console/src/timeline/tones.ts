/** The colour of an event's mark. What it means stands in its words too. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

const TONES: { readonly [type: string]: Tone } = {
  TransitionExecuted: 'good',
  WorkflowEnded: 'good',
  ProposalSubmitted: 'info',
  ConsensusReached: 'info',
  HumanOverrideAccepted: 'info',
  ApprovalGiven: 'info',
  FallbackTaken: 'warn',
  ConsensusNotReached: 'warn',
  HumanInputRequested: 'warn',
  ProposalSetAside: 'warn',
  VerdictSetAside: 'warn',
};

export function toneOf(type: string): Tone {
  return TONES[type] ?? (/(?:Failed|Rejected|GivenUp)$/.test(type) ? 'bad' : 'quiet');
}
