const toHex = (numbers: readonly number[], digits: number) =>
  numbers.map(number => number.toString(16).padStart(digits, '0')).join('');

function parseGroups(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16));
}

/**
 * Sorts as text in the order in which the service lists hosts: IPv4 before IPv6, each by its number. Of addresses as it writes them.
 * The domain's own stands on a package that is not for browsers; its tests hold both together.
 */
export function addressSortKey(address: string): string {
  if (!address.includes(':')) return `4${toHex(address.split('.').map(Number), 2)}`;
  const [before = '', after] = address.split('::');
  const [first, last] = [parseGroups(before), parseGroups(after ?? '')];
  const zeros = Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0);
  return `6${toHex([...first, ...zeros, ...last], 4)}`;
}
