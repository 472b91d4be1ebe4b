import { Redactor } from '#lib/activities';
import { environmentSecrets } from './configured-secrets.js';
import { EngineSettings } from './engine-settings.js';
import { readEnvironment } from './environment.js';
import { optionsFrom } from './options-from.js';

/**
 * The redactor of a process that variables configure, before it has an engine or without one. If the settings cannot be read, it has the
 * secrets of the variables themselves.
 */
export function redactorOf(variables: NodeJS.ProcessEnv): Redactor {
  try {
    return new EngineSettings(optionsFrom(readEnvironment(variables), variables)).redactor;
  } catch {
    return new Redactor(environmentSecrets(variables));
  }
}
