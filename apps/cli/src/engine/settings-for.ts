import {
  EngineSettings,
  optionsFrom,
  readEnvironment,
  type RedialOptions,
  withOptions,
} from '#lib/engine/core';

/** `--data-dir` overrides the environment. @throws InvalidSetting */
export function settingsFor(dataDir: string | undefined): EngineSettings {
  return new EngineSettings(optionsWith(dataDir === undefined ? {} : { dataDir }));
}

/** Options above those of the environment. @throws InvalidSetting */
export function optionsWith(options: RedialOptions): RedialOptions {
  return withOptions(optionsFrom(readEnvironment(process.env), process.env), options);
}
