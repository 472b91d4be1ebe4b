import { EventCodec } from '#lib/event-store';
import { machineEventDefinitions } from '#lib/machine';
import { sessionEventDefinitions } from '#lib/session';
import { solicitationEventDefinitions } from '#lib/solicitation';
import { specialistEventDefinitions } from '#lib/specialist';

/** Every event that Redial writes, with its schema versions. @throws InvalidEventCatalogue */
export function eventCatalogue(): EventCodec {
  return new EventCodec([
    machineEventDefinitions,
    specialistEventDefinitions,
    sessionEventDefinitions,
    solicitationEventDefinitions,
  ]);
}
