import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readableKeyText } from '../../../lib/ssh-forms/readable-key-text.ts';
import { EXIT } from '../../../program/exit-codes.ts';
import { CliProblem, INTERRUPTED, ProgramEnded } from '../../cli-problem.ts';
import type { Session } from '../../session.ts';
import { startProblem, withLentKey } from '../../ssh/lent-key.ts';
import type { SshTarget } from '../../ssh/ssh-arguments.ts';
import { knownHostsText, sshArguments } from '../../ssh/ssh-arguments.ts';
import type { Terminal } from '../../terminal.ts';
import { untilInterrupted } from '../../until-interrupted.ts';
import { ownKeyProblem } from './creds.ts';

interface SshOptions {
  readonly tty?: true;
}

/** What ssh itself ends with when it cannot log in. */
const NOT_IN = 255;

/** Of what we know, ssh is told no more than it needs. */
function environmentOf({ HOSTLER_PASSWORD: _, ...rest }: Terminal['environment']): Terminal['environment'] {
  return rest;
}

function logIn(terminal: Terminal, key: string, hostKeys: readonly string[], target: SshTarget) {
  const environment = environmentOf(terminal.environment);
  return untilInterrupted(terminal, signal =>
    withLentKey(key, environment, async ({ folder, socket }) => {
      if (signal.aborted) return INTERRUPTED;
      const knownHosts = path.join(folder, 'known_hosts');
      writeFileSync(knownHosts, knownHostsText(target.address, hostKeys));
      const args = sshArguments(target, { socket, knownHosts });
      const exitCode = await terminal
        .run('ssh', args, { environment, signal })
        .catch(error => Promise.reject(startProblem('ssh', error)));
      // An ssh that is told to end says the same as one that cannot log in.
      return signal.aborted ? INTERRUPTED : exitCode;
    }),
  );
}

/** Logs in as the service does, and takes the host for the one that the service knows. */
export async function ssh(
  { client, terminal }: Session,
  { tty }: SshOptions,
  address: string,
  command: readonly string[],
): Promise<void> {
  const { body: access } = await client.getHostAccess({ address });
  if (access.host_keys.length === 0)
    throw new CliProblem(
      EXIT.failed,
      `the host key of ${address} is not known yet, so the host cannot be verified. See: hostler host show ${address}`,
    );
  const { body: creds } = await client.getHostCreds({ address });
  if (creds.ssh_priv_key === '') throw ownKeyProblem(address);
  const exitCode = await logIn(terminal, readableKeyText(creds.ssh_priv_key), access.host_keys, {
    address,
    user: creds.remote_user,
    port: access.ssh_port,
    isWithTerminal: tty === true,
    command,
  });
  if (exitCode === NOT_IN)
    terminal.tell(
      `hostler: ssh failed with exit code ${NOT_IN}: it could not log in, or lost the connection. See: hostler host show ${address}\n`,
    );
  if (exitCode !== 0) throw new ProgramEnded(exitCode);
}
