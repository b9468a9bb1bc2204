// Reads what a kubelet asks for in a request for a certificate (PKCS#10, RFC 2986). What must hold: nothing that the signer would put
// into the certificate is overlooked. What kubelets never ask for is refused by throwing.

import type { Address } from '../../../domain/addresses/address.ts';
import { parseAddress } from '../../../domain/addresses/address.ts';
import { DER_TAGS, derElements, readDer } from './der.ts';

export interface RequestedCertificate {
  /** Each O and CN of the subject, in order, as in `O=system:nodes`. */
  readonly subject: readonly string[];
  readonly dnsNames: readonly string[];
  readonly addresses: readonly Address[];
}

const MAX_PEM_LENGTH = 16_384;
/** Nothing before and nothing behind: others might read another one of several. */
const PEM =
  /^-----BEGIN CERTIFICATE REQUEST-----\n([A-Za-z0-9+/=\n]+)\n-----END CERTIFICATE REQUEST-----\n?$/;

/** Object identifiers, as hexadecimal digits. */
const SUBJECT_TYPES: Readonly<Record<string, string>> = { '55040a': 'O', '550403': 'CN' };
const EXTENSION_REQUEST = '2a864886f70d01090e';
const ALTERNATIVE_NAMES = '551d11';

const [ATTRIBUTES, DNS_NAME, IP_ADDRESS] = [0xa0, 0x82, 0x87];
const { integer, bitString, octetString, oid, utf8String, printableString, sequence, set } = DER_TAGS;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

function bytesOf(pem: string): Uint8Array {
  const base64 = pem.length > MAX_PEM_LENGTH ? undefined : PEM.exec(pem)?.[1]?.replaceAll('\n', '');
  const bytes = Buffer.from(base64 ?? '', 'base64');
  if (base64 === undefined || bytes.toString('base64') !== base64) throw new Error('not PEM');
  return bytes;
}

/** A sequence and nothing else. */
const only = (bytes: Uint8Array, tag: number): Uint8Array => readDer(bytes, reader => reader.take(tag));

/** Two of a subject in one set are refused as well: who reads which of them? */
const subjectOf = (name: Uint8Array): readonly string[] =>
  derElements(name).map(({ tag, content }) => {
    if (tag !== set) throw new Error('invalid subject');
    return readDer(only(content, sequence), reader => {
      const type = SUBJECT_TYPES[hex(reader.take(oid))];
      const value = reader.next();
      if (type === undefined) throw new Error('the subject contains more than a name and groups');
      if (value.tag !== utf8String && value.tag !== printableString)
        throw new Error('the subject uses an unsupported string type');
      return `${type}=${textOf(value.content)}`;
    });
  });

function addressOf(bytes: Uint8Array): Address {
  const text = bytes.length === 4 ? bytes.join('.') : (hex(bytes).match(/.{4}/g) ?? []).join(':');
  const address = bytes.length === 4 || bytes.length === 16 ? parseAddress(text) : undefined;
  if (address === undefined) throw new Error('invalid address');
  return address;
}

/** The value of the only one there is, which has to be of this kind. */
const onlyOf = (pair: Uint8Array, kind: string, valueTag: number): Uint8Array =>
  readDer(pair, reader => {
    if (hex(reader.take(oid)) !== kind) throw new Error('the request asks for more than names');
    return reader.take(valueTag);
  });

function namesOf(attributes: Uint8Array): Pick<RequestedCertificate, 'dnsNames' | 'addresses'> {
  if (attributes.length === 0) return { dnsNames: [], addresses: [] };
  const extensions = only(onlyOf(only(attributes, sequence), EXTENSION_REQUEST, set), sequence);
  const wrapped = onlyOf(only(extensions, sequence), ALTERNATIVE_NAMES, octetString);
  const [dnsNames, addresses]: [string[], Address[]] = [[], []];
  for (const { tag, content } of derElements(only(wrapped, sequence))) {
    if (tag === DNS_NAME) dnsNames.push(textOf(content));
    else if (tag === IP_ADDRESS) addresses.push(addressOf(content));
    else throw new Error('the request asks for an unsupported type of name');
  }
  return { dnsNames, addresses };
}

/** The signature is not looked at: a certificate is of use only to who has the key. */
export function requestedCertificate(pem: string): RequestedCertificate {
  const info = readDer(only(bytesOf(pem), sequence), reader => {
    const signed = reader.take(sequence);
    reader.take(sequence);
    reader.take(bitString);
    return signed;
  });
  return readDer(info, reader => {
    if (hex(reader.take(integer)) !== '00') throw new Error('unknown version');
    const subject = subjectOf(reader.take(sequence));
    reader.take(sequence);
    return { subject, ...namesOf(reader.take(ATTRIBUTES)) };
  });
}
