import { describe, expect, it } from 'vitest';
import { base64Of, base64OfKeyText, readAddresses, readKeyLines } from './added-hosts.ts';

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
const textOf = (base64: string) => new TextDecoder().decode(bytesOf(base64));

describe('what is typed to add hosts', () => {
  it('has addresses in lines, with spaces, commas and remarks, each once', () => {
    const text = '192.0.2.7, 192.0.2.8\n  ::1;192.0.2.7 # the old one\n\n# nothing\n';
    expect(readAddresses(text)).toEqual(['192.0.2.7', '192.0.2.8', '::1']);
  });

  it('has a key whose lines are mended', () => {
    expect(textOf(base64OfKeyText('\r\n-----BEGIN\r\nAAAA\r\n-----END'))).toBe(
      '-----BEGIN\nAAAA\n-----END\n',
    );
  });

  it('has a file of any bytes, and of any size', () => {
    const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 256);
    expect(bytesOf(base64Of(bytes))).toEqual(bytes);
  });

  it('has public keys without what is none', () => {
    expect(readKeyLines('# mine\n ssh-ed25519 AAAA me \n\n')).toEqual(['ssh-ed25519 AAAA me']);
  });
});
