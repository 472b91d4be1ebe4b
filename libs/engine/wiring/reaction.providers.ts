import type { Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { WebhookCaller, WebhookTokens } from '#lib/activities';
import { EventLog } from '#lib/event-store';
import { HookCalls, HookReactions, Hooks, HookSecrets, Notices } from '#lib/hooks';
import { randomIds } from '#lib/kernel';
import { CommandWriter, READ_STORE, WrittenPosition } from '#lib/operations';
import { LogReader, SubjectKeys } from '#lib/read-models';
import { Origins, ReactionPlaces, Reactions } from '#lib/reactions';
import { EngineSettings } from '../settings/engine-settings.js';
import { DeclaredReactions } from './declared-reactions.js';
import { assemble, construct, factory, LEASES, TIME, warningsOf } from './provide.js';

const warn = warningsOf('Reactions');

/** The providers of reactions of code. */
const ofCode: readonly Provider[] = [
  construct(ReactionPlaces, [EventLog, READ_STORE]),
  construct(LogReader, [EventLog]),
  construct(Origins, [EventLog]),
  factory(
    Reactions,
    [EventLog, READ_STORE, LEASES, EngineSettings, LogReader, Origins],
    async (log, store, holder, { redactor, time }, reader, origins) => {
      await Reactions.prepare(store);
      const redact = (text: string) => redactor.text(text);
      return new Reactions({ log, store, holder, time, ids: randomIds, reader, origins, redact, warn });
    },
  ),
  construct(DeclaredReactions, [ModulesContainer, EventLog, Reactions]),
];

/** The providers of hooks, which are reactions, too. */
const ofHooks: readonly Provider[] = [
  factory(Notices, [EventLog, Origins, EngineSettings], (log, origins, { workflows }) => {
    return new Notices(log, origins, workflows);
  }),
  factory(HookSecrets, [SubjectKeys, EngineSettings], (keys, { webhooks, redactor }) => {
    return new HookSecrets(new WebhookTokens(webhooks.tokens), keys, redactor);
  }),
  construct(HookCalls, [WebhookCaller, HookSecrets, TIME]),
  assemble(
    HookReactions,
    {
      log: EventLog,
      reader: LogReader,
      reactions: Reactions,
      notices: Notices,
      calls: HookCalls,
      secrets: HookSecrets,
      time: TIME,
    },
    { ids: randomIds, warn },
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
