import {
  asCondition,
  deleteRow,
  insertRowOnce,
  type ReadStore,
  recordOf,
  storedUuid,
  updateRow,
} from '#lib/read-models';
import {
  addDelivery,
  deliveriesTable,
  type Delivery,
  type DeliveryTables,
  makeFirstDue,
  type PlaceRow,
  placesTable,
  takePlace,
} from './deliveries.tables.js';
import type { Attempt, Place } from './reaction.events.js';

/** A delivery that an event of the log asks for. */
export type AskedDelivery = Pick<
  Delivery,
  'at' | 'deliveryId' | 'key' | 'type' | 'stream' | 'revision' | 'retry'
>;
export type EndedDelivery = Pick<Delivery, 'at' | 'key'>;

/** Where a reaction has come: the position of an event and its place, none before the first. */
export interface Reached {
  readonly position: string;
  readonly place: Place | undefined;
}

/** Another process has the reaction. Nothing was kept. */
export class TakenOver extends Error {}

const addPlace = insertRowOnce(placesTable);
const movePlace = updateRow(placesTable, ['name', 'token'], ['reached', 'stream', 'revision']);
/** Changes nothing, unless another lease has taken the place. */
const heldPlace = updateRow(placesTable, ['name', 'token'], ['token']);
const removeAll = deleteRow(deliveriesTable, ['reaction']);
const remove = deleteRow(deliveriesTable, ['reaction', 'at']);
const postpone = updateRow(deliveriesTable, ['reaction', 'at'], ['due_at', 'attempts']);

/** The deliveries of one reaction that wait, for the process that has its lease. Each change is kept only while no other lease was taken. */
export class PendingDeliveries {
  constructor(
    private readonly store: ReadStore,
    private readonly name: string,
    private readonly token: number,
  ) {}

  /** Goes on from the rows. @returns undefined if there are none @throws TakenOver */
  async take(): Promise<PlaceRow | undefined> {
    const { name, token } = this;
    const [row] = await this.#places().where('name', '=', name).execute();
    if (!row) return undefined;
    await this.#write([asCondition(takePlace({ name, token }))]);
    return recordOf(placesTable, row);
  }

  /** Begins anew, whatever the rows say. @throws TakenOver */
  async begin(reached: Reached): Promise<void> {
    const { name, token } = this;
    const moved = { name, token, reached: reached.position, ...reached.place };
    // A place that another process has added or taken meanwhile has its token, and is not moved.
    await this.#write([addPlace(moved), asCondition(movePlace(moved)), removeAll({ reaction: name })]);
  }

  /**
   * Keeps what a page of the log asks for, and how far it goes.
   * @param ended deliveries that the page ends
   * @throws TakenOver
   */
  async add(
    { position, place }: Reached,
    asked: readonly AskedDelivery[],
    ended: readonly EndedDelivery[],
    now: number,
  ): Promise<void> {
    const { name, token } = this;
    const moved = movePlace({ name, token, reached: position, ...place });
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

  /** Those of an event. */
  async of(deliveryId: string): Promise<readonly Delivery[]> {
    const rows = await this.#deliveries().where('delivery_id', '=', storedUuid(deliveryId)).execute();
    return rows.map((row) => recordOf(deliveriesTable, row));
  }

  async oldest(): Promise<Delivery | undefined> {
    const row = await this.#deliveries().orderBy('at').limit(1).executeTakeFirst();
    return row && recordOf(deliveriesTable, row);
  }

  /** It is delivered or parked: the next one of its key is due. @throws TakenOver */
  async settle(delivery: EndedDelivery, now: number): Promise<void> {
    await this.#write([this.#held(), ...this.#end(delivery, now)]);
  }

  /** It is tried again. @throws TakenOver */
  async postpone({ at }: Pick<Delivery, 'at'>, attempts: readonly Attempt[], dueAt: number): Promise<void> {
    await this.#write([this.#held(), postpone({ reaction: this.name, at, attempts, dueAt })]);
  }

  #end({ at, key }: EndedDelivery, now: number) {
    const reaction = this.name;
    return [remove({ reaction, at }), makeFirstDue({ reaction, key, now })];
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
