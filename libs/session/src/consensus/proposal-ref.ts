/** The authors of each choice. */
export interface ProposalRef {
  readonly proposalId: string;
  readonly specialistId: string;
  readonly specialistVersion: number;
  readonly isHuman: boolean;
  readonly transitionName: string;
}
