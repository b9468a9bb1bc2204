import { hostKeyFingerprint, hostKeyType } from '../../domain/hosts/host-key.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';

/** The type of a key, and an algorithm that a host signs with it; best first. SHA-1 (`ssh-rsa` as an algorithm) is not among them. */
const ALGORITHMS = [
  ['ssh-ed25519', 'ssh-ed25519'],
  ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp256'],
  ['ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp384'],
  ['ecdsa-sha2-nistp521', 'ecdsa-sha2-nistp521'],
  ['ssh-rsa', 'rsa-sha2-512'],
  ['ssh-rsa', 'rsa-sha2-256'],
] as const;

export type HostKeyAlgorithm = (typeof ALGORITHMS)[number][1];

/** What is asked of a host: the types of its known keys and no other, or all where none is known. */
export function hostKeyAlgorithms(hostKeys: readonly string[]): HostKeyAlgorithm[] {
  const types = new Set(hostKeys.map(hostKeyType));
  return ALGORITHMS.filter(([type]) => types.size === 0 || types.has(type)).map(([, algorithm]) => algorithm);
}

/** The answer to a host that shows a key that was not given. */
export function hostKeyChangedFailure(presentedKey: string): TransportFailure {
  const detail = `the host presented the key ${hostKeyFingerprint(presentedKey)}, which is not one of its known keys`;
  return new TransportFailure('host_key_changed', detail, presentedKey);
}
