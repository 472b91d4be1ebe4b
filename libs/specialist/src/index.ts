export type { ArbiterMode, ProposerExecution } from './execution-mode.js';
export type { SpecialistRegistration } from './registration.js';
export { arbiterMode, proposerExecution } from './registration-rules.js';
export type {
  DisableSpecialist,
  EnableSpecialist,
  RegisterSpecialist,
  SpecialistCommand,
} from './specialist.commands.js';
export { specialistDecider } from './specialist.decider.js';
export {
  type ArbiterRegistered,
  type ProposerRegistered,
  type SpecialistDisabled,
  type SpecialistEnabled,
  type SpecialistEvent,
  specialistEventDefinitions,
} from './specialist.events.js';
export { specialistExists, unknownSpecialist } from './specialist.rejections.js';
export type { Arbiter, Proposer, SpecialistState } from './specialist.state.js';
