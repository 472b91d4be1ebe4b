import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { EventLog } from '#lib/event-store';
import { randomIds, systemClock } from '#lib/kernel';
import { leaseStoreId, postgresAddressOf, type ReadStore } from '#lib/projections';
import { LogClaim, type LeaseStore } from '#lib/workflow';
import type { EngineSettings } from '../settings/engine-settings.js';

/**
 * Lets an engine run this log's workflows only where its leases are those of every other engine on it. A log in a file has
 * its read store beside it and needs no claim (docs/decisions/016).
 * @throws LogClaimedElsewhere | StoreUnavailable
 */
export async function holdLog(log: EventLog, store: ReadStore, settings: EngineSettings): Promise<void> {
  if (settings.eventStoreDbUrl === undefined) return;
  await claimOf(log).hold(await leaseStoreOf(store, settings));
}

/** Names of lease stores, for people. */
export interface TakenLog {
  readonly leaseStore: string;
  /** Whose the log was, perhaps the same; `undefined` where nobody had claimed it. */
  readonly before: string | undefined;
}

/**
 * Binds the log to the lease store of these settings, whoever had it; engines that run on another one must have stopped.
 * @throws StoreUnavailable
 */
export async function takeLog(log: EventLog, store: ReadStore, settings: EngineSettings): Promise<TakenLog> {
  const leaseStore = await leaseStoreOf(store, settings);
  const before = await claimOf(log).take(leaseStore);
  return { leaseStore: leaseStore.name, before: before?.leaseStore };
}

function claimOf(log: EventLog): LogClaim {
  return new LogClaim(log, systemClock, randomIds);
}

async function leaseStoreOf(
  store: ReadStore,
  { databaseUrl, readFile }: EngineSettings,
): Promise<LeaseStore> {
  const name =
    databaseUrl === undefined
      ? `${resolve(readFile)} on ${hostname()}`
      : `PostgreSQL at ${postgresAddressOf(databaseUrl)}`;
  return { id: await leaseStoreId(store, randomIds), name };
}
