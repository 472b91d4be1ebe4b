import type { Provider } from '@nestjs/common';
import { EngineSettings } from '../settings/engine-settings.js';
import { factory } from './provide.js';

/** The one `Time` of an engine: of its commands, timers, retries, leases and due times. */
export const TIME = Symbol('Time');

export const timeProvider: Provider = factory(TIME, [EngineSettings], ({ time }: EngineSettings) => time);
