import { InvalidArgumentError } from 'commander';

/** More digits would be no number that can be counted with. */
export function readWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}

/** A number of things. */
export function readCount(text: string): number {
  const count = readWholeNumber(text);
  if (count === 0) throw new InvalidArgumentError('It must be at least 1.');
  return count;
}

export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('It must be a number from 1 to 65535.');
  return port;
}
