import { isDeepStrictEqual } from 'node:util';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import { isSameNetwork } from '../flannel.ts';

/** The part of the flannel configuration in etcd that the options of a record define. */
export interface FlannelConfig {
  readonly Network?: string;
  readonly Backend?: Readonly<Record<string, unknown>>;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function toFlannelConfig({ network, backend }: Readonly<Record<string, unknown>>): FlannelConfig {
  return {
    ...(typeof network === 'string' && { Network: network }),
    ...(typeof backend === 'string' && { Backend: { Type: backend } }),
    ...(isObject(backend) && { Backend: backend }),
  };
}

/** Default of flannel. */
const DEFAULT_BACKEND = { Type: 'udp' };

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Compares only the fields that the record defines. */
export function matchesConfig(stored: string, { Network, Backend = {} }: FlannelConfig): boolean {
  const found = parseObject(stored);
  const network = found?.['Network'];
  if (found === undefined || typeof network !== 'string') return false;
  if (Network !== undefined && !isSameNetwork(network, Network)) return false;
  const backend = found['Backend'] ?? DEFAULT_BACKEND;
  return isObject(backend) && Object.entries(Backend).every(([key, value]) => isDeepStrictEqual(backend[key], value));
}

/** Returns why hosts cannot join with the stored configuration. */
export function checkConfig(key: string, stored: string | undefined, expected: FlannelConfig): string | undefined {
  if (stored === undefined)
    return expected.Network === undefined ? `etcd has no configuration at ${key}; set the option network` : undefined;
  if (matchesConfig(stored, expected)) return undefined;
  return `the configuration at ${key} in etcd is ${sanitizeLine(stored) || 'unreadable'}, but the record has ${JSON.stringify(expected)}; Hostler does not overwrite it: change the record, or set another prefix`;
}
