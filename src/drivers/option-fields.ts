// Fields that the options of several kinds of drivers are made of.

import ipaddr from 'ipaddr.js';
import Type from 'typebox';
import { Set as defineFormat } from 'typebox/format';
import type { TlsFiles } from '../clients/tls-files.ts';

export const url = (description: string, schemes: readonly string[] = ['http', 'https']) =>
  Type.String({
    pattern: `^(${schemes.join('|')})://([^\\s/?#@:[\\]]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?(/[^\\s]*)?$`,
    maxLength: 2048,
    rule: `must be a URL (${schemes.join(', ')}) without user name`,
    description,
  });

export const filePath = (description: string) =>
  Type.String({
    pattern: '^/[^\\u0000]*$',
    maxLength: 4096,
    rule: "must be an absolute path on the server's machine",
    description,
  });

defineFormat(
  'cidr',
  text =>
    ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || (!text.includes('%') && ipaddr.IPv6.isValidCIDR(text)),
);

export const cidr = (description: string) =>
  Type.String({
    format: 'cidr',
    rule: 'must be a network such as 10.1.0.0/16',
    description,
  });

/** Encrypted at rest, and shown in clear to `admin` only. */
export const secret = (description: string) =>
  Type.String({
    pattern: '^[^\\u0000]+$',
    maxLength: 65_536,
    secret: true,
    rule: 'must be text that is not empty',
    description,
  });

/** `undefined` for an option that is not given. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const tlsFiles = {
  ca_path: Type.Optional(
    filePath("The authority that signs the server's certificate; default: the system's."),
  ),
  certificate_path: Type.Optional(filePath('The client certificate; needs `certificate_key_path`.')),
  certificate_key_path: Type.Optional(filePath("The client certificate's key; needs `certificate_path`.")),
};

/** The same as clients take them. */
export const tlsFilesOf = (options: Partial<Record<keyof typeof tlsFiles, unknown>>): TlsFiles => ({
  caPath: textOf(options.ca_path),
  certificatePath: textOf(options.certificate_path),
  certificateKeyPath: textOf(options.certificate_key_path),
});

/** Of a client certificate and its key, one needs the other. */
export const certificateWithKey = {
  dependentRequired: {
    certificate_path: ['certificate_key_path'],
    certificate_key_path: ['certificate_path'],
  },
};
