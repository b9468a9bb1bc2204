import Type from 'typebox';
import { certificateWithKey, filePath, tlsFiles } from '../../option-fields.ts';
import { UNITS } from './facts-at.ts';

const pointer = Type.String({
  pattern: '^(/([^~]|~[01])*)?$',
  maxLength: 1024,
  rule: 'must be a JSON Pointer, such as /hardware/cpus',
  description: 'JSON Pointer into the response.',
});

const unit = (what: string) =>
  Type.Optional(
    Type.Enum(UNITS, {
      description: `Unit of ${what} in the response: ${UNITS.join(', ')}. Default \`KiB\`.`,
    }),
  );

export const options = Type.Object(
  {
    url: Type.String({
      pattern:
        '^https?://([^\\s/?#@:[\\]{}]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?/[^\\s#]*\\{address\\}[^\\s#]*$',
      format: 'url-that-is-one',
      maxLength: 2048,
      rule: 'must be a URL (http, https) without user name, with {address} in its path or query',
      description: 'URL of the record of a host. `{address}` is replaced by the address of the host.',
    }),
    headers: Type.Optional(
      Type.Record(
        Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$" }),
        Type.String({
          pattern: '^[\\u0020-\\u007e]*$',
          maxLength: 8192,
          rule: 'must be one line of printable ASCII characters',
        }),
        { description: 'Headers of each request.' },
      ),
    ),
    token_path: Type.Optional(filePath('File with a bearer token, read again for each use.')),
    ...tlsFiles,
    fields: Type.Optional(
      Type.Object(
        {
          os: Type.Optional(pointer),
          cpus: Type.Optional(pointer),
          memory: Type.Optional(pointer),
          space: Type.Optional(pointer),
          hostname: Type.Optional(pointer),
        },
        {
          additionalProperties: false,
          description:
            'JSON Pointers to the facts in the response: `os`, `cpus`, `memory`, `space`, `hostname`. Default: `/os`, `/cpus` and so on.',
        },
      ),
    ),
    memory_unit: unit('memory'),
    space_unit: unit('space'),
  },
  { additionalProperties: false, ...certificateWithKey },
);
