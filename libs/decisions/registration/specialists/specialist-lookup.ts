import { orRefused, type ReadSide } from '#lib/operations/core';
import { machineOfSpecialist, type ReadStore, type SpecialistName } from '#lib/read-models';

/** Finds the machine of a specialist's id, for commands without a machine. */
export class SpecialistLookup {
  constructor(
    private readonly reads: ReadSide,
    private readonly store: ReadStore,
  ) {}

  /**
   * @param preferred among several machines with the id
   * @throws RejectionError `unknown-specialist`; `ambiguous` if several machines have it
   */
  async machineOf(name: SpecialistName, preferred?: string): Promise<string> {
    await this.reads.waitForHead(['specialists']);
    return orRefused(await machineOfSpecialist(this.store.db, name, preferred));
  }
}
