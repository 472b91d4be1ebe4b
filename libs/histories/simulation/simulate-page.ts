import { setImmediate } from 'node:timers/promises';
import type { SessionCreated, SessionEvent } from '#lib/decisions/session';
import { cannotBeRead, type EventLog } from '#lib/event-store';
import { isRejection, jsonText, type Rejection } from '#lib/kernel';
import {
  type DecidedRound,
  decidedRounds,
  type DecidedRoundsFilter,
  type MachineSpecialist,
  type PageRequest,
  type Rows,
  specialistsOfSession,
} from '#lib/read-models';
import { bySession } from '../by-session.js';
import { rescoredAlignment } from './rescored-alignment.js';
import { SessionSimulation } from './session-simulation.js';
import type { SimulatedRound } from './simulate-round.rules.js';
import { type Conditions, conditionsUnder, type SimulationSettings } from './simulation-settings.js';
import type { SimulatedItem, Simulation } from './simulation.views.js';

/** Rows give the rounds, and the log gives their events. */
interface Source {
  readonly db: Rows<'sessions' | 'specialists' | 'alignment'>;
  readonly log: EventLog;
}

interface SimulationQuery extends SimulationSettings, DecidedRoundsFilter {
  readonly scoringRule?: string;
  readonly cursor?: string;
}

/**
 * One page of decided rounds under other settings. Each session of the page is read up to its last round there.
 * @throws InvalidTime if `from` or `to` is not a time
 */
export async function simulatePage(
  source: Source,
  query: SimulationQuery,
  limits: Required<Pick<PageRequest, 'limit'>> & { readonly mostRounds: number },
): Promise<Simulation | Rejection> {
  const { db } = source;
  const { machineName, scoringRule, cursor, consensusThreshold, quorum, trust, arbiter } = query;
  const alignment = await rescoredAlignment(db, machineName, scoringRule);
  if (isRejection(alignment)) return alignment;
  const settings = { consensusThreshold, quorum, trust, arbiter };
  const simulation = new PageSimulation(source, conditionsUnder(settings, alignment));
  const request = { ...limits, ...(cursor !== undefined && { cursor }) };
  const page = await decidedRounds(db, query, request, (rounds) => simulation.items(rounds));
  return isRejection(page) ? page : { ...countsOf(page.items), ...page };
}

function countsOf(items: readonly SimulatedItem[]) {
  const counts = { rounds: items.length, same: 0, different: 0, toPeople: 0, fromPeople: 0 };
  for (const { outcome } of items) counts[outcome] += 1;
  return counts;
}

/** Simulates the rounds of one page. */
class PageSimulation {
  /** By the versions of machines and specialists that sessions use. */
  readonly #specialists = new Map<string, Promise<readonly MachineSpecialist[]>>();

  constructor(
    private readonly source: Source,
    private readonly conditions: Conditions,
  ) {}

  /** One item for each round, in order. A round of an unreadable session has no item, and hides no other. */
  async *items(rounds: readonly DecidedRound[]): AsyncGenerator<SimulatedItem | undefined> {
    for (const ofSession of bySession(rounds)) {
      const simulated = await this.#session(ofSession).catch(unread);
      for (const round of ofSession) yield simulated && itemOf(round, simulated.get(round.revision));
      // Reads of a log in files never wait: other work of the process runs here.
      await setImmediate();
    }
  }

  /** The rounds of a session, by the revisions of their transitions. */
  async #session(rounds: readonly DecidedRound[]): Promise<ReadonlyMap<number, SimulatedRound>> {
    const { log } = this.source;
    const simulated = new Map<number, SimulatedRound>();
    const wanted = new Set(rounds.map(({ revision }) => revision));
    const stream = log.streams.of('session', rounds[0]?.sessionId ?? '');
    let simulation: SessionSimulation | undefined;
    for await (const event of log.each<SessionEvent>(stream, 0, Math.max(...wanted) + 1)) {
      simulation ??= new SessionSimulation(this.conditions, await this.#specialistsOf(event.data as Created));
      const round = simulation.take(event);
      if (round && wanted.has(event.revision)) simulated.set(event.revision, round());
    }
    return simulated;
  }

  #specialistsOf({ machineName, specialistVersions = {} }: Created): Promise<readonly MachineSpecialist[]> {
    const versions = jsonText(specialistVersions);
    const known = this.#specialists.get(versions);
    const found = known ?? specialistsOfSession(this.source.db, { machineName, specialistVersions });
    this.#specialists.set(versions, found);
    return found;
  }
}

type Created = SessionCreated['data'];

function unread(error: unknown): undefined {
  if (!cannotBeRead(error)) throw error;
}

function itemOf(
  { sessionId, roundId, state, transitionName, decidedBy, isHuman }: DecidedRound,
  found: SimulatedRound | undefined,
): SimulatedItem {
  if (!found)
    throw new TypeError(`The rows have round ${roundId} of session ${sessionId}, and the log has not.`);
  return { sessionId, roundId, state, ...found, recorded: { transitionName, decidedBy, isHuman } };
}
