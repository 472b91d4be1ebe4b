import {
  type Command,
  type Decider,
  fold,
  isRejection,
  jsonText,
  present,
  type RecordedEvent,
  type Rejection,
} from '#lib/kernel';
import type { SpecialistEvent, ArbiterRegistered, ProposerRegistered } from './specialist.events.js';
import { specialistBody } from './registration-rules.js';
import type { SpecialistBody } from './specialist-body.js';
import { unknownSpecialist } from './specialist.rejections.js';
import type { SpecialistRegistration } from './registration.js';

/** A specialist of one machine, with all its versions. */
export interface RegisteredSpecialist {
  readonly specialistId: string;
  readonly machineName: string;
  /** The n-th is version n + 1. */
  readonly versions: readonly SpecialistBody[];
  /** The version that was registered last. */
  readonly current: number;
  /** Holds for all versions. */
  readonly enabled: boolean;
  /** Registered with an operation at least once, and not only declared by machines. */
  readonly standsAlone: boolean;
}

/** `null` before the specialist is registered. */
export type SpecialistState = RegisteredSpecialist | null;

interface Version {
  readonly specialistId: string;
  readonly machineName: string;
  readonly version: number;
  readonly enabled: boolean;
}

/** One version of a specialist that proposes. */
export type Proposer = Version & Extract<SpecialistBody, { role: 'proposer' }>;

/** One version of a specialist that arbitrates. */
export type Arbiter = Version & Extract<SpecialistBody, { role: 'arbiter' }>;

/** A version by its number, or the current one; `undefined` if there is none. */
export function specialistVersion(
  state: SpecialistState,
  version = state?.current,
): Proposer | Arbiter | undefined {
  const body = version === undefined ? undefined : state?.versions[version - 1];
  if (!state || !body || version === undefined) return undefined;
  const { specialistId, machineName, enabled } = state;
  return { specialistId, machineName, version, enabled, ...body };
}

/** The number of the version with this body; `undefined` if there is none. */
function versionWith(state: SpecialistState, body: SpecialistBody): number | undefined {
  const text = jsonText(body);
  const index = state?.versions.findIndex((one) => jsonText(one) === text) ?? -1;
  return index < 0 ? undefined : index + 1;
}

/** Total: an impossible event leaves the state unchanged, such as enabling an unregistered id. */
function evolveSpecialist(state: SpecialistState, event: SpecialistEvent): SpecialistState {
  switch (event.type) {
    case 'ProposerRegistered':
    case 'ArbiterRegistered':
      return withVersion(state, event);
    case 'SpecialistRegisteredAgain':
      return state && { ...state, current: event.data.version, ...alone(state, event.data.declared) };
    case 'SpecialistEnabled':
      return state && { ...state, enabled: true };
    case 'SpecialistDisabled':
      return state && { ...state, enabled: false };
    default:
      event satisfies never;
      return state;
  }
}

function withVersion(
  state: SpecialistState,
  event: ProposerRegistered | ArbiterRegistered,
): RegisteredSpecialist {
  const { specialistId, machineName, version, declared, disabled } = event.data;
  return {
    specialistId,
    machineName,
    versions: [...(state?.versions ?? []), bodyOf(event)],
    current: version,
    enabled: disabled ? false : (state?.enabled ?? true),
    ...alone(state, declared),
  };
}

function bodyOf(event: ProposerRegistered | ArbiterRegistered): SpecialistBody {
  if (event.type === 'ArbiterRegistered') {
    const { execution, threshold, trust } = event.data;
    return {
      role: 'arbiter',
      isHuman: false,
      execution,
      ...present({ threshold, trust }),
    };
  }
  const { isHuman, personId, execution } = event.data;
  return {
    role: 'proposer',
    isHuman,
    ...present({ personId, execution }),
  };
}

function alone(state: SpecialistState, declared: true | undefined): { readonly standsAlone: boolean } {
  return { standsAlone: declared === undefined || (state?.standsAlone ?? false) };
}

export type RegisterSpecialist = Command<
  'RegisterSpecialist',
  {
    readonly registration: SpecialistRegistration;
    /** A machine's definition declares it. */
    readonly declared?: true;
  }
>;

interface Subject {
  readonly specialistId: string;
  readonly machineName: string;
}

export type EnableSpecialist = Command<'EnableSpecialist', Subject>;
export type DisableSpecialist = Command<'DisableSpecialist', Subject>;

type SpecialistCommand = RegisterSpecialist | EnableSpecialist | DisableSpecialist;

type Decision = readonly SpecialistEvent[] | Rejection;

/** Enabling an enabled specialist, or disabling a disabled one, gives no event. */
function decideSpecialist(command: SpecialistCommand, state: SpecialistState): Decision {
  if (command.type === 'RegisterSpecialist') return register(command, state);
  const { specialistId, machineName } = command.data;
  if (state === null) return unknownSpecialist(specialistId);
  const enabled = command.type === 'EnableSpecialist';
  if (state.enabled === enabled) return [];
  return [
    { type: enabled ? 'SpecialistEnabled' : 'SpecialistDisabled', data: { specialistId, machineName } },
  ];
}

/** `disabled` and `keepAlignment` apply only to the version that the command makes. */
function register({ data }: RegisterSpecialist, state: SpecialistState): Decision {
  const body = specialistBody(data.registration);
  if (isRejection(body)) return body;
  const version = versionWith(state, body);
  return version === undefined ? [nextVersion(data, body, state)] : again(data, version, state);
}

function again(
  { registration, declared }: RegisterSpecialist['data'],
  version: number,
  state: SpecialistState,
): Decision {
  const isNews = version !== state?.current || (!declared && !state.standsAlone);
  if (!isNews) return [];
  const { specialistId, machineName } = registration;
  const data = { specialistId, machineName, version, ...(declared && { declared }) };
  return [{ type: 'SpecialistRegisteredAgain', data }];
}

function nextVersion(
  { registration, declared }: RegisterSpecialist['data'],
  body: SpecialistBody,
  state: SpecialistState,
): SpecialistEvent {
  const { specialistId, machineName, disabled, keepAlignment } = registration;
  const data = {
    specialistId,
    machineName,
    version: (state?.versions.length ?? 0) + 1,
    ...(declared && { declared }),
    ...(disabled && { disabled }),
    ...(keepAlignment && state && { alignmentOf: state.current }),
  };
  if (body.role === 'arbiter') {
    const { role: _role, isHuman: _isHuman, ...mode } = body;
    return { type: 'ArbiterRegistered', data: { ...data, ...mode } };
  }
  const { role: _role, ...mode } = body;
  return { type: 'ProposerRegistered', data: { ...data, ...mode } };
}

/** The versions of one specialist, and whether it is enabled. */
export const specialistDecider: Decider<SpecialistState, SpecialistCommand, SpecialistEvent> = {
  initialState: null,
  decide: decideSpecialist,
  evolve: evolveSpecialist,
  record: (command) => command,
  rebuild: (recorded) => recorded as SpecialistCommand,
};

/** The version that was current at a log position; the present one of a specialist registered later. */
export function versionAt(
  history: readonly RecordedEvent<SpecialistEvent>[],
  position: string | undefined,
): number | undefined {
  const before = history.filter((event) => position === undefined || event.position <= position);
  return (fold(specialistDecider, before) ?? fold(specialistDecider, history))?.current;
}
