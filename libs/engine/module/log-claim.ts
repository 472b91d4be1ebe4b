import type { EventLog } from '#lib/event-store';
import { randomIds, systemClock } from '#lib/kernel';
import { isUnclaimed, leaseStoreId, markClaimed, type ReadStore } from '#lib/read-models';
import { lastCopied } from '#lib/seals/core';
import { LogClaim, type LeaseStore } from '#lib/workflow';
import type { EngineSettings } from '../settings/engine-settings.js';

/**
 * Lets an engine run this log's workflows only if its leases are those of every other engine on it. A log in a file has
 * its read store beside it and needs no claim (docs/decisions/016).
 * @throws LogClaimedElsewhere | StoreUnavailable
 */
export async function holdLog(log: EventLog, store: ReadStore, settings: EngineSettings): Promise<void> {
  if (settings.eventStoreDbUrl === undefined) return;
  await claimOf(log).hold(await leaseStoreOf(store));
}

/**
 * Why the log may run elsewhere, too, and was not claimed since: it was copied, or its file was brought back without its rows.
 * @throws StoreUnavailable
 */
export async function whyUnclaimed(
  log: EventLog,
  store: ReadStore,
  settings: EngineSettings,
): Promise<'copied' | 'restored' | undefined> {
  const copied = await lastCopied(log.store, log.streams);
  if (copied !== undefined && !(await claimOf(log).isTakenSince(copied))) return 'copied';
  if (!hasRowsBeside(settings)) return undefined;
  // The head first: a process that finds the log empty marks the store before its first append.
  const isEmpty = (await log.store.head()) === undefined;
  if (isEmpty) await markClaimed(store);
  return !isEmpty && (await isUnclaimed(store)) ? 'restored' : undefined;
}

/** Whether log and rows are files in one folder. */
function hasRowsBeside({ eventStoreDbUrl, databaseUrl, inMemory }: EngineSettings): boolean {
  return eventStoreDbUrl === undefined && databaseUrl === undefined && !inMemory;
}

/** Names of lease stores, for messages. */
export interface TakenLog {
  readonly leaseStore: string;
  /** The previous owner of the log, perhaps the same; `undefined` when it was not claimed. */
  readonly before: string | undefined;
}

/**
 * Binds the log to this store's leases and replaces an earlier binding; engines that run on another store must have stopped.
 * @throws StoreUnavailable
 */
export async function takeLog(log: EventLog, store: ReadStore, settings: EngineSettings): Promise<TakenLog> {
  const leaseStore = await leaseStoreOf(store);
  const before = await claimOf(log).take(leaseStore, await lastCopied(log.store, log.streams));
  if (hasRowsBeside(settings)) await markClaimed(store);
  return { leaseStore: leaseStore.name, before: before?.leaseStore };
}

function claimOf(log: EventLog): LogClaim {
  return new LogClaim(log, systemClock, randomIds);
}

async function leaseStoreOf(store: ReadStore): Promise<LeaseStore> {
  return { id: await leaseStoreId(store, randomIds), name: store.location };
}
