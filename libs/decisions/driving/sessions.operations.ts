import { Command } from '@nestjs/cqrs';
import { derivedId, keyedId, labelsOf } from '#lib/kernel';
import type { MachineInput } from '#lib/decisions/machines';
import {
  answered,
  answeredBy,
  type Authored,
  authorOf,
  type CommandContext,
  CommandWriter,
  currentContext,
  input,
  type InputOf,
  is,
  malformed,
  markCreated,
  nullable,
  Operation,
  ownLabels,
  refuse,
  Subjects,
} from '#lib/operations';
import { sessionDecider, sessionRejections } from '#lib/decisions/session';
import { MachineCatalog, MachineDefinition } from '#lib/decisions/registration';
import { GetSession } from './session-reads.operations.js';
import { Ticker } from './drive/ticker.js';
import { Authors } from './authors.js';
import { checkCallerInput, sessionRulesChoosing, sessionStream } from './round-context.js';
import { SessionReader } from './session-reader.js';
import { SessionRun } from './session-run.js';
import { CreatedSession, Session, Tick } from './sessions.views.js';

const { unknownSession } = sessionRejections;

@Operation({
  summary: 'Start a session of a defined machine, or of a machine in the request',
  http: 'POST /v1/sessions',
  mcp: 'propose',
  access: 'operator',
  answers: { 200: CreatedSession, 201: CreatedSession },
  problems: [404],
})
export class CreateSession extends input(Command<CreatedSession>, {
  machineName: is.name.optional.about('A defined machine; either this or `machine`', { example: 'refunds' }),
  machineVersion: is.whole(1).optional.about('Default: the latest'),
  machine: is
    .a<Authored<MachineInput>>(MachineDefinition)
    .optional.about('A definition, instead of a name: only this session has it, and its specialists'),
  metaJson: is.object().optional.about('A JSON object: the case'),
  ...ownLabels('session', 'machine'),
}) {}

/** The input of `createSession`. */
export type CreateSessionInput = InputOf<typeof CreateSession>;

export const CreateSessionHandler = answeredBy(
  CreateSession,
  [MachineCatalog, CommandWriter, SessionReader, Authors, Subjects],
  async ({ metaJson, key, tags, subject, ...which }, machines, writer, sessions, authors, subjects) => {
    const context = currentContext();
    checkCallerInput({ metaJson });
    await subjects.begin(subject, context);
    const { machineName, machineVersion: askedVersion } = which;
    const sessionId = sessionIdOf(key, machineName, context);
    const target = { category: 'session', id: sessionId } as const;
    if (key !== undefined) await writer.bindKey(target, context);
    await writer.checkKey(target, context);
    const { chosen, ...tokens } = await machines.choose(which, context);
    const roundId = derivedId(context.commandId, 'round');
    const { by } = (await authors.caller(context)) ?? {};
    const author = by !== undefined && { by };
    const asked = {
      ...(metaJson !== undefined && { metaJson }),
      ...labelsOf({ key, tags, subject }),
      ...(key !== undefined && askedVersion !== undefined && { askedVersion }),
    };
    const command = {
      type: 'CreateSession',
      data: { sessionId, roundId, ...author, ...chosen, ...asked },
    } as const;
    const { revision, events } = await writer.send(sessionDecider, target, command, context);
    markCreated(events.length > 0);
    return { ...(await sessions.at(sessionId, revision)), ...tokens };
  },
);

/** @throws RejectionError for a key without the name of a machine */
function sessionIdOf(key: string | undefined, machineName: string | undefined, context: CommandContext) {
  if (key === undefined) return derivedId(context.commandId, 'session');
  const message = 'needs `machineName`: a key is unique for a defined machine';
  return machineName === undefined
    ? refuse(malformed([{ path: '/key', message }]))
    : keyedId('session', machineName, key);
}

@Operation({
  summary: "Execute a transition: an operator's call, without proposals or arbiter",
  http: 'POST /v1/sessions/:sessionId/transitions',
  access: 'operator',
  answers: { 200: Session },
  destructive: true,
})
export class ExecuteTransition extends input(Command<Session>, {
  sessionId: is.idOf(unknownSession),
  transitionName: is.text.about('A transition that the state offers', { example: 'approve' }),
  toState: is.text.about('The target that the machine defines for it', { example: 'closed' }),
  roundId: is.text.optional.about('Default: the current round; a past one is refused'),
  proposalId: is.text.optional.about('An open proposal of the round for this transition: it becomes `won`'),
  reasoning: is.text.optional.about('Why'),
  metaJson: is.object().optional.about('Data of the transition'),
}) {}

export const ExecuteTransitionHandler = answeredBy(
  ExecuteTransition,
  [CommandWriter, SessionReader],
  async (command, writer, sessions) => {
    const context = currentContext();
    checkCallerInput(command);
    const derived = { nextRoundId: derivedId(context.commandId, 'round'), by: authorOf(context) };
    const data = Object.assign(derived, command);
    const target = { category: 'session', id: command.sessionId } as const;
    const { revision } = await writer.send(
      sessionRulesChoosing(context),
      target,
      { type: 'ExecuteTransition', data },
      context,
    );
    return sessions.at(command.sessionId, revision);
  },
);

@Operation({
  summary:
    'One step of a session: a proposer is asked, the round is decided, or a person is needed; null when it is at rest',
  http: 'POST /v1/sessions/:sessionId/tick',
  mcp: 'propose',
  access: 'operator',
  answers: { 200: nullable(Tick) },
  async: GetSession,
  problems: [503],
  reads: sessionStream,
})
export class TickSession extends input(Command<Tick | null>, { sessionId: is.idOf(unknownSession) }) {}

export const TickSessionHandler = answeredBy(TickSession, [Ticker], async ({ sessionId }, ticker) =>
  answered({ ...(await ticker.tick(sessionId, currentContext())), isFleeting: true }),
);

@Operation({
  summary: 'Step until the session is at rest or needs a person',
  http: 'POST /v1/sessions/:sessionId/run',
  mcp: 'propose',
  access: 'operator',
  answers: { 200: Session },
  async: GetSession,
  problems: [503],
})
export class RunSession extends input(Command<Session>, {
  sessionId: is.idOf(unknownSession),
  maxTicks: is.whole(1, 10_000).optional.about('The most steps', { default: 1000 }),
}) {}

export const RunSessionHandler = answeredBy(RunSession, [SessionRun], async ({ sessionId, maxTicks }, run) =>
  answered(await run.steps(sessionId, maxTicks, currentContext())),
);
