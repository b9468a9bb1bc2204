import { describe, expect, it } from 'vitest';
import type { TokenFormValues } from './enrolment-input.ts';
import {
  EMPTY_TOKEN_FORM,
  encodeBase64,
  encodeKeyText,
  parseAddresses,
  parseKeyLines,
  toTokenInput,
} from './enrolment-input.ts';

const decodeBytes = (base64: string) => Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
const decodeText = (base64: string) => new TextDecoder().decode(decodeBytes(base64));

describe('enrolment input', () => {
  it('parseAddresses splits lines, spaces and commas, and removes comments and duplicates', () => {
    const text = '192.0.2.7, 192.0.2.8\n  ::1;192.0.2.7 # the old one\n\n# nothing\n';
    expect(parseAddresses(text)).toEqual(['192.0.2.7', '192.0.2.8', '::1']);
  });

  it('encodeKeyText normalizes line endings', () => {
    expect(decodeText(encodeKeyText('\r\n-----BEGIN\r\nAAAA\r\n-----END'))).toBe('-----BEGIN\nAAAA\n-----END\n');
  });

  it('encodeBase64 encodes binary files larger than a chunk', () => {
    const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 256);
    expect(decodeBytes(encodeBase64(bytes))).toEqual(bytes);
  });

  it('parseKeyLines removes comments and empty lines', () => {
    expect(parseKeyLines('# mine\n ssh-ed25519 AAAA me \n\n')).toEqual(['ssh-ed25519 AAAA me']);
  });
});

const CASES: readonly (readonly [title: string, values: Partial<TokenFormValues>, input: object])[] = [
  ['empty values to defaults', {}, {}],
  ['a maximum number of hosts', { uses: '20' }, { uses: 20 }],
  ['hours', { lifetime: '1.5' }, { expires_in_s: 5400 }],
  ['days', { lifetime: '7', lifetimeUnit: 'days' }, { expires_in_s: 604_800 }],
  ['minutes', { lifetime: '10', lifetimeUnit: 'minutes' }, { expires_in_s: 600 }],
  ['a network', { cidr: ' 10.0.0.0/8 ' }, { cidr: '10.0.0.0/8' }],
];

it.each(CASES)('toTokenInput converts %s', (_title, values, input) => {
  expect(toTokenInput({ ...EMPTY_TOKEN_FORM, ...values })).toEqual(input);
});
