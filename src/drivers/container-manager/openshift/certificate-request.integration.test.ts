import { describe, expect, test } from 'vitest';
import type { CertificateRequestOptions } from '../../../../test/harness/certificates/certificate-request.ts';
import { certificateRequestPem } from '../../../../test/harness/certificates/certificate-request.ts';
import { parseCertificateRequest } from './certificate-request.ts';

const SUBJECT = '/O=system:nodes/CN=system:node:n1';
const PARSED_SUBJECT = ['O=system:nodes', 'CN=system:node:n1'];
const NAMES = 'subjectAltName = DNS:n1,IP:127.0.0.1,IP:2001:db8::1';

const good = () => certificateRequestPem({ subject: SUBJECT, extensions: [NAMES] });
const derOf = (pem: string) => Buffer.from(pem.replaceAll(/-----.*-----|\n/g, ''), 'base64');
const pemOf = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;

describe('parseCertificateRequest', () => {
  test.each<[label: string, options: CertificateRequestOptions, names: object]>([
    ['a name and a group', { subject: SUBJECT }, { dnsNames: [], addresses: [] }],
    ['a name and a group as PrintableString', { subject: SUBJECT, isPrintable: true }, { dnsNames: [], addresses: [] }],
    [
      'names and addresses',
      { subject: SUBJECT, extensions: [NAMES] },
      { dnsNames: ['n1'], addresses: ['127.0.0.1', '2001:db8::1'] },
    ],
  ])('parses %s', (_label, options, names) => {
    expect(parseCertificateRequest(certificateRequestPem(options))).toEqual({
      subject: PARSED_SUBJECT,
      ...names,
    });
  });

  test.each([
    ['two names', '/O=system:nodes/CN=system:node:n1/CN=system:node:n2', [...PARSED_SUBJECT, 'CN=system:node:n2']],
    ['two groups', '/O=system:nodes/O=system:masters/CN=a', ['O=system:nodes', 'O=system:masters', 'CN=a']],
    ['no attributes', '/', []],
  ])('returns all attributes of a subject with %s', (_label, subject, read) => {
    expect(parseCertificateRequest(certificateRequestPem({ subject })).subject).toEqual(read);
  });

  test.each<[label: string, options: Partial<CertificateRequestOptions>]>([
    ['an email address', { extensions: ['subjectAltName = DNS:n1,email:root@n1'] }],
    ['a URI', { extensions: ['subjectAltName = URI:spiffe://n1'] }],
    ['an otherName', { extensions: ['subjectAltName = otherName:1.2.3.4;UTF8:n1'] }],
    ['a CA constraint', { extensions: ['basicConstraints = CA:TRUE'] }],
    ['a key usage extension', { extensions: [NAMES, 'keyUsage = keyCertSign'] }],
    ['critical alternative names', { extensions: ['subjectAltName = critical,DNS:n1'] }],
    ['a password', { attributes: ['challengePassword = secret'] }],
    ['a password and names', { extensions: [NAMES], attributes: ['challengePassword = secret'] }],
    ['a country', { subject: '/C=DE/O=system:nodes/CN=system:node:n1' }],
    ['a serial number', { subject: `${SUBJECT}/serialNumber=1` }],
    ['a multi-valued attribute', { subject: '/O=system:nodes+CN=system:node:n1' }],
  ])('rejects %s', (_label, options) => {
    expect(() => parseCertificateRequest(certificateRequestPem({ subject: SUBJECT, ...options }))).toThrow();
  });

  test('keeps a byte order mark, as the signer does', () => {
    const der = derOf(good());
    der.set([0xef, 0xbb, 0xbf], der.indexOf('system:nodes'));
    expect(parseCertificateRequest(pemOf(der)).subject[0]).toBe(`O=${String.fromCodePoint(0xfeff)}tem:nodes`);
  });

  test('rejects a truncated request', () => {
    const der = derOf(good());
    for (let length = 0; length < der.length; length += 1)
      expect(() => parseCertificateRequest(pemOf(der.subarray(0, length))), `${length} bytes`).toThrow();
  });

  test('returns another result or throws if any byte before the key changes', () => {
    const der = derOf(good());
    const original = parseCertificateRequest(pemOf(der));
    const end = der.indexOf('system:node:n1') + 'system:node:n1'.length;
    for (let offset = 0; offset < end; offset += 1)
      for (const mask of [0x01, 0x20, 0x80, 0xff]) {
        const changed = Buffer.from(der);
        changed.writeUInt8(der.readUInt8(offset) ^ mask, offset);
        const read = () => {
          try {
            return parseCertificateRequest(pemOf(changed));
          } catch {
            return undefined;
          }
        };
        expect(read(), `byte ${offset}`).not.toEqual(original);
      }
  });

  test.each<[label: string, change: (der: Buffer) => Buffer]>([
    ['a trailing byte', der => Buffer.concat([der, Buffer.of(0)])],
    ['a second request', der => Buffer.concat([der, der])],
    ['a length with a leading zero', der => Buffer.concat([Buffer.of(0x30, 0x83, 0), der.subarray(2)])],
    ['an indefinite length', der => Buffer.concat([Buffer.of(0x30, 0x80), der.subarray(4), Buffer.of(0, 0)])],
    ['a four-byte length', der => Buffer.concat([Buffer.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff), der])],
    ['a multi-byte tag', der => Buffer.concat([Buffer.of(0x3f, 0x10), der.subarray(1)])],
  ])('rejects DER with %s', (_label, change) => {
    const der = derOf(good());
    expect(der.subarray(0, 2)).toEqual(Buffer.of(0x30, 0x82));
    expect(() => parseCertificateRequest(pemOf(change(der)))).toThrow();
  });

  test.each<[label: string, change: (pem: string) => string]>([
    ['leading text', pem => `hello\n${pem}`],
    ['trailing text', pem => `${pem}hello\n`],
    ['a second request', pem => pem + pem],
    ['a header', pem => pem.replace('\n', '\nProc-Type: 4,ENCRYPTED\n\n')],
    ['another label', pem => pem.replaceAll('CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST')],
    ['invalid base64 characters', pem => pem.replace('\nM', '\n*M')],
    ['padding in the middle', pem => pem.replace('\nM', '\nTQ==M')],
    ['no content', pem => pem.replace(/\n[^-]+\n/, '\n')],
    ['too much content', pem => pem.replace('\n', `\n${'AAAA'.repeat(5000)}\n`)],
  ])('rejects PEM with %s', (_label, change) => {
    expect(() => parseCertificateRequest(change(good()))).toThrow(/PEM/);
  });
});
