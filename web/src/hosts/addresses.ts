/** The server checks the format of an address. */
export const isAddress = (text: string): boolean => text.includes(':') || /^\d+(\.\d+){3}$/.test(text);

const toHex = (numbers: readonly number[], digits: number) =>
  numbers.map(number => number.toString(16).padStart(digits, '0')).join('');

function parseGroups(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16));
}

/**
 * Sort key for the order in which the server lists hosts: IPv4 before IPv6, then by numeric value. Expects canonical
 * addresses. The domain layer has its own implementation on a package that does not run in browsers; its tests compare
 * both.
 */
export function addressSortKey(address: string): string {
  if (!address.includes(':')) return `4${toHex(address.split('.').map(Number), 2)}`;
  const [before = '', after] = address.split('::');
  const [first, last] = [parseGroups(before), parseGroups(after ?? '')];
  const zeros = Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0);
  return `6${toHex([...first, ...zeros, ...last], 4)}`;
}
