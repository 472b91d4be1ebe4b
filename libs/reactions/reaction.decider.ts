import { type Command, type Decider, reject, type Rejection } from '#lib/kernel';
import { KeptMap } from '#lib/workflow';
import type {
  DeliveryParked,
  Place,
  ReactionAdvanced,
  ReactionEvent,
  ReactionStarted,
} from './reaction.events.js';

/** A reaction, folded from its events. */
export interface ReactionState {
  /** Whether it has begun, and not ended since. */
  readonly isStarted: boolean;
  /** The life of the last reaction of this name that has begun; -1 before the first. */
  readonly life: number;
  /** The place from which a process without rows continues. Absent: the beginning of the log. */
  readonly mark?: ReactionAdvanced['data'];
  /** By the id of the delivery. */
  readonly parked: KeptMap<DeliveryParked['data']>;
}

/** Parked deliveries that are dropped in one append. */
const MOST_DROPPED = 500;

type StartReaction = Command<
  'StartReaction',
  { readonly name: string; readonly after?: Place; readonly life?: number }
>;
/** Drops the parked deliveries, then ends: it is sent until it has ended. */
export type EndReaction = Command<
  'EndReaction',
  { readonly name: string; readonly life: number; readonly by: string }
>;
/** Sent by a process that may not have seen yet that another one of the name has begun. */
interface OfLife {
  readonly life: number;
}
type AdvanceReaction = Command<'AdvanceReaction', OfLife & ReactionAdvanced['data']>;
type ParkDelivery = Command<'ParkDelivery', OfLife & DeliveryParked['data']>;
type ParkedCommand<Type extends string> = Command<
  Type,
  { readonly name: string; readonly deliveryId: string; readonly by: string }
>;
export type ReactionCommand =
  | StartReaction
  | EndReaction
  | AdvanceReaction
  | ParkDelivery
  | ParkedCommand<'RetryDelivery'>
  | ParkedCommand<'DropDelivery'>;

export const reactionDecider: Decider<ReactionState, ReactionCommand, ReactionEvent> = {
  initialState: { isStarted: false, life: -1, parked: KeptMap.empty() },
  decide: decideReaction,
  evolve: evolveReaction,
  record: (command) => command,
  rebuild: (recorded) => recorded as ReactionCommand,
};

/** Total: an event of a type from the future changes nothing. */
function evolveReaction(state: ReactionState, event: ReactionEvent): ReactionState {
  switch (event.type) {
    case 'ReactionStarted':
      return begun(event.data);
    case 'ReactionEnded':
      return { isStarted: false, life: state.life, parked: KeptMap.empty() };
    case 'ReactionAdvanced':
      return { ...state, mark: event.data };
    case 'DeliveryParked':
      return { ...state, parked: state.parked.with(event.data.deliveryId, event.data) };
    case 'DeliveryRetried':
    case 'DeliveryDropped':
      return { ...state, parked: state.parked.without(event.data.deliveryId) };
    default:
      event satisfies never;
      return state;
  }
}

function begun({ after, life = 0 }: ReactionStarted['data']): ReactionState {
  return { isStarted: true, life, parked: KeptMap.empty(), ...(after && { mark: after }) };
}

function decideReaction(
  command: ReactionCommand,
  state: ReactionState,
): readonly ReactionEvent[] | Rejection {
  switch (command.type) {
    case 'StartReaction':
      return (command.data.life ?? 0) <= state.life ? [] : [{ type: 'ReactionStarted', data: command.data }];
    case 'EndReaction':
      return ending(command.data, state);
    case 'AdvanceReaction':
      return advanced(command.data, state);
    case 'ParkDelivery':
      return parked(command.data, state);
    case 'RetryDelivery':
    case 'DropDelivery':
      return endOfParked(command, state);
  }
}

/** A process that has not seen the end yet adds no event after it. */
function isOver({ life }: OfLife, state: ReactionState): boolean {
  return !state.isStarted || state.life !== life;
}

function advanced({ life, ...data }: AdvanceReaction['data'], state: ReactionState): ReactionEvent[] {
  return isOver({ life }, state) || isSame(data, state.mark) ? [] : [{ type: 'ReactionAdvanced', data }];
}

function parked({ life, ...data }: ParkDelivery['data'], state: ReactionState): ReactionEvent[] {
  const isKnown = state.parked.has(data.deliveryId);
  return isOver({ life }, state) || isKnown ? [] : [{ type: 'DeliveryParked', data }];
}

/** A later reaction of the same name does not end with it. */
function ending({ name, life, by }: EndReaction['data'], state: ReactionState): ReactionEvent[] {
  const { isStarted, parked } = state;
  if (!isStarted || state.life > life) return [];
  if (parked.size === 0) return [{ type: 'ReactionEnded', data: { name, by } }];
  return parked
    .values()
    .slice(0, MOST_DROPPED)
    .map(({ attempts: _, ...named }) => ({ type: 'DeliveryDropped', data: { ...named, by } }));
}

function endOfParked(
  { type, data: { name, deliveryId, by } }: ParkedCommand<'RetryDelivery' | 'DropDelivery'>,
  { isStarted, parked }: ReactionState,
): readonly ReactionEvent[] | Rejection {
  if (!isStarted) return unknownReaction(name);
  const delivery = parked.get(deliveryId);
  if (!delivery) return unknownDelivery(deliveryId);
  const { attempts: _, ...named } = delivery;
  return [{ type: type === 'RetryDelivery' ? 'DeliveryRetried' : 'DeliveryDropped', data: { ...named, by } }];
}

function isSame(one: ReactionAdvanced['data'], other: ReactionAdvanced['data'] | undefined): boolean {
  return one.stream === other?.stream && one.revision === other.revision && one.isPending === other.isPending;
}

export function unknownReaction(name: string): Rejection {
  return reject('unknown', 'unknown-reaction', {
    what: `reaction ${name}`,
    why: 'none of this name has started on this log',
    fix: 'Check the name with GET /v1/reactions: a reaction starts with the application that declares it',
  });
}

export function unknownDelivery(deliveryId: string): Rejection {
  return reject('unknown', 'unknown-delivery', {
    what: `delivery ${deliveryId}`,
    why: 'it is not parked',
    fix: 'List the parked deliveries of the hook or the reaction',
  });
}
