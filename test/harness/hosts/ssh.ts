import { writeFileSync } from 'node:fs';
import { loginKey } from './login-key.ts';
import type { ToolRan } from './run-tool.ts';
import { tryTool } from './run-tool.ts';

interface Reachable {
  readonly address: string;
  readonly port: number;
  readonly hostKey: string;
}

const OPTIONS = ['BatchMode=yes', 'LogLevel=ERROR', 'KexAlgorithms=curve25519-sha256'];

/** Runs a command by the `ssh` of this machine, which wants to see the key of the host. */
export async function ssh(
  host: Reachable,
  user: string,
  command: string,
  connectTimeoutS = 10,
): Promise<ToolRan> {
  const { file } = await loginKey();
  const known = `${file}-${host.address}-${host.port}`;
  const names = host.port === 22 ? host.address : `[${host.address}]:${host.port}`;
  writeFileSync(known, `${names} ${host.hostKey}\n`);
  const checks = [`UserKnownHostsFile=${known}`, 'StrictHostKeyChecking=yes'];
  const options = [...OPTIONS, ...checks, `ConnectTimeout=${connectTimeoutS}`];
  return tryTool([
    ...(['ssh', '-F', 'none', '-n', '-i', file, '-p', String(host.port)] as const),
    ...options.flatMap(option => ['-o', option]),
    ...[`${user}@${host.address}`, command],
  ]);
}
