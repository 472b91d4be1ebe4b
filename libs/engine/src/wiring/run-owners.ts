import { turnRun } from '#lib/flows';
import { type Command, type Event, systemClock } from '#lib/kernel';
import { CommandWriter } from '#lib/operations';
import { type AskedRuns, StreamOwner } from '#lib/runs';
import type { RunOwner } from '#lib/workflow';
import { arbitrationRun, solicitationRun } from '#lib/sessions';
import type { EngineSettings } from '../settings/engine-settings.js';

/** The capabilities whose streams ask for runs, by the name of the workflow. */
export function runOwners(
  writer: CommandWriter,
  { arbitration }: EngineSettings,
): ReadonlyMap<string, RunOwner> {
  const ownerOf = <State, C extends Command, E extends Event>(
    runs: AskedRuns<State, C, E>,
  ): readonly [string, RunOwner] => [runs.requests.workflow, new StreamOwner(runs, writer, systemClock)];
  return new Map([ownerOf(solicitationRun), ownerOf(arbitrationRun(arbitration)), ownerOf(turnRun)]);
}
