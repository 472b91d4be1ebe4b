import type { PipeTransform } from '@nestjs/common';
import { RejectionError } from '#lib/engine';
import { unknownEvaluation } from '#lib/evaluation';
import { unknownGate } from '#lib/gate';
import type { Rejection } from '#lib/kernel';
import { sessionRejections } from '#lib/session';
import { unknownSpecialist } from '#lib/specialist';
import { runRejections } from '#lib/workflow';
import { NAME } from './is-name.decorator.js';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** An id in a path. One that cannot be an id names nothing: 404, without asking the log. */
export class IdPipe implements PipeTransform<string, string> {
  constructor(
    private readonly pattern: RegExp,
    private readonly unknown: (id: string) => Rejection,
  ) {}

  transform(id: string): string {
    if (this.pattern.test(id)) return id;
    throw new RejectionError(this.unknown(id.slice(0, 128)));
  }
}

export const gateIdPipe = new IdPipe(NAME, unknownGate);
export const specialistIdPipe = new IdPipe(NAME, unknownSpecialist);
export const evaluationIdPipe = new IdPipe(UUID, unknownEvaluation);
export const sessionIdPipe = new IdPipe(UUID, sessionRejections.unknownSession);
export const runIdPipe = new IdPipe(UUID, runRejections.unknownRun);
