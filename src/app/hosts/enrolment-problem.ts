import type { Actor } from '../../domain/accounts/account.ts';
import type { AppError } from '../../domain/errors.ts';
import { invalidBody } from '../../domain/errors.ts';
import { isHostKey } from '../../domain/hosts/host-key.ts';
import type { Ports } from '../ports.ts';
import type { EnrolmentRequest } from './enrolment-request.ts';
import { transportRefusal } from './transport-refusal.ts';

/** What is wrong with what was sent, whatever is known of the host. */
export function enrolmentProblem(
  ports: Ports,
  actor: Actor,
  { sshPrivKey, hostKeys = [], transport, source }: EnrolmentRequest,
): AppError | undefined {
  if (sshPrivKey === undefined && actor.token === undefined)
    return invalidBody({ path: '/ssh_priv_key', message: 'is required' });
  // With them the first connection is verified already: nobody has looked at a host that enrols itself.
  if (hostKeys.length === 0 && actor.token !== undefined)
    return invalidBody({
      path: '/host_keys',
      message: 'is required with an enrolment token: send the public host keys',
    });
  if (source && !ports.hostSources.has(source))
    return invalidBody({ path: '/source', message: 'is not a configured host source' });
  const badTransport = transportRefusal(ports, transport);
  if (badTransport) return badTransport;
  const badHostKeys = hostKeys.flatMap((line, index) => (isHostKey(line) ? [] : [index]));
  if (badHostKeys.length === 0) return undefined;
  const message = 'must be a public host key, as in /etc/ssh/ssh_host_*_key.pub';
  return invalidBody(...badHostKeys.map(index => ({ path: `/host_keys/${index}`, message })));
}
