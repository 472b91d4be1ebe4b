import { Logger, type Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { EventLog } from '#lib/event-store';
import { randomIds } from '#lib/kernel';
import { READ_STORE } from '#lib/operations';
import { LogReader, type ReadStore } from '#lib/read-models';
import { Origins, ReactionPlaces, Reactions } from '#lib/reactions';
import type { LeaseHolder } from '#lib/workflow';
import { EngineSettings } from '../settings/engine-settings.js';
import { DeclaredReactions } from './declared-reactions.js';
import { LEASES } from './leases.provider.js';
import { construct, factory } from './provide.js';

/** The providers of reactions. */
export const reactionProviders: readonly Provider[] = [
  construct(ReactionPlaces, [EventLog, READ_STORE]),
  factory(
    Reactions,
    [EventLog, READ_STORE, LEASES, EngineSettings],
    async (log: EventLog, store: ReadStore, holder: LeaseHolder, { redactor, time }: EngineSettings) => {
      await Reactions.prepare(store);
      const logger = new Logger('Reactions');
      return new Reactions({
        log,
        store,
        holder,
        time,
        ids: randomIds,
        reader: new LogReader(log),
        origins: new Origins(log),
        redact: (text) => redactor.text(text),
        warn: (message) => logger.warn(message),
      });
    },
  ),
  construct(DeclaredReactions, [ModulesContainer, EventLog, Reactions]),
];
