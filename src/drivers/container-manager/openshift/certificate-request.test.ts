import { describe, expect, test } from 'vitest';
import type { RequestOptions } from '../../../../test/harness/certificates/certificate-request-pem.ts';
import { certificateRequestPem } from '../../../../test/harness/certificates/certificate-request-pem.ts';
import { parseCertificateRequest } from './certificate-request.ts';

const SUBJECT = '/O=system:nodes/CN=system:node:n1';
const READ = ['O=system:nodes', 'CN=system:node:n1'];
const NAMES = 'subjectAltName = DNS:n1,IP:127.0.0.1,IP:2001:db8::1';

const good = () => certificateRequestPem({ subject: SUBJECT, extensions: [NAMES] });
const derOf = (pem: string) => Buffer.from(pem.replaceAll(/-----.*-----|\n/g, ''), 'base64');
const pemOf = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;

describe('a request for a certificate', () => {
  test.each<[what: string, options: RequestOptions, names: object]>([
    ['a name and a group', { subject: SUBJECT }, { dnsNames: [], addresses: [] }],
    [
      'the same in printable letters',
      { subject: SUBJECT, isPrintable: true },
      { dnsNames: [], addresses: [] },
    ],
    [
      'names and addresses',
      { subject: SUBJECT, extensions: [NAMES] },
      { dnsNames: ['n1'], addresses: ['127.0.0.1', '2001:db8::1'] },
    ],
  ])('with %s is read', (_what, options, names) => {
    expect(parseCertificateRequest(certificateRequestPem(options))).toEqual({ subject: READ, ...names });
  });

  test.each([
    ['two names', '/O=system:nodes/CN=system:node:n1/CN=system:node:n2', [...READ, 'CN=system:node:n2']],
    ['two groups', '/O=system:nodes/O=system:masters/CN=a', ['O=system:nodes', 'O=system:masters', 'CN=a']],
    ['nothing', '/', []],
  ])('tells all of a subject with %s', (_what, subject, read) => {
    expect(parseCertificateRequest(certificateRequestPem({ subject })).subject).toEqual(read);
  });

  test.each<[what: string, options: Partial<RequestOptions>]>([
    ['an address of mail', { extensions: ['subjectAltName = DNS:n1,email:root@n1'] }],
    ['a URI', { extensions: ['subjectAltName = URI:spiffe://n1'] }],
    ['another name', { extensions: ['subjectAltName = otherName:1.2.3.4;UTF8:n1'] }],
    ['the wish to be an authority', { extensions: ['basicConstraints = CA:TRUE'] }],
    ['more than names', { extensions: [NAMES, 'keyUsage = keyCertSign'] }],
    ['names that it insists on', { extensions: ['subjectAltName = critical,DNS:n1'] }],
    ['a password', { attributes: ['challengePassword = secret'] }],
    ['a password and names', { extensions: [NAMES], attributes: ['challengePassword = secret'] }],
    ['a country', { subject: '/C=DE/O=system:nodes/CN=system:node:n1' }],
    ['a serial number', { subject: `${SUBJECT}/serialNumber=1` }],
    ['a name and a group in one', { subject: '/O=system:nodes+CN=system:node:n1' }],
  ])('with %s is refused', (_what, options) => {
    expect(() => parseCertificateRequest(certificateRequestPem({ subject: SUBJECT, ...options }))).toThrow();
  });

  test('is refused when any of its end is missing', () => {
    const der = derOf(good());
    for (let length = 0; length < der.length; length += 1)
      expect(() => parseCertificateRequest(pemOf(der.subarray(0, length))), `${length} bytes`).toThrow();
  });

  test('is not read the same when any byte before its key is another', () => {
    const der = derOf(good());
    const asRead = parseCertificateRequest(pemOf(der));
    const end = der.indexOf('system:node:n1') + 'system:node:n1'.length;
    for (let at = 0; at < end; at += 1)
      for (const mask of [0x01, 0x20, 0x80, 0xff]) {
        const changed = Buffer.from(der);
        changed.writeUInt8(der.readUInt8(at) ^ mask, at);
        const read = () => {
          try {
            return parseCertificateRequest(pemOf(changed));
          } catch {
            return undefined;
          }
        };
        expect(read(), `byte ${at}`).not.toEqual(asRead);
      }
  });

  test.each<[what: string, change: (der: Buffer) => Buffer]>([
    ['a byte behind it', der => Buffer.concat([der, Buffer.of(0)])],
    ['another request behind it', der => Buffer.concat([der, der])],
    ['a length that has a zero in front', der => Buffer.concat([Buffer.of(0x30, 0x83, 0), der.subarray(2)])],
    [
      'a length that is not said',
      der => Buffer.concat([Buffer.of(0x30, 0x80), der.subarray(4), Buffer.of(0, 0)]),
    ],
    ['a length beyond all', der => Buffer.concat([Buffer.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff), der])],
    ['a tag of many bytes', der => Buffer.concat([Buffer.of(0x3f, 0x10), der.subarray(1)])],
  ])('is refused with %s', (_what, change) => {
    const der = derOf(good());
    expect(der.subarray(0, 2)).toEqual(Buffer.of(0x30, 0x82));
    expect(() => parseCertificateRequest(pemOf(change(der)))).toThrow();
  });

  test.each<[what: string, change: (pem: string) => string]>([
    ['text before it', pem => `hello\n${pem}`],
    ['text behind it', pem => `${pem}hello\n`],
    ['another one behind it', pem => pem + pem],
    ['a header', pem => pem.replace('\n', '\nProc-Type: 4,ENCRYPTED\n\n')],
    ['another label', pem => pem.replaceAll('CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST')],
    ['letters that are no base64', pem => pem.replace('\nM', '\n*M')],
    ['padding in its midst', pem => pem.replace('\nM', '\nTQ==M')],
    ['nothing in it', pem => pem.replace(/\n[^-]+\n/, '\n')],
    ['too much', pem => pem.replace('\n', `\n${'AAAA'.repeat(5000)}\n`)],
  ])('is refused as PEM with %s', (_what, change) => {
    expect(() => parseCertificateRequest(change(good()))).toThrow(/PEM/);
  });
});
