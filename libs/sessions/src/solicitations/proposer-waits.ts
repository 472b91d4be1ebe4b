import { RejectionError } from '#lib/operations';
import type { WaitsForPerson } from '#lib/workflow';

/** A run of the proposer waits for a person. The solicitation stays open. */
export class ProposerWaits extends RejectionError {
  constructor(
    private readonly wait: WaitsForPerson,
    position?: string,
  ) {
    super({ rejected: 'conflict', code: 'waits-for-person', message: wait.message }, position);
  }

  /** @param position of the event that says that the proposer is asked */
  after(position: string | undefined): ProposerWaits {
    return new ProposerWaits(this.wait, position);
  }
}
