/** The colour of an event's mark. What it means stands in its words too. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

const TONES: ReadonlyMap<string, Tone> = new Map(
  Object.entries({
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
  } as const),
);

export function toneOf(type: string): Tone {
  return TONES.get(type) ?? (/(?:Failed|Rejected|GivenUp)$/.test(type) ? 'bad' : 'quiet');
}
