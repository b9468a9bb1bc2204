import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How many items of a list are written at a time: a tenth of a millisecond's work, also when many read such lists at once. */
const ITEMS_AT_A_TIME = 250;

function* piecesOf(items: readonly string[]) {
  for (let at = 0; at < items.length; at += ITEMS_AT_A_TIME) {
    const piece = items.slice(at, at + ITEMS_AT_A_TIME).join(',');
    yield at === 0 ? `[${piece}` : `,${piece}`;
  }
  yield ']';
}

/** How much of other answers is written at a time, in characters. */
const CHARACTERS_AT_A_TIME = 16_384;

/** Others get their turn after each piece: a system whose buffers take megabytes at once would have all of that made in one go. */
async function* gathered(parts: Iterable<string>) {
  let piece = '';
  for (const part of parts) {
    piece += part;
    if (piece.length < CHARACTERS_AT_A_TIME) continue;
    yield piece;
    await nextTurn();
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** A body that is JSON already. A long list is sent in pieces, so that no other request waits until all of it is written. */
export class ReadyJson {
  readonly payload: string | Buffer | Readable;

  private constructor(payload: string | Buffer | Readable) {
    this.payload = payload;
  }

  /** What is answered again and again, written once. */
  static constant(value: unknown): ReadyJson {
    return new ReadyJson(Buffer.from(JSON.stringify(value)));
  }

  /** An object that is JSON, with one field more at its end. */
  static extended(object: string, field: string, value: unknown): ReadyJson {
    return new ReadyJson(`${object.slice(0, -1)},"${field}":${JSON.stringify(value)}}`);
  }

  /** A list of items, each of them JSON. */
  static list(items: readonly string[]): ReadyJson {
    return new ReadyJson(
      items.length > ITEMS_AT_A_TIME ? Readable.from(piecesOf(items)) : `[${items.join(',')}]`,
    );
  }

  /** What is JSON when its parts are put together; they are asked for as they are sent. */
  static parts(parts: Iterable<string>): ReadyJson {
    return new ReadyJson(Readable.from(gathered(parts)));
  }
}
