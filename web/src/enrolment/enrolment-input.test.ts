import { describe, expect, test } from 'vitest';
import { encodeBase64, encodeKeyText, parseAddresses, parseKeyLines, toTokenInput } from './enrolment-input.ts';

const decodeBytes = (base64: string) => Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
const decodeText = (base64: string) => new TextDecoder().decode(decodeBytes(base64));

describe('enrolment input', () => {
  test('parseAddresses splits lines, spaces and commas, and removes comments and duplicates', () => {
    const text = '192.0.2.7, 192.0.2.8\n  ::1;192.0.2.7 # the old one\n\n# nothing\n';
    expect(parseAddresses(text)).toEqual(['192.0.2.7', '192.0.2.8', '::1']);
  });

  test('encodeKeyText normalizes line endings', () => {
    expect(decodeText(encodeKeyText('\r\n-----BEGIN\r\nAAAA\r\n-----END'))).toBe('-----BEGIN\nAAAA\n-----END\n');
  });

  test('encodeBase64 encodes binary files larger than a chunk', () => {
    const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 256);
    expect(decodeBytes(encodeBase64(bytes))).toEqual(bytes);
  });

  test('parseKeyLines removes comments and empty lines', () => {
    expect(parseKeyLines('# mine\n ssh-ed25519 AAAA me \n\n')).toEqual(['ssh-ed25519 AAAA me']);
  });
});

const CASES: readonly (readonly [title: string, values: Record<string, string>, input: object])[] = [
  ['empty values to defaults', {}, {}],
  ['a maximum number of hosts', { uses: '20' }, { uses: 20 }],
  ['hours', { expires_in_s: '1.5' }, { expires_in_s: 5400 }],
  ['days', { expires_in_s: '7', lifetime_unit: 'days' }, { expires_in_s: 604_800 }],
  ['minutes', { expires_in_s: '10', lifetime_unit: 'minutes' }, { expires_in_s: 600 }],
  ['a network', { cidr: ' 10.0.0.0/8 ' }, { cidr: '10.0.0.0/8' }],
];

test.each(CASES)('toTokenInput converts %s', (_title, values, input) => {
  const form = new FormData();
  const fields = { uses: '', expires_in_s: '', lifetime_unit: 'hours', cidr: '', ...values };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  expect(toTokenInput(form)).toEqual(input);
});
