// Fields that the options of several kinds of drivers are made of.

import Type from 'typebox';

export const url = (description: string) =>
  Type.String({
    pattern: '^https?://[^\\s/?#@]+(/[^\\s]*)?$',
    maxLength: 2048,
    rule: 'must be an http or https URL without user name',
    description,
  });

export const filePath = (description: string) =>
  Type.String({
    pattern: '^/[^\\u0000]*$',
    maxLength: 4096,
    rule: "must be an absolute path on the server's machine",
    description,
  });

export const cidr = (description: string) =>
  Type.String({
    pattern: '^[0-9A-Fa-f.:]+/[0-9]{1,3}$',
    rule: 'must be a network such as 10.1.0.0/16',
    description,
  });

/** Encrypted at rest, and shown in clear to `admin` only. */
export const secret = (description: string) =>
  Type.String({ minLength: 1, maxLength: 65_536, secret: true, description });

export const tlsFiles = {
  ca_path: Type.Optional(
    filePath("The authority that signs the server's certificate; default: the system's."),
  ),
  certificate_path: Type.Optional(filePath('The client certificate; needs `certificate_key_path`.')),
  certificate_key_path: Type.Optional(filePath("The client certificate's key; needs `certificate_path`.")),
};
