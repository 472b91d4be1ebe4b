import { RedialError } from '#lib/kernel';

/** A projection did not reach a position in time. */
export class ProjectionBehind extends RedialError {
  override readonly answer = { status: 503, code: 'projection-behind' };

  constructor(
    readonly projections: readonly string[],
    readonly position: string,
    timeoutMs: number,
  ) {
    super(
      `position ${position}`,
      `within ${timeoutMs} ms it was not reached by ${projections.join(', ')}`,
      'Ask again; if it stays so, look at the status of the projections',
    );
  }
}
