// How SSH writes things down, in its packets, key files and in what is said to an agent: see RFC 4251, section 5.

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A string: its length, and its bytes. */
export const field = (bytes: Buffer | string): Buffer =>
  Buffer.concat([uint32(Buffer.byteLength(bytes)), Buffer.from(bytes)]);

/** Without the zeros before the number. */
export function unsigned(bytes: Buffer): Buffer {
  const first = bytes.findIndex(byte => byte !== 0);
  return first < 0 ? Buffer.alloc(0) : bytes.subarray(first);
}

/** A number that is not negative: a zero goes before a first byte that would be taken for a sign. */
export function numberField(bytes: Buffer): Buffer {
  const digits = unsigned(bytes);
  return field((digits[0] ?? 0) < 0x80 ? digits : Buffer.concat([Buffer.alloc(1), digits]));
}

/** Reads one after the other; throws a `RangeError` where the bytes end too early. */
export class FieldReader {
  #rest: Buffer;

  constructor(bytes: Buffer) {
    this.#rest = bytes;
  }

  byte(): number {
    return this.#take(1).readUInt8();
  }

  uint32(): number {
    return this.#take(4).readUInt32BE();
  }

  field(): Buffer {
    return this.#take(this.uint32());
  }

  text(): string {
    return this.field().toString('latin1');
  }

  #take(length: number): Buffer {
    if (length > this.#rest.length) throw new RangeError('unexpected end of data');
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }
}
