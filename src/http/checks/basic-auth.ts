import type { Credentials } from '../../app/accounts/login.ts';
import { Secret } from '../../domain/secret.ts';

const HEADER = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads an `Authorization: Basic` header (RFC 7617, UTF-8); `undefined` when it is malformed. */
export function parseBasicAuth(header: Secret): Credentials | undefined {
  const encoded = HEADER.exec(header.reveal())?.[1];
  if (encoded === undefined) return undefined;
  try {
    const text = utf8.decode(Buffer.from(encoded, 'base64'));
    const colon = text.indexOf(':');
    const [name, password] = [text.slice(0, colon), text.slice(colon + 1)];
    return colon < 1 || password === ''
      ? undefined
      : { name, password: new Secret(password), presented: header };
  } catch {
    return undefined;
  }
}
