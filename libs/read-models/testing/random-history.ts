import * as fc from 'fast-check';
import { type Event, fold, isRejection } from '#lib/kernel';
import { transitionsOf } from '#lib/decisions/machines';
import type { ModelFallback } from '#lib/call-rules';
import {
  currentRound,
  type Session,
  type SessionCommand,
  sessionDecider,
  type SessionEvent,
} from '#lib/decisions/session';
import {
  decisionReply,
  llmCallCompleted,
  llmCallFailed,
  llmCallRequested,
  toolCallReply,
} from './llm-events.js';
import { type ArbitrationKind, arbitrationCommand } from './random-arbitration.js';
import { specialistStreamId } from '#lib/decisions/specialists';
import { id, type PlacedEvent, sampleMachine, solicitationStarted } from './sample-log.js';

type PlainKind = 'create' | 'solicit' | 'submit' | 'close' | 'execute' | 'machine' | 'specialist';

interface Step {
  readonly kind: PlainKind | ArbitrationKind;
  readonly session: number;
  readonly pick: number;
  readonly text: string;
}

const arbitrationKinds = ['judge', 'ask-arbiter', 'verdict', 'override', 'ask-human'] as const;
const plainKinds = ['create', 'solicit', 'close', 'execute', 'machine', 'specialist'] as const;
/** Most commands are proposals: all others depend on them. */
const proposing = ['submit', 'submit', 'submit', 'submit'] as const;

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...proposing, ...plainKinds, ...arbitrationKinds),
  session: fc.nat({ max: 2 }),
  pick: fc.nat({ max: 1000 }),
  text: fc.string({ unit: 'grapheme', maxLength: 5 }),
});

/** Random logs: each random command is decided on the session after the commands before. */
export function histories(maxLength = 60, minLength = 0): fc.Arbitrary<readonly PlacedEvent[]> {
  return fc
    .array(step, { minLength, maxLength, size: 'max' })
    .map((steps) => new HistoryMaker().make([{ kind: 'create', session: 0, pick: 0, text: '' }, ...steps]));
}

class HistoryMaker {
  readonly #sessions = new Map<string, SessionEvent[]>();
  readonly #placed: PlacedEvent[] = [];
  #versions = 0;
  #specialistVersions = new Map<string, number>();

  make(steps: readonly Step[]): readonly PlacedEvent[] {
    for (const [n, one] of steps.entries()) this.#take(one, n);
    return this.#placed;
  }

  #take(one: Step, n: number): void {
    const sessionId = id(`session-${one.session}`);
    if (one.kind === 'machine') return this.#defineMachine();
    if (one.kind === 'specialist') return this.#changeSpecialist(`specialist-${one.pick % 3}`, one.pick);
    const session = fold(sessionDecider, this.#sessions.get(sessionId) ?? []);
    if (one.kind === 'create') return this.#create(sessionId, one, n);
    if (session === null) return;
    if (one.kind === 'close') return this.#close(session, one, n);
    const command = isArbitration(one) ? arbitrationCommand(session, one, n) : commandOf(session, one, n);
    if (command) this.#decide(sessionId, command);
  }

  #create(sessionId: string, one: Step, n: number): void {
    this.#decide(sessionId, {
      type: 'CreateSession',
      data: {
        sessionId,
        roundId: id(`round-${n}`),
        machine: sampleMachine,
        ...(one.pick % 2 === 0 && { machineVersion: 1, metaJson: { note: one.text } }),
      },
    });
  }

  #decide(sessionId: string, command: SessionCommand): void {
    const events = this.#sessions.get(sessionId) ?? [];
    const state = fold(sessionDecider, events);
    const decided = sessionDecider.decide(sessionDecider.complete?.(command, state) ?? command, state);
    if (isRejection(decided)) return;
    this.#sessions.set(sessionId, [...events, ...decided]);
    for (const event of decided) {
      this.#placed.push({ category: 'session', id: sessionId, event });
      if (event.type === 'ProposalSolicited') this.#startSolicitation(sessionId, event.data.solicitationId);
    }
  }

  #startSolicitation(sessionId: string, solicitationId: string): void {
    this.#solicitationEvent(sessionId, solicitationId, solicitationStarted(sessionId));
    this.#solicitationEvent(sessionId, solicitationId, llmCallRequested('tools#1'));
  }

  #close(session: Session, { pick, text }: Step, n: number): void {
    const open = session.solicitations[pick % (session.solicitations.length || 1)];
    if (!open) return;
    const { solicitationId } = open;
    const { sessionId } = session;
    const [transitionName, toState] = someTransition(session, pick);
    const choice = { transitionName, toState, reasoning: text };
    const outcome =
      pick % 3 === 0 ? llmCallFailed('tools#1') : llmCallCompleted('tools#1', replies[pick % 2] ?? '');
    this.#solicitationEvent(sessionId, solicitationId, outcome);
    const failure = { kind: 'timeout', message: text } as const;
    const failed = pick % 3 === 0;
    if (pick % 4 === 1) this.#solicitationEvent(sessionId, solicitationId, refusedMember(pick));
    const end = failed
      ? ({ status: 'failed', failure } as const)
      : ({ status: 'completed', result: { ...choice, rung: 'tools' } } as const);
    this.#solicitationEvent(sessionId, solicitationId, { type: 'WorkflowEnded', data: end });
    this.#decide(sessionId, {
      type: 'CloseSolicitation',
      data: {
        sessionId,
        solicitationId,
        proposalId: id(`proposal-${n}`),
        result: failed ? { failure } : { choice },
      },
    });
  }

  #solicitationEvent(sessionId: string, solicitationId: string, event: Event): void {
    this.#placed.push({ category: 'solicitation', id: solicitationId, event, correlationId: sessionId });
  }

  #defineMachine(): void {
    this.#versions += 1;
    const data = { machineName: 'review', version: this.#versions, hash: 'h', definition: sampleMachine };
    this.#placed.push({ category: 'machine', id: 'review', event: { type: 'MachineDefined', data } });
  }

  #changeSpecialist(specialistId: string, pick: number): void {
    const name = { specialistId, machineName: 'review' };
    const version = 1 + (this.#specialistVersions.get(specialistId) ?? 0);
    const isNew = version < 2 || pick % 3 === 0;
    if (isNew) this.#specialistVersions.set(specialistId, version);
    const kept = pick % 2 === 0 && version > 1 && { alignmentOf: version - 1 };
    const type = pick % 2 === 0 ? 'SpecialistEnabled' : 'SpecialistDisabled';
    const data = { ...name, version, isHuman: pick % 4 === 3, ...kept };
    const event = isNew ? { type: 'ProposerRegistered', data } : { type, data: name };
    this.#placed.push({ category: 'specialist', id: specialistStreamId(name), event });
  }
}

const replies = [toolCallReply, decisionReply];

function someTransition(session: Session, pick: number): readonly [string, string] {
  const offered = Object.entries(transitionsOf(session.machine, session.currentState));
  const [name, transition] = offered[pick % (offered.length || 1)] ?? ['approve', undefined];
  return [name, transition?.target ?? 'constructor'];
}

function isArbitration<S extends Step>(one: S): one is S & { readonly kind: ArbitrationKind } {
  return arbitrationKinds.some((kind) => kind === one.kind);
}

function commandOf(session: Session, { kind, pick, text }: Step, n: number): SessionCommand {
  const { sessionId } = session;
  const [transitionName, toState] = someTransition(session, pick);
  const specialistId = `specialist-${pick % 4}`;
  const past = session.rounds[pick % session.rounds.length] ?? currentRound(session);
  const roundId = pick % 5 === 0 ? past.roundId : currentRound(session).roundId;
  const asked = { specialistId, specialistVersion: 1 + (pick % 2), roundId };
  if (kind === 'solicit') {
    const solicitationId = id(`solicitation-${n}`);
    return { type: 'SolicitProposal', data: { ...asked, sessionId, solicitationId, given: {} } };
  }
  const said = { reasoning: text, ...(pick % 2 === 0 && { metaJson: { [text]: pick } }) };
  if (kind === 'submit') {
    const proposalId = id(`proposal-${n}`);
    const given = { ...said, costUSD: pick / 1000, latencyMsec: pick };
    return {
      type: 'SubmitProposal',
      data: {
        sessionId,
        proposalId,
        ...asked,
        isHuman: pick % 3 === 0,
        transitionName,
        ...given,
      },
    };
  }
  const granted = session.proposals[pick % (session.proposals.length || 1)];
  const grant = pick % 3 > 0 && granted ? granted : undefined;
  const chosen = grant ?? { transitionName, toState };
  return {
    type: 'ExecuteTransition',
    data: {
      sessionId,
      nextRoundId: id(`round-${n}`),
      transitionName: chosen.transitionName,
      toState: chosen.toState,
      ...(grant ? { proposalId: grant.proposalId } : said),
    },
  };
}

function refusedMember(pick: number): ModelFallback {
  const learned = { provider: 'default', model: `model-${pick % 2}` };
  const [from, to] = pick % 3 === 0 ? ['max_tokens', 'max_completion_tokens'] : ['temperature', 'none'];
  return { type: 'FallbackTaken', data: { callId: 'tools', from, to, reason: 'parameter-refused', learned } };
}
