import { Command, Query } from '@nestjs/cqrs';
import {
  answeredBy,
  authorOf,
  CommandWriter,
  currentContext,
  input,
  is,
  Operation,
  page,
  pageMembers,
  ReadModels,
  readsRows,
} from '#lib/operations';
import type { Page } from '#lib/read-models';
import { reactionDecider, unknownDelivery, unknownReaction } from './reaction.decider.js';
import { ReactionPlaces } from './reaction-status.js';
import { isKnownReaction, listReactions, parkedRows } from './reactions.read-model.js';
import { Reactions } from './reactions.js';
import { ParkedDelivery, ReactionView } from './reactions.views.js';

@Operation({
  summary: 'The reactions of the log, and the place that each has reached',
  http: 'GET /v1/reactions',
  cli: 'reactions list',
  mcp: false,
  access: 'viewer',
  answers: { 200: page(ReactionView) },
})
export class ListReactions extends input(Query<Page<ReactionView>>, pageMembers) {}

export const ListReactionsHandler = answeredBy(
  ListReactions,
  [ReadModels, ReactionPlaces, Reactions],
  (request, rows, places, reactions) =>
    rows.ask(['reactions'], (db) =>
      listReactions(db, request, (found) => Promise.all(found.map((one) => shown(one, places, reactions)))),
    ),
);

async function shown(
  { name, parked }: { readonly name: string; readonly parked: number },
  places: ReactionPlaces,
  { failures }: Reactions,
): Promise<ReactionView> {
  const error = failures.get(name);
  return { name, ...(await places.statusOf(name)), parked, ...(error !== undefined && { error }) };
}

@Operation({
  summary: 'The parked deliveries of a reaction, the first parked first',
  http: 'GET /v1/reactions/:name/parked',
  cli: 'reactions parked <name>',
  mcp: false,
  access: 'viewer',
  answers: { 200: page(ParkedDelivery) },
})
export class ListParkedDeliveries extends input(Query<Page<ParkedDelivery>>, {
  name: is.nameOf(unknownReaction),
  ...pageMembers,
}) {}

export const ListParkedDeliveriesHandler = readsRows(
  ListParkedDeliveries,
  ['reactions'],
  async (db, { name, ...request }) => {
    return (await isKnownReaction(db, name)) ? parkedRows(db, name, request) : unknownReaction(name);
  },
);

/** A command about a parked delivery. */
const parkedMembers = {
  name: is.nameOf(unknownReaction),
  id: is.idOf(unknownDelivery),
};

@Operation({
  summary: 'Deliver a parked event again',
  http: 'POST /v1/reactions/:name/parked/:id/retry',
  cli: 'reactions retry <name> <id>',
  mcp: false,
  access: 'operator',
  answers: { 200: ReactionView },
})
export class RetryDelivery extends input(Command<ReactionView>, parkedMembers) {}

export const RetryDeliveryHandler = answeredBy(
  RetryDelivery,
  [CommandWriter, ReactionPlaces, Reactions],
  endParked,
);

@Operation({
  summary: 'Drop a parked event: it is not delivered any more',
  http: 'POST /v1/reactions/:name/parked/:id/drop',
  cli: 'reactions drop <name> <id>',
  mcp: false,
  access: 'operator',
  answers: { 200: ReactionView },
  destructive: true,
})
export class DropDelivery extends input(Command<ReactionView>, parkedMembers) {}

export const DropDeliveryHandler = answeredBy(
  DropDelivery,
  [CommandWriter, ReactionPlaces, Reactions],
  endParked,
);

async function endParked(
  command: RetryDelivery | DropDelivery,
  writer: CommandWriter,
  places: ReactionPlaces,
  reactions: Reactions,
): Promise<ReactionView> {
  const { name, id: deliveryId } = command;
  const context = currentContext();
  const data = { name, deliveryId, by: authorOf(context) };
  const type = command instanceof RetryDelivery ? 'RetryDelivery' : 'DropDelivery';
  const target = { category: 'reaction', id: name } as const;
  const { state } = await writer.send(reactionDecider, target, { type, data }, context);
  return shown({ name, parked: state.parked.size }, places, reactions);
}
