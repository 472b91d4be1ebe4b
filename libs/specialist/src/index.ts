export type { ArbiterMode, ProposerExecution } from './execution-mode.js';
export {
  type ArbiterRegistered,
  type ProposerRegistered,
  type SpecialistDisabled,
  type SpecialistEnabled,
  type SpecialistEvent,
  specialistEventDefinitions,
} from './specialist.events.js';
