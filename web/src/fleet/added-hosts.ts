/** Addresses as people write them down: in lines, with spaces or commas between, each once; what follows # is for people. */
export function readAddresses(text: string): readonly string[] {
  const words = text.split('\n').flatMap(line => line.replace(/#.*/, '').split(/[\s,;]+/));
  return [...new Set(words.filter(Boolean))];
}

const CHUNK = 8192;

/** Base64 without line breaks, as keys are sent. */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK)
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(text);
}

/** A key that was pasted: what copying did to its lines is undone. */
export const base64OfKeyText = (text: string): string =>
  base64Of(new TextEncoder().encode(`${text.replaceAll('\r\n', '\n').trim()}\n`));

/** Lines of public keys, without empty ones and comments. */
export const readKeyLines = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
