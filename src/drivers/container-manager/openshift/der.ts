// Reads DER, the bytes that certificates and requests for them are made of (ITU-T X.690). What must hold: what it takes has one
// reading only, which is that of whoever signs it; everything else is refused by throwing.

export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
}

export const DER_TAGS = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Tags from 31 on take more bytes; nothing that is read here has one. */
const LONG_TAG = 0x1f;
/** Enough for 65,535 bytes. */
const MOST_LENGTH_BYTES = 2;

export class DerReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  next(): DerElement {
    const [tag = LONG_TAG] = this.#take(1);
    if ((tag & LONG_TAG) === LONG_TAG) throw new Error('invalid tag');
    return { tag, content: this.#take(this.#length()) };
  }

  /** The content of the next element, which has to have this tag. */
  take(tag: number): Uint8Array {
    const next = this.next();
    if (next.tag !== tag) throw new Error('unexpected tag');
    return next.content;
  }

  #take(count: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + count);
    if (taken.length < count) throw new Error('unexpected end');
    this.#at += count;
    return taken;
  }

  #length(): number {
    const first = this.#take(1).readUInt8();
    if (first < 0x80) return first;
    const count = first - 0x80;
    if (count < 1 || count > MOST_LENGTH_BYTES) throw new Error('invalid length');
    const length = this.#take(count).readUIntBE(0, count);
    // DER demands the shortest way to write it.
    if (length < 0x80 || (count > 1 && length < 0x100)) throw new Error('non-minimal length');
    return length;
  }
}

/** Reads all that there is, to the last byte. */
export function readDer<Result>(bytes: Uint8Array, read: (reader: DerReader) => Result): Result {
  const reader = new DerReader(bytes);
  const result = read(reader);
  if (!reader.isAtEnd) throw new Error('unexpected trailing data');
  return result;
}

/** The elements that it is made of, however many. */
export const derElements = (bytes: Uint8Array): readonly DerElement[] =>
  readDer(bytes, reader => {
    const elements: DerElement[] = [];
    while (!reader.isAtEnd) elements.push(reader.next());
    return elements;
  });
