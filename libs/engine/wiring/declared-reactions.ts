import type { ModulesContainer } from '@nestjs/core';
import type { EventLog } from '#lib/event-store';
import { OF_HOOKS } from '#lib/hooks/core';
import type { RecordedEvent } from '#lib/kernel';
import {
  type DeclaredReaction,
  InvalidReaction,
  type Reaction,
  type ReactionDelivery,
  type Reactions,
  reactionsOf,
  reactionTo,
} from '#lib/reactions';
import { instancesIn } from '#lib/runs/tools';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$/;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const PAUSES = [SECOND, 10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE];
/** Events that reactions write while they react: a reaction to them would never end. */
const OF_REACTIONS: ReadonlySet<string> = new Set(['ReactionStarted', 'ReactionEnded', 'ReactionAdvanced']);

type Handler = (event: RecordedEvent, delivery: ReactionDelivery) => unknown;

/** The methods with `@OnRedial` of an application, once it has started. */
export class DeclaredReactions {
  #found: readonly Reaction[] = [];

  constructor(
    private readonly modules: ModulesContainer,
    private readonly log: EventLog,
    private readonly reactions: Reactions,
  ) {}

  /** @throws InvalidReaction */
  find(): void {
    this.#found = instancesIn(this.modules).flatMap((instance) =>
      reactionsOf(instance).map((declared) => this.#checked(declared, instance)),
    );
    const names = this.#found.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw invalid(twice, 'two methods have it', 'Give each its own name');
  }

  /** New reactions begin with the events after this call. @throws StoreUnavailable */
  async begin(): Promise<void> {
    for (const reaction of this.#found) await this.reactions.begin(reaction);
  }

  start(): void {
    for (const reaction of this.#found) this.reactions.start(reaction);
  }

  #checked({ name, type, method }: DeclaredReaction, instance: object): Reaction {
    if (!NAME.test(name) || name.startsWith(OF_HOOKS)) {
      const why = `its name is not 1 to 128 letters, digits, dots, underscores, @ or hyphens, or begins with ${OF_HOOKS}`;
      throw invalid(name, why, 'Rename it');
    }
    if (!this.log.codec.types.includes(type) || OF_REACTIONS.has(type))
      throw invalid(name, `${type} is no type of event that it can react to`, 'See docs/events.md');
    const methods = instance as { readonly [method: string]: Handler };
    const deliver = async (event: RecordedEvent, delivery: ReactionDelivery) => {
      await methods[method]?.(event, delivery);
    };
    return reactionTo(new Set([type]), { name, pauses: PAUSES, deliver });
  }
}

function invalid(name: string, why: string, fix: string): InvalidReaction {
  return new InvalidReaction(`reaction ${name}`, why, fix);
}
