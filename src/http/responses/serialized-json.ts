import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** A chunk takes about 0.1 ms, also with many concurrent readers. */
const ITEMS_PER_CHUNK = 250;

function* chunkItems(items: readonly string[]) {
  for (let index = 0; index < items.length; index += ITEMS_PER_CHUNK) {
    const chunk = items.slice(index, index + ITEMS_PER_CHUNK).join(',');
    yield index === 0 ? `[${chunk}` : `,${chunk}`;
  }
  yield ']';
}

const CHARACTERS_PER_CHUNK = 16_384;

/** Other requests run between chunks, even if the kernel accepts megabytes at once. */
async function* joinFragments(fragments: Iterable<string>) {
  let chunk = '';
  for (const fragment of fragments) {
    chunk += fragment;
    if (chunk.length < CHARACTERS_PER_CHUNK) continue;
    yield chunk;
    await yieldToEventLoop();
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** A response body that is already JSON. Long lists are streamed, so they do not block other requests. */
export class SerializedJson {
  readonly payload: string | Buffer | Readable;

  private constructor(payload: string | Buffer | Readable) {
    this.payload = payload;
  }

  /** Serializes a constant response once. */
  static fromValue(value: unknown): SerializedJson {
    return new SerializedJson(Buffer.from(JSON.stringify(value)));
  }

  static withField(object: string, field: string, value: unknown): SerializedJson {
    return new SerializedJson(`${object.slice(0, -1)},"${field}":${JSON.stringify(value)}}`);
  }

  static fromItems(items: readonly string[]): SerializedJson {
    return new SerializedJson(
      items.length > ITEMS_PER_CHUNK ? Readable.from(chunkItems(items)) : `[${items.join(',')}]`,
    );
  }

  /** The fragments together form one JSON value. They are generated while the response is sent. */
  static fromFragments(fragments: Iterable<string>): SerializedJson {
    return new SerializedJson(Readable.from(joinFragments(fragments)));
  }
}
