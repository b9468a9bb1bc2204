// Reads the PKCS#10 certificate request (RFC 2986) of a kubelet. It must not miss anything that the signer would copy
// into the certificate, so it throws for everything that kubelets never request.

import type { Address } from '../../../domain/addresses/address.ts';
import { parseAddress } from '../../../domain/addresses/address.ts';

// Reads DER (ITU-T X.690), the encoding of certificate requests. It accepts only encodings with a single
// interpretation, so that the signer cannot read something else, and throws for all others.

interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
}

const [integer, bitString, octetString, oid] = [0x02, 0x03, 0x04, 0x06];
const [utf8String, printableString, sequence, set] = [0x0c, 0x13, 0x30, 0x31];

/** Tags from 31 use several bytes. Certificate requests do not use them. */
const LONG_TAG = 0x1f;
/** Up to 65,535 bytes. */
const MAX_LENGTH_BYTES = 2;

class DerReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  next(): DerElement {
    const [tag = LONG_TAG] = this.#take(1);
    if ((tag & LONG_TAG) === LONG_TAG) throw new Error('invalid tag');
    return { tag, content: this.#take(this.#length()) };
  }

  take(tag: number): Uint8Array {
    const next = this.next();
    if (next.tag !== tag) throw new Error('unexpected tag');
    return next.content;
  }

  #take(count: number): Buffer {
    const taken = this.#bytes.subarray(this.#offset, this.#offset + count);
    if (taken.length < count) throw new Error('unexpected end');
    this.#offset += count;
    return taken;
  }

  #length(): number {
    const first = this.#take(1).readUInt8();
    if (first < 0x80) return first;
    const count = first - 0x80;
    if (count < 1 || count > MAX_LENGTH_BYTES) throw new Error('invalid length');
    const length = this.#take(count).readUIntBE(0, count);
    // DER requires the shortest encoding.
    if (length < 0x80 || (count > 1 && length < 0x100)) throw new Error('non-minimal length');
    return length;
  }
}

/** Throws if data remains after the element that `read` consumes. */
function readDer<Result>(bytes: Uint8Array, read: (reader: DerReader) => Result): Result {
  const reader = new DerReader(bytes);
  const result = read(reader);
  if (!reader.isAtEnd) throw new Error('unexpected trailing data');
  return result;
}

const readDerElements = (bytes: Uint8Array): readonly DerElement[] =>
  readDer(bytes, reader => {
    const elements: DerElement[] = [];
    while (!reader.isAtEnd) elements.push(reader.next());
    return elements;
  });

export interface RequestedCertificate {
  /** O and CN attributes in order, for example `O=system:nodes`. */
  readonly subject: readonly string[];
  readonly dnsNames: readonly string[];
  readonly addresses: readonly Address[];
}

const MAX_PEM_LENGTH = 16_384;
/** Rejects text around the request, because the signer might read another one of several requests. */
const PEM = /^-----BEGIN CERTIFICATE REQUEST-----\n([A-Za-z0-9+/=\n]+)\n-----END CERTIFICATE REQUEST-----\n?$/;

const SUBJECT_TYPES: Readonly<Record<string, string>> = { '55040a': 'O', '550403': 'CN' };
const EXTENSION_REQUEST = '2a864886f70d01090e';
const ALTERNATIVE_NAMES = '551d11';

const [ATTRIBUTES, DNS_NAME, IP_ADDRESS] = [0xa0, 0x82, 0x87];

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const decodeUtf8 = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);

function decodePem(pem: string): Uint8Array {
  const base64 = pem.length > MAX_PEM_LENGTH ? undefined : PEM.exec(pem)?.[1]?.replaceAll('\n', '');
  const bytes = Buffer.from(base64 ?? '', 'base64');
  if (base64 === undefined || bytes.toString('base64') !== base64) throw new Error('not PEM');
  return bytes;
}

const readSingle = (bytes: Uint8Array, tag: number): Uint8Array => readDer(bytes, reader => reader.take(tag));

/** Rejects a set with several attributes, because readers differ in which one they use. */
const parseSubject = (name: Uint8Array): readonly string[] =>
  readDerElements(name).map(({ tag, content }) => {
    if (tag !== set) throw new Error('invalid subject');
    return readDer(readSingle(content, sequence), reader => {
      const type = SUBJECT_TYPES[toHex(reader.take(oid))];
      const value = reader.next();
      if (type === undefined) throw new Error('the subject contains more than a name and groups');
      if (value.tag !== utf8String && value.tag !== printableString)
        throw new Error('the subject uses an unsupported string type');
      return `${type}=${decodeUtf8(value.content)}`;
    });
  });

function parseIpAddress(bytes: Uint8Array): Address {
  const text = bytes.length === 4 ? bytes.join('.') : (toHex(bytes).match(/.{4}/g) ?? []).join(':');
  const address = bytes.length === 4 || bytes.length === 16 ? parseAddress(text) : undefined;
  if (address === undefined) throw new Error('invalid address');
  return address;
}

const readTypedValue = (pair: Uint8Array, oidHex: string, valueTag: number): Uint8Array =>
  readDer(pair, reader => {
    if (toHex(reader.take(oid)) !== oidHex) throw new Error('the request asks for more than names');
    return reader.take(valueTag);
  });

function parseAlternativeNames(attributes: Uint8Array): Pick<RequestedCertificate, 'dnsNames' | 'addresses'> {
  if (attributes.length === 0) return { dnsNames: [], addresses: [] };
  const extensions = readSingle(readTypedValue(readSingle(attributes, sequence), EXTENSION_REQUEST, set), sequence);
  const wrapped = readTypedValue(readSingle(extensions, sequence), ALTERNATIVE_NAMES, octetString);
  const [dnsNames, addresses]: [string[], Address[]] = [[], []];
  for (const { tag, content } of readDerElements(readSingle(wrapped, sequence))) {
    if (tag === DNS_NAME) dnsNames.push(decodeUtf8(content));
    else if (tag === IP_ADDRESS) addresses.push(parseIpAddress(content));
    else throw new Error('the request asks for an unsupported type of name');
  }
  return { dnsNames, addresses };
}

/** Does not verify the signature: a certificate is useless without the private key. */
export function parseCertificateRequest(pem: string): RequestedCertificate {
  const info = readDer(readSingle(decodePem(pem), sequence), reader => {
    const signed = reader.take(sequence);
    reader.take(sequence);
    reader.take(bitString);
    return signed;
  });
  return readDer(info, reader => {
    if (toHex(reader.take(integer)) !== '00') throw new Error('unknown version');
    const subject = parseSubject(reader.take(sequence));
    reader.take(sequence);
    return { subject, ...parseAlternativeNames(reader.take(ATTRIBUTES)) };
  });
}
