import type { StreamHistory } from '#lib/event-store';
import type { Json } from '#lib/kernel';
import { currentRound, proposerContext, sessionDecider, type SessionEvent } from '#lib/decisions/session';
import { scripted, type ScriptState, type Workflow } from '#lib/workflow';
import type { FallbackTaken } from './solicitation.events.js';
import { solicit } from './solicitation.script.js';

const ladder = scripted<FallbackTaken>(
  {
    input: { type: 'object', required: ['sessionId', 'roundId', 'specialistId', 'specialistVersion'] },
    facts: ['proposer', 'policies', 'exemplars'],
    contextOf,
  },
  solicit,
);

/**
 * The workflow that asks one proposer for one proposal. A change to prompts, to the reading of replies or to the ladder that
 * would alter the replay of histories is a new version here.
 *
 * | version | since | what |
 * | --- | --- | --- |
 * | 1 | 0.2.0 | tools, decision JSON in the text, fresh text-mode call, reask; workflows |
 * | 2 | 0.3.0 | texts show the arguments of transitions; decision JSON whose arguments do not fit is asked for once more, too |
 */
export const solicitation: Workflow<ScriptState, FallbackTaken> = {
  name: 'solicitation',
  internal: true,
  versions: { 1: ladder, 2: ladder },
};

/** A proposer's context from a session: of the round in the input, else of the round that the last event begins. */
function contextOf(history: StreamHistory<SessionEvent>): Json {
  const session = history.state(sessionDecider);
  if (!session) return null;
  const last = history.events.at(-1);
  const roundId = last?.type === 'ProposalSolicited' ? last.data.roundId : currentRound(session).roundId;
  return proposerContext(session, roundId);
}
