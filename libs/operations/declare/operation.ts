import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { Command, type Query } from '@nestjs/cqrs';
import type { EventLog } from '#lib/event-store';
import type { Role } from '../dispatch/access.js';
import type { Answers } from './answers.js';
import { definitionOf } from './definition.js';

/** The rights of a model that is connected over MCP, each including the one before. */
export type McpProfile = 'observe' | 'propose' | 'operate';

/** The doors of an operation, and its description. */
export interface OperationDeclaration {
  /** Its effect, in one line. */
  readonly summary: string;
  /** Method and path. `:names` are fields of the class; all other fields are the query of GET and DELETE, else the body. */
  readonly http: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  /** The words of the command, then its arguments, which are fields: `gates show <gateId>`. Other fields are options. */
  readonly cli?: string;
  /** The first profile that has the tool. Default: `observe` for operations of viewers, else `operate`. `false`: no tool. */
  readonly mcp?: false | McpProfile;
  /** The role that a caller needs. */
  readonly access: Role;
  readonly answers: Answers;
  /** Other forms of its answer, by the media type that `Accept` asks for. */
  readonly as?: { readonly [mediaType: string]: (answer: never) => string };
  /** The fields that a POST reads from the query, by their names there. */
  readonly query?: { readonly [name: string]: string };
  /** The field that a POST has in the lines of its body (`application/x-ndjson`) after the first, which holds the other fields. */
  readonly lines?: string;
  /** Statuses of its refusals besides those of every operation. */
  readonly problems?: readonly number[];
  /**
   * Present if a caller may send `Prefer: respond-async`: the operation then answers at once with 202 and the answer of this query, which
   * has the same names in its path.
   */
  readonly async?: Type<Query<unknown>>;
  /** The streams that a command loads first, as far as its fields and the memory of the process name them (`CommandContext.ahead`). */
  readonly reads?: (fields: never, log: EventLog) => readonly string[];
  /** The effect of the operation cannot be undone by another one. */
  readonly destructive?: true;
  /** The field with the answer of a person. */
  readonly answer?: string;
}

/** A class that is the input of an operation and the message to its handler at once. */
export type OperationClass = Type<Command<unknown> | Query<unknown>>;

/** The answer of an operation. */
export type AnswerOf<C extends OperationClass> =
  InstanceType<C> extends Command<infer R> | Query<infer R> ? R : never;
/** The fields of an operation. */
export type InputOf<C extends OperationClass> = Pick<InstanceType<C>, Extract<keyof InstanceType<C>, string>>;

/** An operation as its doors see it. */
export interface Operation extends Omit<OperationDeclaration, 'http' | 'mcp'> {
  /** The name of the class in camel case: operation id, method of the facade and the client. */
  readonly id: string;
  readonly type: OperationClass;
  /** A query writes nothing. */
  readonly kind: 'command' | 'query';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` for each field that comes from it. */
  readonly path: string;
  readonly pathNames: readonly string[];
  /** The field that is the whole body. */
  readonly whole?: string;
  readonly mcp?: McpProfile;
}

const DECLARED = Symbol('Redial operation');

/** Declares a class as an operation: command or query of @nestjs/cqrs, and its own input. Its handler is Nest's. */
export function Operation({ http, mcp, ...declared }: OperationDeclaration): ClassDecorator {
  return (target) => {
    const type = target as object as OperationClass;
    const [method, path] = http.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
    const kind = type.prototype instanceof Command ? 'command' : 'query';
    const whole = definitionOf(type);
    const operation: Operation = {
      ...declared,
      id: `${type.name.charAt(0).toLowerCase()}${type.name.slice(1)}`,
      type,
      kind,
      method,
      path,
      pathNames: [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
      ...(whole !== undefined && { whole }),
      ...(mcp !== false && { mcp: mcp ?? profileOf(declared.access) }),
    };
    Reflect.defineMetadata(DECLARED, operation, type);
  };
}

function profileOf(access: Role): McpProfile {
  return access === 'viewer' ? 'observe' : 'operate';
}

/** @throws TypeError for a class without the decorator */
export function operationOf(type: OperationClass): Operation {
  const operation = Reflect.getOwnMetadata(DECLARED, type) as Operation | undefined;
  if (!operation) throw new TypeError(`${type.name} is declared without @Operation`);
  return operation;
}

/** The operations among the exports of a module, in its order. */
export function operationsIn(exports: object): readonly Operation[] {
  return Object.values(exports).flatMap((value: unknown) => {
    const isDeclared = typeof value === 'function' && Reflect.hasOwnMetadata(DECLARED, value);
    return isDeclared ? [operationOf(value as OperationClass)] : [];
  });
}
