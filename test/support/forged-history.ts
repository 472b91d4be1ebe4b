import { EngineSettings, eventCatalogue } from '#lib/engine';
import { verifyHistory } from '#lib/histories';
import { bodyOf, opened, resummed } from '#lib/histories/testing';

/** Forging one text takes the hash of a machine and the ids of the events after it. */
const MOST_CORRECTIONS = 10;
const { workflows } = new EngineSettings({});

/** A history file with another text in it, whose author has made all that follows from the text fit. */
export async function forged(history: string, from: string, to: string): Promise<string> {
  let lines = bodyOf(history).map((line) => line.replaceAll(from, () => to));
  for (let count = 0; count < MOST_CORRECTIONS; count++) {
    const file = await opened(resummed(lines), eventCatalogue());
    const [first] = (await verifyHistory(file, workflows)).divergences;
    await file.log.store.close();
    if (!first) return resummed(lines);
    const { stream, revision, recorded, replayed } = first;
    const place = `{"stream":"${file.log.streams.withoutPrefix(stream)}","revision":${revision},`;
    lines = lines.map((line) =>
      line.startsWith(place) ? line.replace(JSON.stringify(recorded), JSON.stringify(replayed)) : line,
    );
  }
  throw new Error(`A history does not fit after ${MOST_CORRECTIONS} corrections.`);
}
