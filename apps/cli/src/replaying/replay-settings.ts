import { EngineSettings } from '#lib/engine/core';
import { optionsWith } from '../engine/with-log.js';
import { importedOptions } from '../input/imported-options.js';
import type { ReplaySource } from './replay-messages.js';

/** Of each thread of a replay. Of the module only the workflows count: outcomes of functions are taken from the log. @throws InvalidInput @throws InvalidSetting */
export async function replaySettings({ dataDir, import: module }: ReplaySource): Promise<EngineSettings> {
  const { workflows = [] } = await importedOptions(module);
  return new EngineSettings(optionsWith({ ...(dataDir !== undefined && { dataDir }), workflows }));
}
