import { existsSync } from 'node:fs';
import { LlmCalls, type LlmOutcome, type ModelCalls } from '#lib/activities';
import type { EventCodec } from '#lib/event-store';
import { RedialError } from '#lib/kernel';
import { openHistory } from '../file/open-history.js';
import { CassetteMissing, CassetteUnreadable } from './cassette-errors.js';
import { failedCall, PlayedCassette } from './played-cassette.js';
import { recordedExchanges } from './recorded-exchanges.js';
import { RecordingCassette } from './recording-cassette.js';

export const CASSETTE_MODES = ['replay', 'record', 'auto'] as const;

/** `replay`: only recorded answers. `record`: the provider is asked, and the file is replaced. `auto`: replay if the file exists, else record. */
export type CassetteMode = (typeof CASSETTE_MODES)[number];

/** The parts that a cassette needs besides its file. */
interface CassetteGiven {
  readonly mode: CassetteMode;
  /** Recording is forbidden. */
  readonly isCi: boolean;
  /** The provider that a recording asks, and the variable that must hold its key, if it needs one. */
  readonly provider: { readonly baseUrl: string; readonly apiKeyEnv?: string; readonly apiKey?: string };
  readonly codec: EventCodec;
}

/** The calls of a cassette. A missing file is an error at once, an unreadable one at the first call.  @throws CassetteMissing */
export function cassetteCalls(file: string, { mode, isCi, provider, codec }: CassetteGiven): ModelCalls {
  const isThere = existsSync(file);
  const records = mode === 'record' || (mode === 'auto' && !isThere);
  if (records && isCi)
    throw missing(file, 'it would be recorded, and CI=true forbids that', 'Record it before, and commit it');
  if (!records && !isThere)
    throw missing(file, 'there is no such file', 'Name a history file, or record it with the mode record');
  if (!records) return new FirstOpened(() => played(file, codec));
  const { baseUrl, apiKeyEnv, apiKey } = provider;
  if (apiKeyEnv !== undefined && apiKey === undefined)
    throw missing(
      file,
      `it would be recorded, and ${apiKeyEnv} is not set`,
      'Set it to the key of the provider',
    );
  const calls = new LlmCalls({ baseUrl, ...(apiKey !== undefined && { apiKey }) });
  return new RecordingCassette(file, calls, baseUrl, codec);
}

const FIX = 'Name a history file that redial history export or a cassette has written';

/** Opens the cassette at the first call. */
class FirstOpened implements ModelCalls {
  #opened: Promise<ModelCalls> | undefined;

  constructor(private readonly open: () => Promise<ModelCalls>) {}

  async perform(...call: Parameters<ModelCalls['perform']>): Promise<LlmOutcome> {
    this.#opened ??= this.open();
    const opened = await this.#opened.catch((error: unknown) => error);
    if (opened instanceof CassetteUnreadable) return failedCall(opened);
    return ((await this.#opened) satisfies ModelCalls).perform(...call);
  }
}

async function played(file: string, codec: EventCodec): Promise<ModelCalls> {
  try {
    const { head, log } = await openHistory(file, codec);
    try {
      if (head.redaction !== 'none')
        throw unreadable(
          file,
          'it was exported without the content of its calls',
          'Export it without --redact',
        );
      const exchanges = await recordedExchanges(log);
      if (exchanges.length > 0) return new PlayedCassette(file, exchanges);
      throw unreadable(file, 'it has no answered call of a model', FIX);
    } finally {
      await log.store.close();
    }
  } catch (error) {
    if (!(error instanceof RedialError) || error instanceof CassetteUnreadable) throw error;
    throw unreadable(file, error.message, FIX, error);
  }
}

function unreadable(file: string, why: string, fix: string, cause?: RedialError): CassetteUnreadable {
  return new CassetteUnreadable(`the cassette ${file}`, why, fix, cause && { cause });
}

function missing(file: string, why: string, fix: string): CassetteMissing {
  return new CassetteMissing(`the cassette ${file}`, why, fix);
}
