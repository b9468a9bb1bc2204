import { accessSync, constants } from 'node:fs';
import { chosenTransport } from '../../drivers/transport/chosen-transport.ts';
import { createTransports } from '../../drivers/transport/index.ts';
import type { TransportMeter } from '../../drivers/transport/measured-transport.ts';
import { measuredTransport } from '../../drivers/transport/measured-transport.ts';
import type { Transport } from '../../drivers/transport/transport.ts';
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
  meter?: TransportMeter,
): Transport | undefined {
  if (openssh_config !== undefined) requireReadable(openssh_config);
  if (transport === 'none') return undefined;
  const transports = createTransports({ openSshConfig: openssh_config, tempFolder: temporaryFolder(data) });
  if (meter === undefined) return chosenTransport(transports, transport);
  const measured = Object.entries(transports).map(([type, each]) => [
    type,
    measuredTransport(type, each, meter),
  ]);
  return chosenTransport(Object.fromEntries(measured), transport);
}
