import {
  asCondition,
  deleteRow,
  insertRowOnce,
  mergeRow,
  type ReadStore,
  recordOf,
  storedUuid,
  updateRow,
} from '#lib/read-models';
import {
  addDelivery,
  addressesTable,
  deliveredTable,
  deliveriesTable,
  type Delivery,
  type DeliveryTables,
  endPauses,
  keepDelivered,
  makeFirstDue,
  type PlaceRow,
  placesTable,
  takePlace,
} from './deliveries.tables.js';
import type { Attempt, Place } from './reaction.events.js';
import { TakenOver } from './taken-over.js';

/** A delivery that an event of the log asks for. */
export type AskedDelivery = Pick<
  Delivery,
  'at' | 'deliveryId' | 'key' | 'type' | 'stream' | 'revision' | 'retry'
>;
export type EndedDelivery = Pick<Delivery, 'at' | 'key' | 'type'>;
/** A delivery that was made, and the number of them that are kept with it. */
type MadeDelivery = EndedDelivery & Pick<Delivery, 'deliveryId' | 'attempts'> & { readonly kept: number };

/** The place that a reaction has reached: the position of an event and its place, none before the first. */
export interface Reached {
  readonly position: string;
  readonly place: Place | undefined;
}

const addPlace = insertRowOnce(placesTable);
const movePlace = updateRow(placesTable, ['name', 'token'], ['life', 'reached', 'stream', 'revision']);
/** Changes no row if another lease has taken the place. */
const heldPlace = updateRow(placesTable, ['name', 'token'], ['token']);
const removeAll = deleteRow(deliveriesTable, ['reaction']);
const remove = deleteRow(deliveriesTable, ['reaction', 'at', 'type']);
const postpone = updateRow(deliveriesTable, ['reaction', 'at', 'type'], ['due_at', 'attempts']);
const addMade = insertRowOnce(deliveredTable);
const removeMade = deleteRow(deliveredTable, ['reaction']);
const aim = mergeRow(addressesTable, { replace: ['address'] });
const removeAddress = deleteRow(addressesTable, ['reaction']);
const removePlace = deleteRow(placesTable, ['name', 'life']);

/** A reaction that has rows. */
export type KeptReaction = Pick<PlaceRow, 'name' | 'life'>;

/** Removes all rows of a reaction that has ended; none if a later one of its name has begun. @throws StoreUnavailable */
export async function forgetReaction(store: ReadStore, { name, life }: KeptReaction): Promise<void> {
  const reaction = name;
  await store.write([
    asCondition(removePlace({ name, life })),
    removeAll({ reaction }),
    removeMade({ reaction }),
    removeAddress({ reaction }),
  ]);
}

/** The reactions whose names begin with this text. @throws StoreUnavailable */
export async function keptReactions({ db }: ReadStore, beginning: string): Promise<readonly KeptReaction[]> {
  const places = db.withTables<DeliveryTables>().selectFrom(placesTable.name).select(['name', 'life']);
  const rows = await places.where('name', '>=', beginning).execute();
  return rows.filter(({ name }) => name.startsWith(beginning));
}

/** The deliveries of one reaction that wait, for the process that has its lease. Each change is kept only while no other lease was taken. */
export class PendingDeliveries {
  constructor(
    private readonly store: ReadStore,
    private readonly name: string,
    private readonly token: number,
    private readonly life: number,
  ) {}

  /** Continues from the rows. @returns undefined if there are none @throws TakenOver */
  async take(): Promise<PlaceRow | undefined> {
    const { name, token } = this;
    const [row] = await this.#places().where('name', '=', name).execute();
    if (!row) return undefined;
    await this.#write([asCondition(takePlace({ name, token }))]);
    const place = recordOf(placesTable, row);
    return place.life === this.life ? place : undefined;
  }

  /** Begins again, with no waiting delivery. @throws TakenOver */
  async begin(reached: Reached): Promise<void> {
    const { name, token, life } = this;
    const moved = { name, token, life, reached: reached.position, ...reached.place };
    // Another process may have added or taken a place meanwhile: it has that process's token, and is not moved.
    await this.#write([addPlace(moved), asCondition(movePlace(moved)), removeAll({ reaction: name })]);
  }

  /** Sets the address of the waiting deliveries: those to another address are due without a pause. @throws TakenOver */
  async aim(address: string, now: number): Promise<void> {
    const { name: reaction, store } = this;
    const addresses = store.db.withTables<DeliveryTables>().selectFrom(addressesTable.name).select('address');
    const known = await addresses.where('reaction', '=', reaction).executeTakeFirst();
    const isOther = known !== undefined && known.address !== address;
    const pauses = isOther ? [endPauses({ reaction, now })] : [];
    if (known?.address !== address) await this.#write([this.#held(), ...pauses, aim({ reaction, address })]);
  }

  /**
   * Adds the deliveries that a page of the log asks for, and moves the place.
   * @param ended deliveries that the page ends
   * @throws TakenOver
   */
  async add(
    { position, place }: Reached,
    asked: readonly AskedDelivery[],
    ended: readonly EndedDelivery[],
    now: number,
  ): Promise<void> {
    const { name, token, life } = this;
    const moved = movePlace({ name, token, life, reached: position, ...place });
    const added = asked.map((delivery) => addDelivery({ ...delivery, reaction: name, attempts: [], now }));
    const removed = ended.flatMap((delivery) => this.#end(delivery, now));
    await this.#write([asCondition(moved), ...added, ...removed]);
  }

  /** The deliveries with a time, the first due first. */
  async first(limit: number): Promise<readonly Delivery[]> {
    const rows = await this.#deliveries()
      .where('due_at', 'is not', null)
      .orderBy('due_at')
      .limit(limit)
      .execute();
    return rows.map((row) => recordOf(deliveriesTable, row));
  }

  /** The waiting deliveries of an event. */
  async of(deliveryId: string): Promise<readonly Delivery[]> {
    const rows = await this.#deliveries().where('delivery_id', '=', storedUuid(deliveryId)).execute();
    return rows.map((row) => recordOf(deliveriesTable, row));
  }

  async oldest(): Promise<Delivery | undefined> {
    const row = await this.#deliveries().orderBy('at').limit(1).executeTakeFirst();
    return row && recordOf(deliveriesTable, row);
  }

  /** The delivery is made or parked: the next one of its key is due. @param made if it is delivered, and kept @throws TakenOver */
  async settle(delivery: EndedDelivery, now: number, made?: MadeDelivery): Promise<void> {
    const kept = made ? this.#kept(made) : [];
    await this.#write([this.#held(), ...this.#end(delivery, now), ...kept]);
  }

  #kept({ at, type, deliveryId, attempts, kept }: MadeDelivery) {
    const reaction = this.name;
    return [addMade({ reaction, at, type, deliveryId, attempts }), keepDelivered({ reaction, kept })];
  }

  /** The delivery waits for another attempt. @throws TakenOver */
  async postpone(
    { at, type }: Pick<Delivery, 'at' | 'type'>,
    attempts: readonly Attempt[],
    dueAt: number,
  ): Promise<void> {
    await this.#write([this.#held(), postpone({ reaction: this.name, at, type, attempts, dueAt })]);
  }

  #end({ at, type, key }: EndedDelivery, now: number) {
    const reaction = this.name;
    return [remove({ reaction, at, type }), makeFirstDue({ reaction, key, now })];
  }

  #held() {
    const { name, token } = this;
    return asCondition(heldPlace({ name, token }));
  }

  async #write(changes: Parameters<ReadStore['write']>[0]): Promise<void> {
    if (!(await this.store.write(changes))) throw new TakenOver(`The reaction ${this.name} is taken over.`);
  }

  #places() {
    return this.store.db.withTables<DeliveryTables>().selectFrom(placesTable.name).selectAll();
  }

  #deliveries() {
    const all = this.store.db.withTables<DeliveryTables>().selectFrom(deliveriesTable.name).selectAll();
    return all.where('reaction', '=', this.name);
  }
}
