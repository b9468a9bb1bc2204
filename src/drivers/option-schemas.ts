import ipaddr from 'ipaddr.js';
import type { TProperties } from 'typebox';
import Type from 'typebox';
import { Set as defineFormat } from 'typebox/format';
import type { TlsFiles } from '../integrations/http/tls-files.ts';

const HOST_AND_PORT = '([^\\s/?#@:[\\]]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?';
const URL_FORM = new RegExp(`^[a-z]+://${HOST_AND_PORT}(/\\S*)?$`);

// Rejects invalid ports and addresses. Text that does not have the form of a URL is left to the pattern, so that it
// causes only one error.
defineFormat('valid-url', text => !URL_FORM.test(text) || URL.canParse(text));

export interface UrlRules {
  readonly schemes?: readonly string[];
  /** Not for URLs to which the client appends paths, such as the URL of a server. */
  readonly mayHaveQuery?: boolean;
}

export const urlOption = (description: string, { schemes = ['http', 'https'], mayHaveQuery = false }: UrlRules = {}) =>
  Type.String({
    pattern: `^(${schemes.join('|')})://${HOST_AND_PORT}(/${mayHaveQuery ? '[^\\s#]' : '[^\\s?#]'}*)?$`,
    format: 'valid-url',
    maxLength: 2048,
    rule: `must be a URL (${schemes.join(', ')}) without user name${mayHaveQuery ? '' : ', query'} or fragment`,
    description,
  });

export const filePathOption = (description: string) =>
  Type.String({
    pattern: '^/[^\\u0000]*$',
    maxLength: 4096,
    rule: 'must be an absolute path on the server machine',
    description,
  });

defineFormat(
  'cidr',
  text => ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || (!text.includes('%') && ipaddr.IPv6.isValidCIDR(text)),
);

export const cidrOption = (description: string) =>
  Type.String({
    format: 'cidr',
    rule: 'must be a network in CIDR notation, such as 10.1.0.0/16',
    description,
  });

/** Encrypted at rest; only `admin` can read it. */
export const secretOption = (description: string) =>
  Type.String({
    pattern: '^[^\\u0000]+$',
    maxLength: 65_536,
    secret: true,
    rule: 'must be non-empty text without NUL bytes',
    description,
  });

/** A secret that is sent in a header, which allows fewer characters. */
export const bearerTokenOption = (description: string) =>
  Type.String({
    pattern: '^[!-~]+$',
    maxLength: 65_536,
    secret: true,
    rule: 'must be one line of visible ASCII characters without spaces',
    description,
  });

export const tlsFileOptions = {
  ca_path: Type.Optional(
    filePathOption('File with the CA certificates for the server. Default: the CAs of the system.'),
  ),
  certificate_path: Type.Optional(filePathOption('File with the client certificate. Requires `certificate_key_path`.')),
  certificate_key_path: Type.Optional(
    filePathOption('File with the private key of the client certificate. Requires `certificate_path`.'),
  ),
};

export type TlsFileOptions = { readonly [Option in keyof typeof tlsFileOptions]?: string };

export const toTlsFiles = (options: TlsFileOptions): TlsFiles => ({
  caPath: options.ca_path,
  certificatePath: options.certificate_path,
  certificateKeyPath: options.certificate_key_path,
});

/** A client certificate requires its key, and the key requires the certificate. */
export const CERTIFICATE_NEEDS_KEY = {
  dependentRequired: {
    certificate_path: ['certificate_key_path'],
    certificate_key_path: ['certificate_path'],
  },
};

/** For options that include `tlsFileOptions`. */
export const tlsClientOptions = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false, ...CERTIFICATE_NEEDS_KEY });

export const etcdPrefixOption = (description: string) =>
  Type.String({
    pattern: '^/[A-Za-z0-9._/-]{1,255}$',
    rule: 'must be an etcd key that starts with /',
    description,
  });
