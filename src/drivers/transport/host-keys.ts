import { hostKeyFingerprint, hostKeyType } from '../../domain/hosts/host-key.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';

/** Key types and signature algorithms in order of preference. SHA-1 (the algorithm `ssh-rsa`) is excluded. */
const ALGORITHMS = [
  ['ssh-ed25519', 'ssh-ed25519'],
  ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp256'],
  ['ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp384'],
  ['ecdsa-sha2-nistp521', 'ecdsa-sha2-nistp521'],
  ['ssh-rsa', 'rsa-sha2-512'],
  ['ssh-rsa', 'rsa-sha2-256'],
] as const;

export type HostKeyAlgorithm = (typeof ALGORITHMS)[number][1];

/** Returns only algorithms for the types of the known keys, or all if no key is known. */
export function hostKeyAlgorithms(hostKeys: readonly string[]): HostKeyAlgorithm[] {
  const types = new Set(hostKeys.map(hostKeyType));
  return ALGORITHMS.filter(([type]) => types.size === 0 || types.has(type)).map(([, algorithm]) => algorithm);
}

export function hostKeyChangedFailure(presentedKey: string): TransportFailure {
  const detail = `the host presented the key ${hostKeyFingerprint(presentedKey)}, which is not one of its known keys`;
  return new TransportFailure('host_key_changed', detail, presentedKey);
}
