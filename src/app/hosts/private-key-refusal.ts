import type { Refusal } from '../../domain/errors.ts';
import { refuseFields } from '../../domain/errors.ts';
import type { Secret } from '../../domain/secret.ts';
import type { Ports } from '../ports.ts';

/** Why a private key in base64 cannot be used, if so. */
export function privateKeyRefusal({ privateKeyProblem }: Ports, sshPrivKey: Secret): Refusal | undefined {
  const problem = privateKeyProblem(sshPrivKey.reveal());
  if (problem === undefined) return undefined;
  return refuseFields('invalid_private_key', [{ path: '/ssh_priv_key', message: problem }], 'the body');
}
