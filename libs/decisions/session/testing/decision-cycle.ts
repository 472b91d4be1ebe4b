import { fold, isRejection } from '#lib/kernel';
import { type MachineDefinition, normalizeMachine, transitionsOf } from '#lib/decisions/machines';
import type { AlignmentSnapshot } from '../consensus/alignment-snapshot.js';
import { type Move, nextMove } from '../process/next-move.rules.js';
import type { Roster } from '../process/roster.js';
import type { CloseArbitration, CloseSolicitation, SessionCommand } from '../session.commands.js';
import { sessionDecider } from '../session.decider.js';
import type { SessionEvent } from '../session.events.js';
import { currentRound, findRound, type Session } from '../session.state.js';
import { alignment, EXTERNAL, FIRST, MARGIN } from './arbitration-examples.js';
import { sessionAfter } from './session-examples.js';

const sessionId = 'session';
export const PROPOSERS = ['p1', '__proto__', 'p3'];

/** Each state has at least one way to the goal, and ways back to itself. */
export const ladder: MachineDefinition = normalizeMachine({
  machineName: 'ladder',
  initialState: 's0',
  goalState: 'goal',
  states: Object.fromEntries([
    ['s0', { transitions: { on: 's1', constructor: 's0', far: 's2' } }],
    ['s1', { transitions: { on: 's2', constructor: 's1' }, consensusThreshold: 0.3 }],
    ['s2', { transitions: { on: '__proto__', constructor: 's2' } }],
    ['__proto__', { transitions: { on: 'goal', off: 'dead', constructor: '__proto__' } }],
    ['goal', { transitions: { on: 's0' } }],
    ['dead', {}],
  ]),
});

export interface Sent {
  readonly before: Session;
  readonly command: SessionCommand;
  readonly events: readonly SessionEvent[];
}

/** One session, the clients that move it, and all commands that it accepted. */
export class DecisionCycle {
  readonly sent: Sent[] = [];
  /** The last state that each client read. */
  readonly seen: [Session, Session, Session];
  session: Session;
  private fresh = 0;
  private proposers: readonly string[] = PROPOSERS;
  private trust: AlignmentSnapshot = alignment({ p1: 0.5, p3: 0.5 });
  private arbiter: 0 | 1 | 2 | 3 = 1;

  constructor() {
    const data = { sessionId, roundId: 'round-0', machine: ladder };
    const created = sessionDecider.decide({ type: 'CreateSession', data }, null);
    if (isRejection(created)) throw new Error(created.message);
    this.session = sessionAfter(...created);
    this.seen = [this.session, this.session, this.session];
  }

  get roster(): Roster {
    const arbiter = [FIRST, MARGIN, EXTERNAL][this.arbiter];
    const quorum = Math.min(2, this.proposers.length);
    return { proposers: this.proposers, alignment: this.trust, quorum, ...(arbiter && { arbiter }) };
  }

  /** Enables or disables a specialist, or changes its alignment. */
  change(pick: number): void {
    this.arbiter = ([0, 1, 1, 2, 2, 3] as const)[pick % 6] ?? 0;
    this.proposers = PROPOSERS.filter((_, n) => (pick >> n) % 4 !== 0);
    const scores = { p1: (pick % 4) / 4, p3: (pick % 5) / 5 };
    this.trust = alignment(scores, { position: `log.${pick}` });
  }

  /** @returns the events; none for a refused command */
  send(command: SessionCommand): readonly SessionEvent[] {
    const events = sessionDecider.decide(command, this.session);
    if (isRejection(events)) return [];
    const before = this.session;
    this.sent.push({ before, command, events });
    this.session = fold(sessionDecider, events, before) ?? before;
    return events;
  }

  /** A client makes the next move by its last read, which may be old; then it reads again. */
  move(client: 0 | 1 | 2, pick: number): Move {
    const move = nextMove(this.seen[client], this.roster);
    const command = this.commandOf(move, this.seen[client], pick);
    if (command) this.send(command);
    this.look(client);
    return move;
  }

  look(client: 0 | 1 | 2): void {
    this.seen[client] = this.session;
  }

  /** Sends an accepted command again, as a caller who does not know its result: with fresh ids, about the same. */
  repeat(pick: number): void {
    const before = this.sent[pick % this.sent.length];
    if (before) this.send(withFreshIds(before.command, ++this.fresh));
  }

  id(kind: string): string {
    return `${kind}-${++this.fresh}`;
  }

  solicit(specialistId: string, round: string, unlessAsked: boolean): SessionCommand {
    const ids = { sessionId, solicitationId: this.id('solicitation'), roundId: round };
    return {
      type: 'SolicitProposal',
      data: { ...ids, specialistId, specialistVersion: 1, given: {}, unlessAsked },
    };
  }

  propose(specialistId: string, isHuman: boolean, seen: Session, pick: number): SessionCommand {
    const { transitionName } = choiceIn(seen, currentRound(seen).roundId, pick);
    const ids = { sessionId, proposalId: this.id('proposal'), roundId: currentRound(seen).roundId };
    return {
      type: 'SubmitProposal',
      data: { ...ids, specialistId, specialistVersion: 1, isHuman, transitionName },
    };
  }

  override(seen: Session, pick: number): SessionCommand {
    const { roundId } = currentRound(seen);
    const { transitionName } = choiceIn(seen, roundId, pick);
    const who = {
      specialistId: 'ada',
      specialistVersion: 1,
      isHuman: true,
      transitionName,
      alignment: this.trust,
    };
    return { type: 'SubmitArbitration', data: { ...this.arbitrationIds(roundId), ...who } };
  }

  execute(seen: Session, pick: number): SessionCommand {
    const { roundId } = currentRound(seen);
    const { transitionName, toState } = choiceIn(seen, roundId, pick);
    const ids = { sessionId, roundId, nextRoundId: this.id('round') };
    return { type: 'ExecuteTransition', data: { ...ids, transitionName, toState } };
  }

  endSolicitation(solicitationId: string, pick: number): CloseSolicitation {
    const open = this.session.solicitations.find((one) => one.solicitationId === solicitationId);
    const choice = { ...choiceIn(this.session, open?.roundId ?? '', pick), reasoning: 'asked' };
    const invalid = pick % 13 === 0 && { toState: 'elsewhere' };
    const failure = { kind: 'timeout', message: 'no reply' } as const;
    const result = pick % 5 === 0 ? { failure } : { choice: { ...choice, ...invalid } };
    return {
      type: 'CloseSolicitation',
      data: { sessionId, solicitationId, proposalId: this.id('proposal'), result },
    };
  }

  endArbitration(arbitrationId: string, pick: number): CloseArbitration {
    const open = this.session.arbitrations.find((one) => one.arbitrationId === arbitrationId);
    const shown = open?.basis.proposals ?? [];
    const winningProposalId = pick % 11 === 0 ? 'none' : (shown[pick % shown.length]?.proposalId ?? 'none');
    const verdict =
      pick % 3 === 0
        ? { consensusReached: false, reasoning: 'split' }
        : { consensusReached: true, winningProposalId, reasoning: 'agreed' };
    const failure = { kind: 'timeout', message: 'no reply' } as const;
    const result = pick % 7 === 0 ? { failure } : { verdict };
    return {
      type: 'CloseArbitration',
      data: { sessionId, arbitrationId, nextRoundId: this.id('round'), result },
    };
  }

  private commandOf(move: Move, seen: Session, pick: number): SessionCommand | undefined {
    const { roundId } = currentRound(seen);
    switch (move.move) {
      case 'rest':
        return undefined;
      case 'solicit':
        return this.solicit(move.specialistId, roundId, true);
      case 'finish-solicitation':
        return this.endSolicitation(move.solicitationId, pick);
      case 'finish-arbitration':
        return this.endArbitration(move.arbitrationId, pick);
      case 'arbitrate': {
        const { arbiter, alignment, quorum } = this.roster;
        const submission = {
          isHuman: false,
          unlessJudged: true,
          alignment,
          quorum,
          ...(arbiter && { arbiter }),
        };
        return { type: 'SubmitArbitration', data: { ...this.arbitrationIds(roundId), ...submission } };
      }
      case 'ask-human': {
        const { reason, detail } = move;
        const proposalsSeen = seen.proposals.length;
        return { type: 'RequestHumanInput', data: { sessionId, roundId, proposalsSeen, reason, detail } };
      }
    }
  }

  private arbitrationIds(roundId: string) {
    return {
      sessionId,
      roundId,
      arbitrationId: this.id('arbitration'),
      nextRoundId: this.id('round'),
    };
  }
}

/** A choice in a round: mostly the way to the goal. */
function choiceIn(session: Session, roundId: string, pick: number) {
  const state = findRound(session, roundId)?.state ?? session.currentState;
  const offers = Object.entries(transitionsOf(ladder, state));
  const [transitionName, { target }] = offers[pick % 2 === 0 ? 0 : pick % offers.length] ?? [
    'on',
    { target: 's1' },
  ];
  return { transitionName, toState: target };
}

function withFreshIds(command: SessionCommand, n: number): SessionCommand {
  const fresh = {
    ...('nextRoundId' in command.data && { nextRoundId: `round-${n}` }),
    ...('proposalId' in command.data &&
      command.type !== 'ExecuteTransition' && { proposalId: `proposal-${n}` }),
    ...(command.type === 'SolicitProposal' && { solicitationId: `solicitation-${n}` }),
    ...(command.type === 'SubmitArbitration' && { arbitrationId: `arbitration-${n}` }),
  };
  return { ...command, data: { ...command.data, ...fresh } } as SessionCommand;
}
