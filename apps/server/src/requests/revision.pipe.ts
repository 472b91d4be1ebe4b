import type { PipeTransform } from '@nestjs/common';
import { malformedRequest } from '../problems/problem-error.js';

/** A revision in a path. */
export class RevisionPipe implements PipeTransform<string, number> {
  transform(revision: string): number {
    if (/^\d{1,15}$/.test(revision)) return Number(revision);
    throw malformedRequest([{ path: '/revision', message: 'must be a whole number from 0' }]);
  }
}
