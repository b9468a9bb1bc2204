/** Splits at line breaks, spaces, commas and semicolons. Removes duplicates and comments that start with #. */
export function parseAddresses(text: string): readonly string[] {
  const words = text.split('\n').flatMap(line => line.replace(/#.*/, '').split(/[\s,;]+/));
  return [...new Set(words.filter(Boolean))];
}

const CHUNK_BYTES = 8192;

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES));
  return btoa(text);
}

export const encodeKeyText = (text: string): string =>
  encodeBase64(new TextEncoder().encode(`${text.replaceAll('\r\n', '\n').trim()}\n`));

export const parseKeyLines = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));

export const UNIT_S = { minutes: 60, hours: 3600, days: 86_400 } as const;
export type LifetimeUnit = keyof typeof UNIT_S;

export const isLifetimeUnit = (text: string): text is LifetimeUnit => Object.hasOwn(UNIT_S, text);

/** Trimmed value of a form field. Empty if the field is missing. */
export const getFieldText = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

/** Reads `TokenFields`. An empty field selects the default. */
export function toTokenInput(form: FormData) {
  const [uses, lifetime] = [getFieldText(form, 'uses'), getFieldText(form, 'expires_in_s')];
  const [unit, cidr] = [getFieldText(form, 'lifetime_unit'), getFieldText(form, 'cidr')];
  const unitS = isLifetimeUnit(unit) ? UNIT_S[unit] : UNIT_S.hours;
  return {
    ...(uses !== '' && { uses: Number(uses) }),
    ...(lifetime !== '' && { expires_in_s: Math.round(Number(lifetime) * unitS) }),
    ...(cidr !== '' && { cidr }),
  };
}
