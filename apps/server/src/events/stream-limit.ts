import { Injectable } from '@nestjs/common';
import { explain } from '#lib/kernel';
import { httpProblem } from '#lib/engine/core';
import { ProblemError } from '../problems/problem-error.js';

/** Event streams that this process serves at the same time: each follows the log. */
export const MOST_STREAMS = 500;
export const MOST_STREAMS_OF_ONE = 50;

const RETRY = { 'Retry-After': '10' };

/** Counts open event streams. */
@Injectable()
export class StreamLimit {
  private readonly byOwner = new Map<string, number>();
  private total = 0;

  /**
   * @param owner `session <id>` or `run <id>`
   * @returns a function that gives the place back; call it once
   * @throws ProblemError 503 if this process has no place left, 429 if the owner has none
   */
  take(owner: string): () => void {
    const open = this.byOwner.get(owner) ?? 0;
    if (this.total >= MOST_STREAMS) throw tooMany(503, 'this process', MOST_STREAMS);
    if (open >= MOST_STREAMS_OF_ONE) throw tooMany(429, owner, MOST_STREAMS_OF_ONE);
    this.count(owner, 1);
    return () => this.count(owner, -1);
  }

  private count(owner: string, change: 1 | -1): void {
    const open = (this.byOwner.get(owner) ?? 0) + change;
    this.total += change;
    if (open > 0) this.byOwner.set(owner, open);
    else this.byOwner.delete(owner);
  }
}

function tooMany(status: 429 | 503, of: string, most: number): ProblemError {
  const why = `${of} has ${most} of them open, and serves no more`;
  const detail = explain('TooManyStreams', 'this event stream', why, 'Close one, or try again later');
  return new ProblemError(httpProblem(status, 'too-many-streams', detail), RETRY);
}
