import type { EventLog } from '#lib/event-store';
import { configurationRejection } from '#lib/activities';
import { present, reject, type Rejection } from '#lib/kernel';
import {
  authorOf,
  checkKeyIn,
  type CommandContext,
  type CommandWriter,
  refuse,
  RejectionError,
  type WrittenPosition,
} from '#lib/operations/core';
import {
  type Attempt,
  findDelivery,
  type FoundDelivery,
  listDeliveries,
  reactionDecider,
  type Reactions,
  unknownDelivery,
} from '#lib/reactions';
import type { Page, PageRequest, ReadStore, Rows } from '#lib/read-models';
import type { Time } from '#lib/workflow';
import type { HookCalls } from './hook-calls.js';
import { type Hook, hookDecider, reactionName, type RegisterHook, unknownHook } from './hook.decider.js';
import type { HookEvent, HookRegistered } from './hook.events.js';
import { HOOKS, type HookReactions, SECRETS } from './hook-reactions.js';
import type { HookSecrets } from './hook-secrets.js';
import type { HookDelivery, HookView } from './hooks.views.js';

interface Parts {
  readonly log: EventLog;
  readonly writer: CommandWriter;
  readonly store: ReadStore;
  readonly reactions: Reactions;
  readonly running: HookReactions;
  readonly calls: HookCalls;
  readonly secrets: HookSecrets;
  readonly written: WrittenPosition;
  readonly time: Time;
}

type Body = Omit<RegisterHook['data'], 'by'>;

/** The hooks of a log. */
export class Hooks {
  constructor(private readonly parts: Parts) {}

  /** It gets messages about events from here on. @throws RejectionError @throws StoreUnavailable */
  async register(
    { hookId, url, types, machineName, secretName, disabled }: Body,
    context: CommandContext,
  ): Promise<{ readonly hook: HookView; readonly isNew: boolean }> {
    const { writer, running } = this.parts;
    const data = {
      hookId,
      url,
      types,
      by: authorOf(context),
      ...present({ secretName, machineName, disabled }),
    };
    await this.#checkSecret(data, context);
    const answer = await writer.send(hookDecider, HOOKS, { type: 'RegisterHook', data }, context);
    const failure = (await running.take()).get(reactionName(hookId));
    if (failure) throw failure;
    const hook = answer.state.hooks.get(hookId) ?? refuse(unknownHook(hookId));
    const secret = await this.#madeSecret(hook, context);
    return {
      hook: Object.assign(shown(hook), secret !== undefined && { secret }),
      isNew: answer.events.length > 0,
    };
  }

  async all(): Promise<readonly HookView[]> {
    const { hooks } = await this.#state();
    return hooks
      .values()
      .map(shown)
      .toSorted((one, other) => (one.hookId < other.hookId ? -1 : 1));
  }

  /** @throws RejectionError */
  async get(hookId: string): Promise<HookView> {
    return shown(await this.#hook(hookId));
  }

  /** @throws RejectionError @throws StoreUnavailable */
  async delete(hookId: string, context: CommandContext): Promise<void> {
    const { writer, running, reactions, written } = this.parts;
    const by = authorOf(context);
    await writer.send(hookDecider, HOOKS, { type: 'DeleteHook', data: { hookId, by } }, context);
    // This call may be a repeat that comes after a later registration: that one stays.
    const { deleted } = await this.#state();
    const life = (deleted.get(hookId) ?? 0) - 1;
    const position = await reactions.close({ name: reactionName(hookId), life }, by);
    written.note(position, [{ type: 'ReactionEnded' }]);
    context.written.note(position);
    const failure = (await running.take()).get(SECRETS);
    if (failure) throw failure;
  }

  /** @throws RejectionError */
  async test(hookId: string, { commandId }: CommandContext): Promise<Attempt> {
    const { calls, time } = this.parts;
    const hook = await this.#hook(hookId);
    const timestamp = time.now().toISOString();
    const { status, error } = await calls.send(hook, commandId, {
      type: 'hook.test',
      timestamp,
      data: { hookId },
    });
    return {
      at: time.now().toISOString(),
      ...present({ status, error }),
    };
  }

  /** Its deliveries, the newest first. @param status default: all @throws RejectionError */
  async deliveries(
    db: Rows<'reactions'>,
    hookId: string,
    status: HookDelivery['status'] | undefined,
    request: PageRequest,
  ): Promise<Page<HookDelivery> | Rejection> {
    const { log } = this.parts;
    const hook = await this.#hook(hookId);
    return listDeliveries({ log, db }, reactionName(hookId), status, request, (one) => ofHook(hook, one));
  }

  /** @throws RejectionError */
  async retry(hookId: string, deliveryId: string, context: CommandContext): Promise<HookDelivery> {
    const { writer } = this.parts;
    const hook = await this.#hook(hookId);
    const name = reactionName(hookId);
    const target = { category: 'reaction', id: name } as const;
    const data = { name, deliveryId, by: authorOf(context) };
    const command = { type: 'RetryDelivery', data } as const;
    try {
      const { events } = await writer.send(reactionDecider, target, command, context);
      const [event] = events;
      const type = event?.type === 'DeliveryRetried' ? event.data.type : '';
      return ofHook(hook, { deliveryId, type, status: 'pending', attempts: [] });
    } catch (error) {
      throw await this.#notParked(error, name, deliveryId);
    }
  }

  async #notParked(error: unknown, reaction: string, deliveryId: string): Promise<unknown> {
    if (!(error instanceof RejectionError) || error.rejection.code !== unknownDelivery(deliveryId).code)
      return error;
    const { log, store } = this.parts;
    const found = await findDelivery({ log, db: store.db }, reaction, deliveryId);
    return found ? new RejectionError(notParked(deliveryId, found.status)) : error;
  }

  async #checkSecret(hook: RegisterHook['data'], context: CommandContext): Promise<void> {
    const history = await this.#history();
    // A call that came before has its answer, also if the variables have changed since.
    if (checkKeyIn(history, context).length > 0) return;
    // A name of another form is refused with the other problems of the body.
    const state = history.state(hookDecider);
    const decided = hookDecider.decide({ type: 'RegisterHook', data: hook }, state);
    if (!Array.isArray(decided)) return;
    const { secrets } = this.parts;
    const { hookId, secretName, disabled } = hook;
    const known = state.hooks.get(hookId);
    // A disabled hook signs nothing: its variable is read when it is enabled.
    if (secretName !== undefined && (disabled ?? known?.isDisabled)) return;
    const life = known?.life ?? state.deleted.get(hookId) ?? 0;
    if (secretName === undefined) {
      if (!secrets.canKeep) refuse(withoutSecret(hookId));
      if (!isKept(known)) await secrets.make({ hookId, life });
    }
    const signer = await secrets.signer({ hookId, life, ...(secretName !== undefined && { secretName }) });
    if (typeof signer === 'string') refuse(secretMissing(hookId, signer));
  }

  /** The secret that this call has made for the hook; no other call gets it. */
  async #madeSecret(hook: Hook, { commandId }: CommandContext): Promise<string | undefined> {
    if (!isKept(hook)) return undefined;
    const { events } = await this.#history();
    const first = events.find(
      ({ type, data }) => type === 'HookRegistered' && isOf(data, hook) && isKept(data),
    );
    return first?.metadata.commandId === commandId ? this.parts.secrets.make(hook) : undefined;
  }

  async #hook(hookId: string): Promise<Hook> {
    return (await this.#state()).hooks.get(hookId) ?? refuse(unknownHook(hookId));
  }

  #history() {
    const { log } = this.parts;
    return log.load<HookEvent>(log.streams.of(HOOKS.category, HOOKS.id));
  }

  async #state() {
    return (await this.#history()).state(hookDecider);
  }
}

/** Whether its secret is in the store of keys. */
function isKept(hook: Pick<Hook, 'secretName'> | undefined): boolean {
  return hook !== undefined && hook.secretName === undefined;
}

function isOf({ hookId, life }: HookRegistered['data'], hook: Hook): boolean {
  return hookId === hook.hookId && life === hook.life;
}

function shown({ life: _, isDisabled: disabled, isGone, ...hook }: Hook): HookView {
  return { ...hook, disabled, ...(isGone && { gone: true }) };
}

/** A disabled hook makes no delivery. */
function ofHook({ isDisabled }: Hook, delivery: FoundDelivery): HookDelivery {
  const waits = isDisabled && delivery.status === 'pending';
  return { ...delivery, ...(waits && { reason: 'hook-disabled' as const }) };
}

function withoutSecret(hookId: string): Rejection {
  return configurationRejection(
    `hook ${hookId}`,
    'it names no secret, and without a master key this server keeps none',
    'Set REDIAL_MASTER_KEY; or set a variable that ends in HOOK_TOKEN to whsec_ and 24 random bytes in base64, and name it in secretName',
  );
}

function secretMissing(hookId: string, why: string): Rejection {
  return configurationRejection(
    `hook ${hookId}`,
    why,
    'Set it, start the server again, and register the hook then',
  );
}

function notParked(deliveryId: string, status: string): Rejection {
  return reject('conflict', `delivery-${status}`, {
    what: `delivery ${deliveryId}`,
    why: status === 'pending' ? 'it is tried again by itself' : 'it was delivered',
    fix: 'Only a parked delivery is retried',
  });
}
