import { isDeepStrictEqual } from 'node:util';
import { tryOr } from '../../../lib/errors.ts';
import { isRecord } from '../../../lib/json.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import { isSameNetwork } from '../flannel.ts';

interface FlannelConfig {
  readonly Network?: string;
  readonly Backend?: Readonly<Record<string, unknown>>;
}

interface FlannelOptions {
  readonly network?: string;
  readonly backend?: string | Readonly<Record<string, unknown>>;
}

export const toFlannelConfig = ({ network, backend }: FlannelOptions): FlannelConfig => ({
  ...(network !== undefined && { Network: network }),
  ...(backend !== undefined && { Backend: typeof backend === 'string' ? { Type: backend } : backend }),
});

const DEFAULT_BACKEND = { Type: 'udp' };

/** Compares only the fields that the record defines. */
function matchesConfig(stored: string, { Network, Backend = {} }: FlannelConfig): boolean {
  const found = tryOr<unknown>(undefined, () => JSON.parse(stored));
  if (!isRecord(found) || typeof found['Network'] !== 'string') return false;
  if (Network !== undefined && !isSameNetwork(found['Network'], Network)) return false;
  const backend = found['Backend'] ?? DEFAULT_BACKEND;
  return isRecord(backend) && Object.entries(Backend).every(([key, value]) => isDeepStrictEqual(backend[key], value));
}

export function checkConfig(key: string, stored: string | undefined, expected: FlannelConfig): string | undefined {
  if (stored === undefined)
    return expected.Network === undefined ? `etcd has no configuration at ${key}; set the option network` : undefined;
  if (matchesConfig(stored, expected)) return undefined;
  return `the configuration at ${key} in etcd is ${sanitizeLine(stored) || 'unreadable'}, but the record has ${JSON.stringify(expected)}; Hostler does not overwrite it: change the record, or set another prefix`;
}
