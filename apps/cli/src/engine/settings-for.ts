import { EngineSettings, readEnvironment } from '#lib/engine';

/** `--data-dir` stands above the environment. @throws InvalidSetting */
export function settingsFor(dataDir: string | undefined): EngineSettings {
  return new EngineSettings(dataDir === undefined ? {} : { dataDir }, readEnvironment(process.env));
}
