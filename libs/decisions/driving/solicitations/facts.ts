import type { EventLog, StreamHistory } from '#lib/event-store';
import type { Clock, JsonObject } from '#lib/kernel';
import type { ReadSide } from '#lib/operations/core';
import { contextExemplars, type ReadStore } from '#lib/read-models';
import { ModelMemory } from '#lib/runs/runs/core';
import { proposerContext, type Session, sessionDecider, type SessionEvent } from '#lib/decisions/session';
import type { ProposerMode, SolicitationInput } from '#lib/decisions/solicitation';
import {
  type ProposerExecution,
  specialistDecider,
  type SpecialistEvent,
  specialistVersion,
} from '#lib/decisions/specialists';
import { overridden, overriddenBy, ownSpecialist, specialistTarget } from '#lib/decisions/registration/core';
import { type FactSources, LostRun } from '#lib/workflow';
import { proposerMode, type SolicitationSettings } from './proposer-mode.js';

/** The members of a question that name its proposer. */
type AskedProposer = Pick<
  SolicitationInput,
  'specialistId' | 'specialistVersion' | 'specialistMachine' | 'experiment'
>;

/** The sources of the facts that solicitations and arbitrations record: registrations, settings, and decisions of people. */
export class Facts {
  readonly #memory: ModelMemory;

  constructor(
    private readonly log: EventLog,
    private readonly reads: ReadSide,
    private readonly store: ReadStore,
    private readonly settings: SolicitationSettings,
    clock: Clock,
  ) {
    this.#memory = new ModelMemory(store, clock);
  }

  readonly sources: FactSources = {
    proposer: async (input, history): Promise<ProposerMode> => {
      const session = sessionIn(history);
      const execution = await this.executionOf(input as JsonObject & SolicitationInput, session);
      const mode = proposerMode(execution, this.settings.models);
      if (mode.kind !== 'model') return mode;
      return { ...mode, routes: await this.#memory.withObservations(mode.routes) };
    },
    policies: () => this.settings.policies,
    // An experiment gets the decisions from before the start of the round. Evaluations before 0.3 get all later ones too, without
    // those of the session itself.
    exemplars: async (input, history) => {
      const { roundId, sessionId, experiment } = input as JsonObject & Partial<SolicitationInput>;
      const session = sessionIn(history);
      const { machineName } = session;
      const state =
        roundId === undefined ? session.currentState : proposerContext(session, roundId).currentState;
      const isPast = !experiment && sessionId !== undefined && sessionId !== session.sessionId;
      await this.reads.reachedChanges(['exemplars']);
      const events = history as StreamHistory<SessionEvent>;
      const until = experiment ? beginningOf(events, roundId) : session.fork && cutOf(events);
      const except = isPast && { exceptSessionId: session.sessionId };
      return contextExemplars(this.store.db, { machineName, state, ...except, ...(until && { until }) });
    },
  };

  /** The execution mode of the asked version, not of a newer one. */
  async executionOf(asked: AskedProposer, session: Session): Promise<ProposerExecution> {
    const { specialistId, specialistVersion: version, specialistMachine } = asked;
    const { machineName } = session;
    const own = specialistMachine === undefined ? ownSpecialist(session, specialistId) : undefined;
    const { category, id } = specialistTarget({
      machineName: specialistMachine ?? machineName,
      specialistId,
    });
    const stream = this.log.streams.of(category, id);
    // The execution mode of a version never changes: an older loaded state is searched first.
    const specialist =
      own ??
      versionIn(await this.log.loadTo(stream, 0), version) ??
      versionIn(await this.log.load(stream), version);
    if (specialist?.role === 'proposer' && specialist.execution)
      return asked.experiment
        ? triedOut(overriddenBy(specialist.execution, asked.experiment))
        : overridden(specialist.execution, specialistId, session);
    throw lost(
      `version ${version} of specialist ${specialistId}`,
      'a run asks it, and it is not a proposer in the log',
    );
  }
}

/** An experiment has limits of its own: budgets for a session or a day are for live decisions. */
function triedOut(execution: ProposerExecution): ProposerExecution {
  if (!('modelId' in execution) || execution.budget === undefined || execution.budget.per === 'call')
    return execution;
  const { budget: _, ...asked } = execution;
  return asked;
}

/** The start of the round that an experiment asks about. */
function beginningOf({ events }: StreamHistory<SessionEvent>, roundId: string | undefined) {
  const began = events.at(-1);
  return began && roundId !== undefined ? { time: began.occurredAt, roundId } : undefined;
}

/**
 * The point where a fork left its parent: later decisions would reveal how the case went on there. For a fork of a fork, the point
 * of the first fork: it has only exemplars that its parent has.
 */
function cutOf({ events }: StreamHistory<SessionEvent>) {
  const index = events.findIndex(({ type }) => type === 'SessionForked');
  const [last, forked] = [events[index - 1], events[index]];
  if (!last || forked?.type !== 'SessionForked') return undefined;
  return { time: last.occurredAt, roundId: forked.data.roundId };
}

function sessionIn(history: StreamHistory): Session {
  const session = (history as StreamHistory<SessionEvent>).state(sessionDecider);
  if (!session) throw lost('the session of a run', 'it is not in the log');
  return session;
}

function versionIn(history: StreamHistory<SpecialistEvent>, version: number) {
  return specialistVersion(history.state(specialistDecider), version);
}

function lost(what: string, why: string): LostRun {
  return new LostRun(what, why, 'Verify the log with `redial replay --all`');
}
