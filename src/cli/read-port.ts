import { InvalidArgumentError } from 'commander';

export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('It is a number from 1 to 65535.');
  return port;
}
