/**
 * Splits at line breaks, spaces, commas and semicolons. Removes duplicates and comments that start with #.
 */
export function parseAddresses(text: string): readonly string[] {
  const words = text.split('\n').flatMap(line => line.replace(/#.*/, '').split(/[\s,;]+/));
  return [...new Set(words.filter(Boolean))];
}

const CHUNK_BYTES = 8192;

/** Encodes without line breaks. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES));
  return btoa(text);
}

/** Normalizes the line endings of a pasted key. */
export const encodeKeyText = (text: string): string =>
  encodeBase64(new TextEncoder().encode(`${text.replaceAll('\r\n', '\n').trim()}\n`));

export const parseKeyLines = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));

/** Values of the form. An empty string selects the default. */
export interface TokenFormValues {
  readonly uses: string;
  readonly lifetime: string;
  readonly lifetimeUnit: keyof typeof UNIT_S;
  readonly cidr: string;
}

export const UNIT_S = { minutes: 60, hours: 3600, days: 86_400 } as const;

export const EMPTY_TOKEN_FORM: TokenFormValues = { uses: '', lifetime: '', lifetimeUnit: 'hours', cidr: '' };

export function toTokenInput({ uses, lifetime, lifetimeUnit, cidr }: TokenFormValues) {
  return {
    ...(uses.trim() !== '' && { uses: Number(uses) }),
    ...(lifetime.trim() !== '' && { expires_in_s: Math.round(Number(lifetime) * UNIT_S[lifetimeUnit]) }),
    ...(cidr.trim() !== '' && { cidr: cidr.trim() }),
  };
}
