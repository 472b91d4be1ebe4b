import { setTimeout as delay } from 'node:timers/promises';
import { type EventLog, handleCommand } from '#lib/event-store';
import { ENGINE_ACTOR, type IdSource, present, type RecordedEvent } from '#lib/kernel';
import type { LogEvent, LogReader } from '#lib/read-models';
import {
  DeliveryFailed,
  type KeptReaction,
  type Reaction,
  type ReactionDelivery,
  type Reactions,
} from '#lib/reactions';
import type { Time } from '#lib/workflow';
import type { HookEvent } from './hook.events.js';
import {
  type Hook,
  hookDecider,
  type HooksState,
  isSameReceiver,
  OF_HOOKS,
  reactionName,
} from './hook.decider.js';
import type { HookCalls } from './hook-calls.js';
import type { HookSecrets } from './hook-secrets.js';
import { hookPauseMs } from './hook-schedule.js';
import type { HookType } from './hook-types.js';
import type { Notices } from './notices.js';
import { recordedTypesOf } from './told-events.js';

/** The pause of a receiver that is under load and names none. */
const UNDER_LOAD_MS = 5_000;
/** The most open calls to a receiver: one that hangs holds no more. */
const SLOTS = 4;
/** Made deliveries of a hook that are kept for its list. */
const KEPT = 1_000;
const GONE = 410;
const RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/** The id of the stream of all hooks. */
export const HOOKS = { category: 'hook', id: 'all' } as const;

/** Stands among failures for the secrets of deleted hooks; no reaction has this name. */
export const SECRETS = '';

interface Parts {
  readonly log: EventLog;
  readonly reader: LogReader;
  readonly reactions: Reactions;
  readonly notices: Notices;
  readonly calls: HookCalls;
  readonly secrets: HookSecrets;
  readonly time: Time;
  readonly ids: IdSource;
  /** Called once each time that changes of hooks can no longer be taken in. */
  readonly warn: (message: string) => void;
}

/** The reactions of the hooks of a log in this process: each begins, changes and ends with its hook. */
export class HookReactions {
  readonly #stream: string;
  readonly #stopping = new AbortController();
  #hooks: HooksState = hookDecider.initialState;
  /** The revision of the last applied event of the stream of hooks. */
  #revision = -1;
  #running: Promise<void> = Promise.resolve();
  #taking: Promise<void> = Promise.resolve();
  #isStarted = false;

  constructor(private readonly parts: Parts) {
    this.#stream = parts.log.streams.of(HOOKS.category, HOOKS.id);
  }

  /** Starts to deliver, whichever process registers the hooks. */
  start(): void {
    this.#isStarted = true;
    this.#running = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#taking;
  }

  /**
   * Takes in the events of hooks that the log has now.
   * @returns why hooks could not begin or end, by the names of their reactions, and why secrets could not be destroyed, as `SECRETS`: all
   * others were taken in @throws StoreUnavailable
   */
  take(): Promise<ReadonlyMap<string, unknown>> {
    const taken = this.#taking.then(() => this.#take());
    this.#taking = taken.then(
      () => undefined,
      () => undefined,
    );
    return taken;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted;) {
      try {
        const head = (await this.parts.log.store.head()) ?? '';
        await this.#takeAll();
        failures = 0;
        for await (const page of this.parts.reader.follow(head, signal))
          if (page.some(({ stored }) => stored.stream === this.#stream)) await this.#takeAll();
      } catch (error) {
        if (failures++ === 0) this.parts.warn(`Hooks are not taken in: ${String(error)} It is tried again.`);
        const pauseMs = Math.min(RETRY_MS * 2 ** failures, LAST_RETRY_MS);
        await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  /** @throws the first failure */
  async #takeAll(): Promise<void> {
    for (const error of (await this.take()).values()) throw error;
  }

  async #take(): Promise<ReadonlyMap<string, unknown>> {
    const { log, reactions, secrets, time } = this.parts;
    const failures = new Map<string, unknown>();
    const tried = (name: string, work: Promise<void>) =>
      work.catch((error: unknown) => failures.set(name, error));
    const before = this.#hooks;
    const history = await log.load<HookEvent>(this.#stream);
    [this.#hooks, this.#revision] = [history.state(hookDecider), history.revision];
    for (const [hookId, hook] of before.hooks)
      if (!isSameReceiver(this.#hooks.hooks.get(hookId), hook)) reactions.end(reactionName(hookId));
    const running = new Set(reactions.names);
    for (const hook of this.#hooks.hooks.values()) {
      const name = reactionName(hook.hookId);
      if (!running.has(name)) await tried(name, this.#begin(hook));
      else if (hook.isDisabled) reactions.end(name);
    }
    // Also if the process that deleted a hook died before it removed its reaction and its secret.
    for (const kept of await reactions.kept(OF_HOOKS))
      if (kept.life < (this.#hooks.deleted.get(kept.name.slice(OF_HOOKS.length)) ?? 0))
        await tried(kept.name, this.#forget(kept));
    const { deleted } = this.#hooks;
    await tried(SECRETS, secrets.destroyAll(deleted, time.now().toISOString()));
    return failures;
  }

  /** Takes in the changes of hooks in a page, unless that was done: the types of a hook hold for the events after its change. */
  async #takeUpTo(page: readonly LogEvent[]): Promise<void> {
    const { revision = -1 } = page.findLast(({ stored }) => stored.stream === this.#stream)?.stored ?? {};
    for (let taking = this.#taking; this.#revision < revision; taking = this.#taking) {
      await taking;
      if (taking === this.#taking && this.#revision < revision) await this.take();
    }
  }

  async #forget(reaction: KeptReaction): Promise<void> {
    const { reactions } = this.parts;
    await reactions.close(reaction, ENGINE_ACTOR);
    await reactions.forget(reaction);
  }

  /** A disabled hook begins, too: events from here on wait until it is enabled. */
  async #begin(hook: Hook): Promise<void> {
    const { reactions } = this.parts;
    const reaction = this.#reactionOf(hook);
    await reactions.begin(reaction);
    if (this.#isStarted && !this.#stopping.signal.aborted && !hook.isDisabled) reactions.start(reaction);
  }

  /** Address, types and secret are those of the newest registration, also for deliveries that wait. */
  #reactionOf({ hookId, life, url }: Hook): Reaction {
    const current = () => this.#hooks.hooks.get(hookId);
    return {
      name: reactionName(hookId),
      life,
      address: url,
      get types() {
        return recordedTypesOf(current()?.types ?? []);
      },
      beforePage: (page) => this.#takeUpTo(page),
      slots: SLOTS,
      kept: KEPT,
      pauseMs: hookPauseMs,
      asks: async (event) => {
        const hook = current();
        return hook ? this.parts.notices.typesOf(event, hook) : [];
      },
      deliver: async (event, delivery) => {
        const hook = current();
        return hook && this.#deliver(hook, event, delivery);
      },
    };
  }

  async #deliver(hook: Hook, event: RecordedEvent, { key, type }: ReactionDelivery) {
    const { notices, calls } = this.parts;
    const data = await notices.of(type as HookType, event, hook);
    if (!data) return undefined;
    const { status, error, afterMs, isUnderLoad } = await calls.send(hook, key, {
      type,
      timestamp: event.occurredAt,
      data,
    });
    if (error === undefined) return { ...(status !== undefined && { status }) };
    const isGone = status === GONE;
    if (isGone) await this.#gone(hook);
    throw new DeliveryFailed(error, {
      ...present({ status, afterMs }),
      ...(isGone && { isFinal: true }),
      ...(isUnderLoad && { holdsMs: afterMs ?? UNDER_LOAD_MS }),
    });
  }

  async #gone({ hookId, life, url }: Hook): Promise<void> {
    const { log, ids, time } = this.parts;
    const command = { type: 'EndHook', data: { hookId, life, url } } as const;
    await handleCommand(log, hookDecider, this.#stream, command, {
      commandId: ids.next(),
      correlationId: HOOKS.id,
      actor: ENGINE_ACTOR,
      occurredAt: time.now().toISOString(),
    });
  }
}
