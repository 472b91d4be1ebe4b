import { refusedAt, reject, type Rejection, type RejectionText } from '#lib/kernel';

export const unknownSession = (sessionId: string): Rejection =>
  reject('unknown', 'unknown-session', {
    what: `session ${sessionId}`,
    why: 'there is no such session in this log',
    fix: 'Check the id, or create a session first',
  });

export const sessionExists = (sessionId: string): Rejection =>
  reject('conflict', 'session-exists', {
    what: `session ${sessionId}`,
    why: 'it was created before',
    fix: 'Use the session that is there, or create one under another id',
  });

export const stateGone = (state: string): Rejection =>
  refusedAt(
    '/overrides/machine/states',
    reject('refused', 'state-gone', {
      what: 'the fork was refused',
      why: `its machine has no state ${state}, in which the session is there`,
      fix: 'Keep the state in the machine, or fork at another revision',
    }),
  );

export const closedThere = (): Rejection =>
  reject('conflict', 'closed', {
    errorClass: 'SessionClosed',
    what: 'the fork was refused',
    why: 'the session is closed at that revision',
    fix: 'Fork at a revision before it was closed',
  });

export const unknownRound = (roundId: string): Rejection =>
  reject('conflict', 'unknown-round', {
    what: `round ${roundId}`,
    why: 'no round of this session has this id',
    fix: 'Read the session and use its currentRoundId, or leave roundId out',
  });

export const sessionClosed = (sessionId: string): Rejection =>
  reject('conflict', 'closed', {
    errorClass: 'SessionClosed',
    what: `session ${sessionId}`,
    why: 'it is closed',
    fix: 'Start another session',
  });

export const sessionDone = (sessionId: string): Rejection =>
  reject('conflict', 'session-done', {
    what: `closing session ${sessionId}`,
    why: 'it is done',
    fix: 'Leave it as it is',
  });

export const roundExpired = (): Rejection =>
  reject('gone', 'expired', {
    errorClass: 'TaskGone',
    what: 'the decision',
    why: 'the time in which people could decide the round is over',
    fix: 'Let an operator execute a transition',
  });

export const roundOver = (roundId: string): Rejection =>
  reject('conflict', 'round-over', {
    what: `round ${roundId}`,
    why: 'it is decided',
    fix: 'Read the session and decide its current round',
  });

export const atRest = (state: string): Rejection =>
  reject('refused', 'session-at-rest', {
    errorClass: 'NoTransitions',
    what: `Invalid transition from state "${state}"`,
    why: 'the session is at rest there: it is the goal, or offers no transitions',
    fix: 'Start another session; a person or an operator may leave a goal that has transitions',
  });

export const transitionNotOffered = (name: string, state: string, offered: readonly string[]): Rejection =>
  reject('refused', 'transition-not-offered', notOffered(name, state, offered));

/** As `transitionNotOffered`, for a decision. */
export const unknownTransition = (name: string, state: string, offered: readonly string[]): Rejection =>
  reject('refused', 'unknown-transition', notOffered(name, state, offered));

function notOffered(name: string, state: string, offered: readonly string[]): RejectionText {
  const offers = offered.length === 0 ? 'none' : offered.map((offer) => `"${offer}"`).join(', ');
  return {
    errorClass: 'InvalidTransition',
    what: `Invalid transition "${name}" from state "${state}"`,
    why: `that state offers ${offers}`,
    fix: offered.length === 0 ? 'Start another session: this one is at rest' : 'Choose one of these',
  };
}

export const argumentsNeeded = (transitionName: string): Rejection =>
  reject('refused', 'arguments-needed', {
    what: `a decision for "${transitionName}"`,
    why: 'the transition requires arguments, and neither a proposal nor arguments are given',
    fix: 'Accept a proposal by its proposalId, or send the arguments as metaJson',
  });

export const needsPerson = (transitionName: string): Rejection =>
  reject('refused', 'needs-person', {
    what: `the decision for "${transitionName}"`,
    why: 'people alone make it',
    fix: 'Leave it to a person who may decide the round: they answer its task, or arbitrate',
  });

export const creatorUnknown = (machineName: string): Rejection =>
  reject('refused', 'creator-unknown', {
    what: `a session of machine ${machineName}`,
    why: 'its creator may not decide it, and the caller is no person',
    fix: "Create it with a person's own token",
  });

export const shownOthers = (): Rejection =>
  reject('conflict', 'changed', {
    errorClass: 'TaskChanged',
    what: 'the decision',
    why: 'the proposals are not those that were shown',
    fix: 'Read the task, and answer what it shows now',
  });

export const proposalChanged = (proposalId: string): Rejection =>
  reject('conflict', 'changed', {
    errorClass: 'ProposalChanged',
    what: `proposal ${proposalId}`,
    why: 'it is not an open proposal of the current round, or is for another transition than the one that is named',
    fix: "Read the round's proposals, and accept one of them",
  });

export const stateMismatch = (name: string, toState: string, target: string): Rejection =>
  reject('refused', 'state-mismatch', {
    what: `State mismatch: transition "${name}" to "${toState}"`,
    why: `it leads to "${target}"`,
    fix: 'Name the target that the machine defines',
  });

export const duplicateProposal = (specialistId: string): Rejection =>
  reject('conflict', 'duplicate-proposal', {
    what: `a second proposal of ${specialistId}`,
    why: 'a specialist proposes once in a round, and a proposal is never replaced',
    fix: 'Wait for the next round, or propose as another specialist',
  });

export const solicitationOpen = (specialistId: string, solicitationId: string): Rejection =>
  reject('conflict', 'solicitation-open', {
    what: `${specialistId} cannot be asked now`,
    why: `its solicitation ${solicitationId} in this round is open`,
    fix: 'Wait for its proposal',
  });

export const alreadyAsked = (specialistId: string): Rejection =>
  reject('conflict', 'already-asked', {
    what: `a second solicitation of ${specialistId}`,
    why: 'the engine asks each specialist once in a round, and this one was asked',
    fix: 'Ask it by submitting a proposal without a transition, or wait for the next round',
  });

export const noArbiter = (machineName: string, state: string): Rejection =>
  reject('refused', 'no-arbiter', {
    what: `the round at "${state}" of machine ${machineName}`,
    why: 'no arbiter is registered and enabled for it',
    fix: 'Register an arbiter, for example with strategyFnName "alignmentMargin"',
  });

export const arbitrationOpen = (arbitrationId: string): Rejection =>
  reject('conflict', 'arbitration-open', {
    what: 'a second arbitration',
    why: `arbitration ${arbitrationId} of this round is open`,
    fix: 'Wait for its verdict',
  });

export const waitsForPerson = (sessionId: string): Rejection =>
  reject('conflict', 'waits-for-person', {
    what: `session ${sessionId}`,
    why: 'its current round waits for a person, and this caller may not decide in place of one',
    fix: 'Leave the round to a person, and continue when it is decided',
  });

export const decidedByPeople = (sessionId: string): Rejection =>
  reject('conflict', 'waits-for-person', {
    what: `a decision of session ${sessionId}`,
    why: 'people alone force decisions, and this caller may not decide in place of one',
    fix: 'Leave the decision to a person, or have the arbiter decide: leave out transitionName',
  });

export const proposalNotOpen = (proposalId: string): Rejection =>
  reject('conflict', 'proposal-not-open', {
    what: `proposal ${proposalId}`,
    why: 'it is not an open proposal of this round for this transition',
    fix: "Read the round's proposals and name one of them with its own transition",
  });

export const notDecided = (decision: {
  readonly sessionId: string;
  readonly guardReason: string;
  readonly stale: boolean;
}): Rejection =>
  reject(decision.stale ? 'conflict' : 'refused', 'not-decided', {
    errorClass: 'NotDecided',
    what: `session ${decision.sessionId} was not decided`,
    why: decision.guardReason,
    fix: 'Read the session, and decide as one of its people about its current round',
  });
