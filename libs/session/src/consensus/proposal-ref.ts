/** Who stood for what. */
export interface ProposalRef {
  readonly proposalId: string;
  readonly specialistId: string;
  readonly specialistVersion: number;
  readonly isHuman: boolean;
  readonly transitionName: string;
}
