import { type Command, type Decider, reject, type Rejection } from '#lib/kernel';
import { KeptMap } from '#lib/workflow';
import type { DeliveryParked, Place, ReactionAdvanced, ReactionEvent } from './reaction.events.js';

/** A reaction, folded from its events. */
export interface ReactionState {
  readonly isStarted: boolean;
  /** The place to go on from without rows. Absent: from the beginning of the log. */
  readonly mark?: ReactionAdvanced['data'];
  /** By the id of the delivery. */
  readonly parked: KeptMap<DeliveryParked['data']>;
}

export type StartReaction = Command<'StartReaction', { readonly name: string; readonly after?: Place }>;
export type AdvanceReaction = Command<'AdvanceReaction', ReactionAdvanced['data']>;
export type ParkDelivery = Command<'ParkDelivery', DeliveryParked['data']>;
type ParkedCommand<Type extends string> = Command<Type, { readonly deliveryId: string; readonly by: string }>;
export type ReactionCommand =
  | StartReaction
  | AdvanceReaction
  | ParkDelivery
  | ParkedCommand<'RetryDelivery'>
  | ParkedCommand<'DropDelivery'>;

export const reactionDecider: Decider<ReactionState, ReactionCommand, ReactionEvent> = {
  initialState: { isStarted: false, parked: KeptMap.empty() },
  decide: decideReaction,
  evolve: evolveReaction,
  record: (command) => command,
  rebuild: (recorded) => recorded as ReactionCommand,
};

/** Total: an event of a type from the future changes nothing. */
function evolveReaction(state: ReactionState, event: ReactionEvent): ReactionState {
  switch (event.type) {
    case 'ReactionStarted':
      return { ...state, isStarted: true, ...(event.data.after && { mark: event.data.after }) };
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

function decideReaction(
  command: ReactionCommand,
  state: ReactionState,
): readonly ReactionEvent[] | Rejection {
  switch (command.type) {
    case 'StartReaction':
      return state.isStarted ? [] : [{ type: 'ReactionStarted', data: command.data }];
    case 'AdvanceReaction':
      return isSame(command.data, state.mark) ? [] : [{ type: 'ReactionAdvanced', data: command.data }];
    case 'ParkDelivery':
      return state.parked.has(command.data.deliveryId)
        ? []
        : [{ type: 'DeliveryParked', data: command.data }];
    case 'RetryDelivery':
    case 'DropDelivery':
      return endOfParked(command, state);
  }
}

function endOfParked(
  { type, data: { deliveryId, by } }: ParkedCommand<'RetryDelivery' | 'DropDelivery'>,
  { parked }: ReactionState,
): readonly ReactionEvent[] | Rejection {
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
    fix: 'List what is parked with GET /v1/reactions/:name/parked',
  });
}
