import type { Redial } from '#lib/engine';
import type { SessionView } from '#lib/session';
import { NeedsPerson, StepLimit } from '../errors.js';
import { proposerFor } from './proposer-for.js';

/**
 * Takes a session on until it is at rest: in each state one proposer is asked, and what it proposes is executed.
 * @throws NeedsPerson where nobody can be asked; ProposerFailed; StepLimit when `maxSteps` transitions did not bring it to rest
 */
export async function driveSession(
  redial: Redial,
  session: SessionView,
  maxSteps: number,
): Promise<SessionView> {
  let current = session;
  for (let steps = 0; current.status !== 'done'; steps += 1) {
    if (steps === maxSteps) throw tooManySteps(current, maxSteps);
    current = await takeStep(redial, current);
  }
  return current;
}

async function takeStep(
  redial: Redial,
  { sessionId, machine, currentState }: SessionView,
): Promise<SessionView> {
  const specialistId = proposerFor(machine, currentState);
  if (specialistId === undefined) throw needsPerson(sessionId, currentState);
  const { proposalId, transitionName, toState } = await redial.submitProposal({ sessionId, specialistId });
  return redial.executeTransition({ sessionId, proposalId, transitionName, toState });
}

function needsPerson(sessionId: string, state: string): NeedsPerson {
  return new NeedsPerson(
    `session ${sessionId} waits in ${state}`,
    'no proposer that can be asked is declared for that state',
    'Let a person propose there, or declare a model or a strategy for it',
  );
}

function tooManySteps({ sessionId, currentState }: SessionView, maxSteps: number): StepLimit {
  return new StepLimit(
    `session ${sessionId} is in ${currentState}`,
    `it is not at rest after ${maxSteps} steps`,
    'Look whether its machine goes round in a circle, or raise --max-steps',
  );
}
