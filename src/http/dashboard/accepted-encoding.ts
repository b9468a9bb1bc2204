/** How a file may be sent, the smallest first; without any of them it goes as it is. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Whether `Accept-Encoding` takes an encoding (RFC 9110, 12.5.3): it is named, or `*` is, and not with a weight of zero. */
export function isAccepted(header: string, encoding: Encoding): boolean {
  let isAnyAccepted = false;
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase());
    const hasNoWeight = parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter));
    if (name === encoding || (encoding === 'gzip' && name === 'x-gzip')) return !hasNoWeight;
    if (name === '*') isAnyAccepted = !hasNoWeight;
  }
  return isAnyAccepted;
}
