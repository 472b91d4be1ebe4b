import type { SessionEvent } from '../session.events.js';
import type { Spending } from '../choice.js';

/** The cost of an arbitration, from the event that ends it; empty for other events. */
export function arbitrationSpending(event: SessionEvent): Spending {
  switch (event.type) {
    case 'ConsensusReached':
    case 'ConsensusNotReached':
    case 'HumanOverrideAccepted':
      return event.data.spent ?? {};
    case 'VerdictSetAside':
      return event.data.verdict;
    default:
      return {};
  }
}
