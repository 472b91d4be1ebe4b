import { Logger, type Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { WebhookCaller, WebhookTokens } from '#lib/activities';
import { EventLog } from '#lib/event-store';
import { HookCalls, HookReactions, Hooks, HookSecrets, Notices } from '#lib/hooks';
import { randomIds } from '#lib/kernel';
import { CommandWriter, READ_STORE, WrittenPosition } from '#lib/operations';
import { LogReader, type ReadStore, SubjectKeys } from '#lib/read-models';
import { Origins, ReactionPlaces, Reactions } from '#lib/reactions';
import type { LeaseHolder, Time } from '#lib/workflow';
import { EngineSettings } from '../settings/engine-settings.js';
import { DeclaredReactions } from './declared-reactions.js';
import { LEASES } from './leases.provider.js';
import { assemble, construct, factory } from './provide.js';
import { TIME } from './time.provider.js';

const logger = new Logger('Reactions');
const warn = (message: string) => logger.warn(message);

/** The providers of reactions of code. */
const ofCode: readonly Provider[] = [
  construct(ReactionPlaces, [EventLog, READ_STORE]),
  construct(LogReader, [EventLog]),
  construct(Origins, [EventLog]),
  factory(
    Reactions,
    [EventLog, READ_STORE, LEASES, EngineSettings, LogReader, Origins],
    async (
      log: EventLog,
      store: ReadStore,
      holder: LeaseHolder,
      { redactor, time }: EngineSettings,
      reader: LogReader,
      origins: Origins,
    ) => {
      await Reactions.prepare(store);
      const redact = (text: string) => redactor.text(text);
      return new Reactions({ log, store, holder, time, ids: randomIds, reader, origins, redact, warn });
    },
  ),
  construct(DeclaredReactions, [ModulesContainer, EventLog, Reactions]),
];

/** The providers of hooks, which are reactions, too. */
const ofHooks: readonly Provider[] = [
  factory(
    Notices,
    [EventLog, Origins, EngineSettings],
    (log: EventLog, origins: Origins, { workflows }: EngineSettings) => {
      return new Notices(log, origins, workflows);
    },
  ),
  factory(
    HookSecrets,
    [SubjectKeys, EngineSettings],
    (keys: SubjectKeys, { webhooks, redactor }: EngineSettings) => {
      return new HookSecrets(new WebhookTokens(webhooks.tokens), keys, redactor);
    },
  ),
  construct(HookCalls, [WebhookCaller, HookSecrets, TIME]),
  factory(
    HookReactions,
    [EventLog, LogReader, Reactions, Notices, HookCalls, HookSecrets, TIME],
    (
      log: EventLog,
      reader: LogReader,
      reactions: Reactions,
      notices: Notices,
      calls: HookCalls,
      secrets: HookSecrets,
      time: Time,
    ) => new HookReactions({ log, reader, reactions, notices, calls, secrets, time, ids: randomIds, warn }),
  ),
  assemble(Hooks, {
    log: EventLog,
    writer: CommandWriter,
    store: READ_STORE,
    reactions: Reactions,
    running: HookReactions,
    calls: HookCalls,
    secrets: HookSecrets,
    written: WrittenPosition,
    time: TIME,
  }),
];

/** The providers of reactions. */
export const reactionProviders: readonly Provider[] = [...ofCode, ...ofHooks];
