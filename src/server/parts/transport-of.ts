import { accessSync, constants } from 'node:fs';
import { createTransports } from '../../drivers/transport/index.ts';
import type { Transport } from '../../drivers/transport/transport.ts';
import type { TransportMetrics } from '../../drivers/transport/transport-decorators.ts';
import { dispatchTransport, measureTransport } from '../../drivers/transport/transport-decorators.ts';
import { errorCode } from '../../lib/errors/error-code.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import type { Config } from '../configuration/settings.ts';
import { temporaryFolder } from './temporary-folder.ts';

function requireReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw new PlainError(`openssh_config: cannot read ${file} (${errorCode(error)})`);
  }
}

/** How hosts are reached as configured; `undefined`: they are not. */
export function transportOf(
  { transport, openssh_config, data }: Config,
  meter?: TransportMetrics,
): Transport | undefined {
  if (openssh_config !== undefined) requireReadable(openssh_config);
  if (transport === 'none') return undefined;
  const transports = createTransports({ openSshConfig: openssh_config, tempFolder: temporaryFolder(data) });
  if (meter === undefined) return dispatchTransport(transports, transport);
  const measured = Object.entries(transports).map(([type, each]) => [
    type,
    measureTransport(type, each, meter),
  ]);
  return dispatchTransport(Object.fromEntries(measured), transport);
}
