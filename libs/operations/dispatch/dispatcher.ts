import { Injectable } from '@nestjs/common';
import {
  CommandBus,
  CommandHandlerNotFoundException,
  QueryBus,
  QueryHandlerNotFoundException,
} from '@nestjs/cqrs';
import { EventLog, parsePosition } from '#lib/event-store';
import { Fingerprints, present, randomIds, RedialError } from '#lib/kernel';
import {
  type AnswerOf,
  type InputOf,
  type Operation,
  operationOf,
  type OperationClass,
} from '../declare/operation.js';
import {
  type CommandContext,
  type CommandOptions,
  commandContext,
  scopeOfKey,
} from '../write-side/command-context.js';
import { ReadAhead } from '../write-side/read-ahead.js';
import { SingleFlight } from '../write-side/single-flight.js';
import type { Written } from '../write-side/written.js';
import { Access, type Credentials } from './access.js';
import { readInput, refuseMembers } from './read-input.js';
import { runInScope, type Scope } from './scope.js';
import { checkAuthors, statedAuthors } from './stated-author.js';

/** An operation was called before the application had bootstrapped. */
class EngineNotStarted extends RedialError {}

/** The caller of an operation. Code of this process names its actor itself; at any other door the credentials do. */
export interface Caller extends CommandOptions {
  /** Absent for code of this process, which is trusted. */
  readonly credentials?: Credentials | undefined;
}

const CALL_OPTIONS = Object.keys({
  idempotencyKey: true,
  actor: true,
  proof: true,
  leaveToPeople: true,
  traceparent: true,
} satisfies Record<keyof CommandOptions, true>);

/** The one way into an operation, for every door: admit, validate, open a scope, execute by Nest's bus. */
@Injectable()
export class Dispatcher {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly gate: SingleFlight,
    private readonly access: Access,
    private readonly fingerprints: Fingerprints,
    private readonly log: EventLog,
  ) {}

  /**
   * @param input the fields, as they came
   * @throws RejectionError for invalid input, a caller without the right, and a refusal of the operation; ForeignPosition
   */
  async dispatch<C extends OperationClass>(
    type: C,
    input: InputOf<C> | object,
    caller: Caller = {},
  ): Promise<Written<AnswerOf<C>>> {
    return (await this.begin(type, input, caller)).answer;
  }

  /**
   * Like `dispatch`, for callers who do not wait for the answer: resolves once the caller is admitted and the input fits.
   * @throws RejectionError for invalid input and a caller without the right; ForeignPosition for a `minPosition` of another log;
   * `answer` rejects with later errors
   */
  async begin<C extends OperationClass>(
    type: C,
    input: InputOf<C> | object,
    { credentials, ...given }: Caller = {},
  ): Promise<{ readonly answer: Promise<Written<AnswerOf<C>>> }> {
    const operation = operationOf(type);
    const unknown = Object.keys(given).filter((name) => !CALL_OPTIONS.includes(name));
    refuseMembers(unknown, CALL_OPTIONS, 'the options of the call');
    const { message, ...author } = await this.#read(operation, input, { ...given, credentials });
    const { minPosition, ...fields } = message as { readonly minPosition?: string };
    if (minPosition !== undefined) parsePosition(this.log.store.logId, minPosition);
    const [inPath, body] = split(operation.pathNames, fields);
    const options = { ...given, ...author };
    const named = scopeOfKey(operation.id, inPath);
    const called = commandContext(named, options, randomIds, () => this.fingerprints.of(body));
    const context = { ...called, ...this.#readAhead(operation, fields) };
    const scope: Scope = {
      context,
      created: false,
      isFleeting: false,
      ...(minPosition !== undefined && { minPosition }),
    };
    const execute = async (): Promise<Written<AnswerOf<C>>> => {
      const value = await runInScope(scope, () => this.execute<AnswerOf<C>>(operation, message));
      const { created, isFleeting } = scope;
      return { value, position: context.written.latest, created, isFleeting };
    };
    return { answer: operation.kind === 'command' ? this.gate.once(context, execute) : execute() };
  }

  /** Only for a remote store: where reads cost no wait, a call that its key refuses would only read more. */
  #readAhead({ reads }: Operation, fields: object): Pick<CommandContext, 'ahead'> {
    if (!reads || !this.log.store.isRemote) return {};
    return { ahead: new ReadAhead(this.log, reads(fields as never, this.log)) };
  }

  /** Admits the caller, then reads the input and checks that the authors in it are the caller. */
  async #read(operation: Operation, input: object, { credentials, proof, leaveToPeople, actor }: Caller) {
    // A caller with `leaveToPeople` acts as a human only with a token, also on a server that asks for none.
    const proven = proof ?? (credentials && leaveToPeople ? {} : undefined);
    const { sessionId } = Object(input) as { readonly sessionId?: unknown };
    const principal = await this.access.admit(operation, {
      ...present({ credentials, proof: proven, actor }),
      sessionId,
    });
    const stated = statedAuthors(operation, input);
    const message = readInput(operation, stated.input);
    const { actAs } = message as { readonly actAs?: string };
    if (actAs !== undefined) await this.access.checkStandIn(principal, actAs);
    checkAuthors(stated.authors, actAs ?? principal.actor);
    return { message, ...principal, ...(actAs !== undefined && { actAs }) };
  }

  /** The buses have their handlers once the application bootstraps. @throws EngineNotStarted */
  private async execute<T>({ id, kind }: Operation, message: object): Promise<T> {
    try {
      if (kind === 'command') return await this.commands.execute<object, T>(message);
      return await this.queries.execute<object, T>(message);
    } catch (error) {
      throw isNotHandled(error) ? notStarted(id) : error;
    }
  }
}

function isNotHandled(error: unknown): boolean {
  return error instanceof CommandHandlerNotFoundException || error instanceof QueryHandlerNotFoundException;
}

function notStarted(operation: string): EngineNotStarted {
  const fix = 'Call it in onApplicationBootstrap or later, not in a constructor or in onModuleInit';
  return new EngineNotStarted(operation, 'the engine has not started', fix);
}

/** A key counts within an operation and the names in its path; the other fields must be the same in a repeat. */
function split(pathNames: readonly string[], fields: object): readonly [object, object] {
  const isInPath = ([name]: [string, unknown]) => pathNames.includes(name);
  const entries = Object.entries(fields);
  return [
    Object.fromEntries(entries.filter(isInPath)),
    Object.fromEntries(entries.filter((entry) => !isInPath(entry))),
  ];
}
