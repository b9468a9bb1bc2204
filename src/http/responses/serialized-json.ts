import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How many items of a list are written at a time: a tenth of a millisecond's work, also when many read such lists at once. */
const ITEMS_PER_CHUNK = 250;

function* chunkItems(items: readonly string[]) {
  for (let index = 0; index < items.length; index += ITEMS_PER_CHUNK) {
    const chunk = items.slice(index, index + ITEMS_PER_CHUNK).join(',');
    yield index === 0 ? `[${chunk}` : `,${chunk}`;
  }
  yield ']';
}

/** How much of other answers is written at a time, in characters. */
const CHARACTERS_PER_CHUNK = 16_384;

/** Others get their turn after each piece: a system whose buffers take megabytes at once would have all of that made in one go. */
async function* joinFragments(fragments: Iterable<string>) {
  let chunk = '';
  for (const fragment of fragments) {
    chunk += fragment;
    if (chunk.length < CHARACTERS_PER_CHUNK) continue;
    yield chunk;
    await nextTurn();
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** A body that is JSON already. A long list is sent in pieces, so that no other request waits until all of it is written. */
export class SerializedJson {
  readonly payload: string | Buffer | Readable;

  private constructor(payload: string | Buffer | Readable) {
    this.payload = payload;
  }

  /** What is answered again and again, written once. */
  static fromValue(value: unknown): SerializedJson {
    return new SerializedJson(Buffer.from(JSON.stringify(value)));
  }

  /** An object that is JSON, with one field more at its end. */
  static withField(object: string, field: string, value: unknown): SerializedJson {
    return new SerializedJson(`${object.slice(0, -1)},"${field}":${JSON.stringify(value)}}`);
  }

  /** A list of items, each of them JSON. */
  static fromItems(items: readonly string[]): SerializedJson {
    return new SerializedJson(
      items.length > ITEMS_PER_CHUNK ? Readable.from(chunkItems(items)) : `[${items.join(',')}]`,
    );
  }

  /** What is JSON when its parts are put together; they are asked for as they are sent. */
  static fromFragments(fromFragments: Iterable<string>): SerializedJson {
    return new SerializedJson(Readable.from(joinFragments(fromFragments)));
  }
}
