import type { Host } from '../../domain/hosts/host.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import { failed } from '../outcomes.ts';
import type { StepContext } from '../step.ts';

export const UNSUPPORTED = failed('unsupported_os: no driver supports this operating system');

/** The driver of a host's system; `undefined` where none can handle it. */
export const driverOf = (
  { os }: Pick<StepContext, 'os'>,
  { osDriver }: Pick<Host, 'osDriver'>,
): OsDriver | undefined => os.drivers.find(candidate => candidate.type === osDriver);
