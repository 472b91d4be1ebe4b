import type { EventLog } from '#lib/event-store';
import { randomIds, systemClock } from '#lib/kernel';
import {
  emptyRows,
  isUnclaimed,
  lastFolded,
  leaseStoreId,
  markClaimed,
  type ReadStore,
} from '#lib/read-models';
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
 * Why the log may also run elsewhere and needs a claim: it was copied, or its file was restored without its rows.
 * @throws StoreUnavailable
 */
export async function whyUnclaimed(
  log: EventLog,
  store: ReadStore,
  settings: EngineSettings,
): Promise<'copied' | 'restored' | undefined> {
  const copied = await lastCopied(log.store, log.streams);
  if (copied !== undefined && !(await claimOf(log).isTakenSince(copied))) return 'copied';
  if (await hasLaterRows(log, store)) return 'restored';
  if (!isInFile(settings)) return undefined;
  // The head is read first: a process that finds the log empty marks the store before its first append.
  const isEmpty = (await log.store.head()) === undefined;
  if (isEmpty) await markClaimed(store);
  return !isEmpty && (await isUnclaimed(store)) ? 'restored' : undefined;
}

/** Whether the log lacks events that its rows hold. */
async function hasLaterRows(log: EventLog, store: ReadStore): Promise<boolean> {
  // The rows are read first: both may go on meanwhile, and rows never come before the log.
  const last = await lastFolded(store, log.store.logId);
  return last > ((await log.store.head()) ?? '');
}

/** A log on a server has a claim of its own, with the identity of its rows. */
function isInFile({ eventStoreDbUrl, inMemory }: EngineSettings): boolean {
  return eventStoreDbUrl === undefined && !inMemory;
}

/** Names of lease stores, for messages. */
export interface TakenLog {
  readonly leaseStore: string;
  /** The previous owner of the log, perhaps the same; `undefined` when it was not claimed. */
  readonly before: string | undefined;
}

/**
 * Binds the log to the leases of this store and replaces an earlier binding. Rows with later events than the log are removed. Engines on
 * another store must have stopped.
 * @throws StoreUnavailable
 */
export async function takeLog(log: EventLog, store: ReadStore, settings: EngineSettings): Promise<TakenLog> {
  // Before the claim, which appends to the log.
  if (await hasLaterRows(log, store)) await emptyRows(store);
  const leaseStore = await leaseStoreOf(store);
  const before = await claimOf(log).take(leaseStore, await lastCopied(log.store, log.streams));
  if (isInFile(settings)) await markClaimed(store);
  return { leaseStore: leaseStore.name, before: before?.leaseStore };
}

function claimOf(log: EventLog): LogClaim {
  return new LogClaim(log, systemClock, randomIds);
}

async function leaseStoreOf(store: ReadStore): Promise<LeaseStore> {
  return { id: await leaseStoreId(store, randomIds), name: store.location };
}
